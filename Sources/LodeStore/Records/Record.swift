internal import Foundation
package import LodeModel
internal import Synchronization

/// A row's bytes outside of any snapshot: one allocation, shared by its copies.
///
/// The first read of a value in a compressed tail decompresses the tail and keeps it.
///
/// Unchecked because the bytes never change after `init`, and the tail's address is published once,
/// atomically.
package struct Record: @unchecked Sendable {
  private let storage: RecordStorage

  /// Copies the record of an object, whose tail is checked first, so that no later read meets a
  /// wrong byte.
  ///
  /// - Throws: `RecordError.damaged` when the tail isn't as it was written.
  init(copying view: RecordView) throws(RecordError) {
    try view.checkTail()
    storage = RecordStorage.copying(view)
  }

  /// Copies bytes that have just been encoded.
  init(written bytes: UnsafeRawBufferPointer, of number: UInt64, layout: RecordLayout) {
    storage = RecordStorage.copying(RecordView(checked: bytes, of: number, layout: layout))
  }

  var layout: RecordLayout { storage.header.layout }

  var version: UInt32 { withView { $0.version } }

  /// Calls a closure with the record's bytes and layout, and with itself as the source of its tail.
  @inline(__always)
  func withView<Result, Failure: Error>(
    _ body: (RecordView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withView(body)
  }

  // MARK: Values

  /// Returns the value of a slot; `.null` for slots that records don't have.
  ///
  /// - Throws: `RecordError` when the record's bytes make no sense.
  package func value(at slot: Int) throws(RecordError) -> Value {
    try withView { view throws(RecordError) in try view.value(at: slot, tails: storage) }
  }

  /// Tells whether a slot has no value.
  package func isNull(at slot: Int) -> Bool { withView { $0.isNull(at: slot) } }

  /// Returns the text of a string attribute; nil when it is null.
  ///
  /// - Precondition: the slot is a string's.
  package func string(at slot: Int) throws(RecordError) -> String? {
    try withUTF8(at: slot) { text throws(RecordError) in try VariableCoding.string(text) }
  }

  /// Calls a closure with the UTF-8 bytes of a string attribute; nil when it is null.
  ///
  /// - Precondition: the slot is a string's.
  package func withUTF8<Result>(
    at slot: Int, _ body: (UnsafeRawBufferPointer) throws(RecordError) -> Result
  ) throws(RecordError) -> Result? {
    precondition(withView { $0.field(slot).kind } == .string, "slot \(slot) holds no text")
    return try withView { view throws(RecordError) -> Result? in
      guard !view.isNull(at: slot) else { return nil }
      return try body(try view.variableBytes(at: slot, tails: storage))
    }
  }

  /// Returns the number of an integer attribute of any width; nil when it is null.
  ///
  /// - Precondition: the slot is an integer's.
  package func int64(at slot: Int) -> Int64? {
    withView { view in
      guard !view.isNull(at: slot) else { return nil }
      switch view.field(slot).kind {
      case .integer16: return Int64(view.integer(at: slot, as: Int16.self))
      case .integer32: return Int64(view.integer(at: slot, as: Int32.self))
      case .integer64: return view.integer(at: slot, as: Int64.self)
      default: preconditionFailure("slot \(slot) holds no integer")
      }
    }
  }

  /// Returns the number of a floating-point attribute, or a date's seconds since 2001; nil when null.
  ///
  /// - Precondition: the slot is a double's, a float's or a date's.
  package func double(at slot: Int) -> Double? {
    withView { view in
      guard !view.isNull(at: slot) else { return nil }
      switch view.field(slot).kind {
      case .double, .date: return view.double(at: slot)
      case .float:
        return Double(Float(bitPattern: view.integer(at: slot, as: UInt32.self)))
      default: preconditionFailure("slot \(slot) holds no floating-point number")
      }
    }
  }

  /// Returns the value of a Boolean attribute; nil when it is null.
  ///
  /// - Precondition: the slot is a Boolean's.
  package func bool(at slot: Int) -> Bool? {
    precondition(withView { $0.field(slot).kind } == .boolean, "slot \(slot) holds no Boolean")
    return withView { view in
      view.isNull(at: slot) ? nil : view.integer(at: slot, as: UInt8.self) != 0
    }
  }

  /// Returns the object at the other end of a to-one relationship, or an object ID attribute's value.
  ///
  /// - Precondition: the slot is a to-one relationship's or an object ID attribute's.
  package func reference(at slot: Int) throws(RecordError) -> ManagedObjectID? {
    precondition(withView { $0.field(slot).kind } == .reference, "slot \(slot) holds no reference")
    return try withView { view throws(RecordError) in
      view.isNull(at: slot)
        ? nil : try view.layout.references.objectID(of: view.reference(at: slot))
    }
  }
}

private struct RecordHead {
  let layout: RecordLayout
  let number: UInt64
  let byteCount: Int
}

/// The one allocation of a record: the head, a word with the address of the decompressed tail (0 until
/// there is one), then the record's bytes.
private final class RecordStorage: ManagedBuffer<RecordHead, UInt64>, TailSource {
  static func copying(_ view: RecordView) -> RecordStorage {
    let bytes = view.bytes
    let created = RecordStorage.create(minimumCapacity: 1 + (bytes.count + 7) / 8) { _ in
      RecordHead(layout: view.layout, number: view.number, byteCount: bytes.count)
    }
    created.withUnsafeMutablePointerToElements { words in
      tailAddress(words).initialize(to: Atomic(0))
      UnsafeMutableRawPointer(words + 1).copyMemory(
        from: bytes.baseAddress ?? UnsafeRawPointer(words), byteCount: bytes.count)
    }
    // `create` makes an instance of the class it is called on.
    return unsafeDowncast(created, to: RecordStorage.self)
  }

  private static func tailAddress(
    _ words: UnsafeMutablePointer<UInt64>
  ) -> UnsafeMutablePointer<Atomic<UInt>> {
    // The first word is only ever used as this atomic, whose size and alignment it has.
    UnsafeMutableRawPointer(words).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  deinit {
    withUnsafeMutablePointerToElements { words in
      let address = Self.tailAddress(words).pointee.load(ordering: .acquiring)
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  @inline(__always)
  func withView<Result, Failure: Error>(
    _ body: (RecordView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Head and elements stay in place as long as `self`, which the call keeps alive; the record keeps
    // its layout.
    let (head, words) = withUnsafeMutablePointers { ($0, $1) }
    let bytes = UnsafeRawBufferPointer(start: words + 1, count: head.pointee.byteCount)
    defer { withExtendedLifetime(self) {} }
    return try body(
      RecordView(checked: bytes, of: head.pointee.number, layout: head.pointee.layout))
  }

  /// Checked when the record was copied.
  func tail(of record: RecordView) throws(RecordError) -> UnsafeRawBufferPointer {
    guard record.hasCompressedTail else { return record.storedTail }
    let words = withUnsafeMutablePointerToElements { $0 }
    let address = Self.tailAddress(words)
    let byteCount = record.tailByteCount
    if let known = UnsafeRawPointer(bitPattern: address.pointee.load(ordering: .acquiring)) {
      return UnsafeRawBufferPointer(start: known, count: byteCount)
    }
    let fresh = try Self.decompressedTail(of: record, byteCount)
    let (isFirst, winner) = address.pointee.compareExchange(
      expected: 0, desired: UInt(bitPattern: fresh.baseAddress), ordering: .acquiringAndReleasing)
    guard !isFirst else { return UnsafeRawBufferPointer(fresh) }
    fresh.deallocate()
    return UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: winner), count: byteCount)
  }

  private static func decompressedTail(
    of record: RecordView, _ byteCount: Int
  ) throws(RecordError) -> UnsafeMutableRawBufferPointer {
    guard byteCount <= VariableCoding.byteCountMax else {
      throw .malformed(reason: "a tail of \(byteCount) bytes")
    }
    // One byte at least, so that there is an address to keep.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(byteCount, 1), alignment: 8)
    do throws(RecordError) {
      try record.decompressTail(
        into: UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount]))
    } catch {
      memory.deallocate()
      throw error
    }
    return memory
  }
}
