// Tests of single fields on a record's bytes, without making a value. Each says the same of a row as the
// evaluator does; what can't be said here is left to the evaluator. `docs/queries.md` has the meaning of
// operators.

internal import Foundation
internal import LodeModel

/// One test of one field.
///
/// A class, so that a row is tested without counting references to what the test holds.
final class FieldTest {
  /// What must be true of a field that isn't null.
  enum Condition {
    case anything
    case nothing
    /// Its ordinal lies in one of these.
    case ordinals([ClosedRange<Int64>])
    /// It is one of these references, as bits.
    case references(Set<UInt64>)
    /// Its canonical text is one of these.
    case texts([[UInt8]])
    /// Its canonical text lies between these.
    case textRange(lower: TextEdge?, upper: TextEdge?)
    case textPrefix([UInt8])
    case textSuffix([UInt8])
    case textPart([UInt8])
  }

  struct TextEdge {
    var text: [UInt8]
    var isInclusive: Bool
  }

  private let slot: Int
  private let condition: Condition
  /// Whether null satisfies the test.
  private let acceptsNull: Bool
  /// The test in its simplest form, where it has one.
  let ordinalTest: OrdinalTest?
  /// The one text that satisfies the test, where there is one.
  private let text: [UInt8]?

  private init(slot: Int, _ condition: Condition, acceptsNull: Bool, _ layout: RecordLayout) {
    self.slot = slot
    self.condition = condition
    self.acceptsNull = acceptsNull
    text = if case .texts(let texts) = condition, texts.count == 1 { texts[0] } else { nil }
    ordinalTest =
      if case .ordinals(let ranges) = condition, ranges.count == 1 {
        OrdinalTest(
          slot: slot, field: layout.fields[slot], range: ranges[0], acceptsNull: acceptsNull)
      } else {
        nil
      }
  }

  /// Whether the test reads text, which may have to be decompressed.
  var readsText: Bool {
    switch condition {
    case .anything, .nothing, .ordinals, .references: false
    case .texts, .textRange, .textPrefix, .textSuffix, .textPart: true
    }
  }

  /// Tells whether a record satisfies the test.
  func holds(_ record: RecordView, _ tails: TailScratch) throws(RecordError) -> Bool {
    if let ordinalTest { return ordinalTest.holds(record) }
    guard !record.isNull(at: slot) else { return acceptsNull }
    guard let text else { return try holdsAtLength(record, tails) }
    let found = try record.variableBytes(at: slot, tails: tails)
    // Equal bytes are equal texts; unequal ones need a second look only beyond plain text.
    let isSame = text.withUnsafeBytes { compareBytes(found, $0) == 0 }
    return isSame || !CanonicalText.isCanonical(found) && holds(text: found)
  }

  private func holdsAtLength(
    _ record: RecordView, _ tails: TailScratch
  ) throws(RecordError) -> Bool {
    switch condition {
    case .anything: return true
    case .nothing: return false
    case .ordinals(let ranges):
      let ordinal = record.ordinal(of: record.field(slot))
      return ranges.contains { $0.contains(ordinal) }
    case .references(let bits): return bits.contains(record.reference(at: slot).bits)
    default: return holds(text: try record.variableBytes(at: slot, tails: tails))
    }
  }

  private func holds(text: UnsafeRawBufferPointer) -> Bool {
    CanonicalText.isCanonical(text)
      ? holds(canonical: text) : CanonicalText.withCanonical(text, holds(canonical:))
  }

  private func holds(canonical text: UnsafeRawBufferPointer) -> Bool {
    switch condition {
    case .texts(let texts):
      return texts.contains { $0.withUnsafeBytes { compareBytes(text, $0) == 0 } }
    case .textRange(let lower, let upper):
      if let lower {
        let order = lower.text.withUnsafeBytes { compareBytes(text, $0) }
        guard order > 0 || order == 0 && lower.isInclusive else { return false }
      }
      guard let upper else { return true }
      let order = upper.text.withUnsafeBytes { compareBytes(text, $0) }
      return order < 0 || order == 0 && upper.isInclusive
    case .textPrefix(let prefix):
      return text.count >= prefix.count
        && prefix.withUnsafeBytes { compareBytes(text.part(0, prefix.count), $0) == 0 }
    case .textSuffix(let suffix):
      let start = text.count - suffix.count
      return start >= 0
        && suffix.withUnsafeBytes { compareBytes(text.part(start, suffix.count), $0) == 0 }
    case .textPart(let part): return part.withUnsafeBytes { contains(text, $0) }
    case .anything, .nothing, .ordinals, .references: return false
    }
  }
}

// MARK: From conditions

extension FieldTest {
  /// The longest list of values that is tested one by one.
  private static let listCountMax = 8

  /// Makes a test of a comparison; nil when the evaluator has to make it.
  convenience init?(_ condition: SlotCondition, _ layout: RecordLayout) {
    let kind = layout.fields[condition.slot].kind
    var acceptsNull = false
    let made: Condition?
    switch condition.test {
    case .never: made = .nothing
    case .prefix(let text): made = .textPrefix(CanonicalText.bytes(text))
    case .points(let values):
      made = Self.points(values.filter { !$0.isNull }, kind, layout)
      acceptsNull = values.contains(where: \.isNull)
    case .range(let lower, let upper): made = Self.range(lower, upper, kind)
    }
    guard let made else { return nil }
    self.init(slot: condition.slot, made, acceptsNull: acceptsNull, layout)
  }

  /// Makes a test of a text operator that index bounds can't be made of.
  convenience init?(_ comparison: BoundComparison, _ layout: RecordLayout) {
    guard comparison.quantifier == .direct, comparison.options.isEmpty,
      case .path(let path) = comparison.left, path.properties.count == 1,
      path.elementNames.isEmpty, case .constant(.string(let text)) = comparison.right,
      layout.fields[path.properties[0].slot].kind == .string
    else { return nil }
    let bytes = CanonicalText.bytes(text)
    let made: Condition
    switch comparison.operator {
    // The empty text is found nowhere.
    case .contains: made = text.isEmpty ? .nothing : .textPart(bytes)
    case .endsWith: made = text.isEmpty ? .nothing : .textSuffix(bytes)
    default: return nil
    }
    self.init(slot: path.properties[0].slot, made, acceptsNull: false, layout)
  }

  private static func points(
    _ values: [Value], _ kind: RecordLayout.Kind, _ layout: RecordLayout
  ) -> Condition? {
    guard !values.isEmpty else { return .nothing }
    if kind == .reference {
      let bits = values.compactMap { value in
        if case .objectID(let objectID) = value {
          layout.references.reference(to: objectID)?.bits
        } else {
          nil
        }
      }
      return .references(Set(bits))
    }
    guard values.count <= listCountMax else { return nil }
    if kind == .string {
      return .texts(values.compactMap(Self.text))
    }
    let ordinals = values.compactMap { Self.ordinal($0, kind) }
    return ordinals.count == values.count ? .ordinals(ordinals.map { $0...$0 }) : nil
  }

  private static func range(
    _ lower: SlotTest.Edge?, _ upper: SlotTest.Edge?, _ kind: RecordLayout.Kind
  ) -> Condition? {
    guard lower != nil || upper != nil else { return .anything }
    if kind == .string {
      return .textRange(
        lower: lower.flatMap(TextEdge.init), upper: upper.flatMap(TextEdge.init))
    }
    var (low, high) = (Int64.min, Int64.max)
    if let lower {
      guard let ordinal = Self.ordinal(lower.value, kind) else { return nil }
      guard lower.isInclusive || ordinal < .max else { return .nothing }
      low = lower.isInclusive ? ordinal : ordinal + 1
    }
    if let upper {
      guard let ordinal = Self.ordinal(upper.value, kind) else { return nil }
      guard upper.isInclusive || ordinal > .min else { return .nothing }
      high = upper.isInclusive ? ordinal : ordinal - 1
    }
    return low <= high ? .ordinals([low...high]) : .nothing
  }

  private static func text(_ value: Value) -> [UInt8]? {
    if case .string(let text) = value { CanonicalText.bytes(text) } else { nil }
  }

  private static func ordinal(_ value: Value, _ kind: RecordLayout.Kind) -> Int64? {
    switch (kind, value) {
    case (.boolean, .boolean(let boolean)): boolean ? 1 : 0
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      number
    case (.double, .double(let number)), (.float, .double(let number)): number.ordinal
    case (.date, .date(let date)): date.timeIntervalSinceReferenceDate.ordinal
    default: nil
    }
  }
}

extension FieldTest.TextEdge {
  fileprivate init?(_ edge: SlotTest.Edge) {
    guard case .string(let text) = edge.value else { return nil }
    self.init(text: CanonicalText.bytes(text), isInclusive: edge.isInclusive)
  }
}

extension Double {
  /// A number whose order is that of doubles in sorts: both zeros are one, and all NaNs, which come last.
  fileprivate var ordinal: Int64 {
    let bits = Int64(bitPattern: (isNaN ? .nan : self == 0 ? 0 : self).bitPattern)
    return bits < 0 ? bits ^ .max : bits
  }
}

/// A test of one number or date against one range: plain bits, so that a row is tested without touching
/// a reference count.
struct OrdinalTest {
  let slot: Int
  let field: RecordLayout.Field
  let range: ClosedRange<Int64>
  let acceptsNull: Bool

  @inline(__always)
  func holds(_ record: RecordView) -> Bool {
    record.isNull(at: slot) ? acceptsNull : range.contains(record.ordinal(of: field))
  }
}

extension RecordView {
  /// Returns the number by which a fixed field is ordered.
  @inline(__always)
  fileprivate func ordinal(of field: RecordLayout.Field) -> Int64 {
    switch field.kind {
    case .boolean: bytes.integer(at: field.place, as: UInt8.self) == 0 ? 0 : 1
    case .integer16: Int64(bytes.integer(at: field.place, as: Int16.self))
    case .integer32: Int64(bytes.integer(at: field.place, as: Int32.self))
    case .integer64: bytes.integer(at: field.place, as: Int64.self)
    case .float:
      Double(Float(bitPattern: bytes.integer(at: field.place, as: UInt32.self))).ordinal
    case .double, .date:
      Double(bitPattern: bytes.integer(at: field.place, as: UInt64.self)).ordinal
    case .uuid, .reference, .decimal, .string, .uri, .data, .composite, .none:
      preconditionFailure("only numbers and dates have ordinals")
    }
  }
}
