public import Foundation

/// The store part of an object's identity: a store's UUID, as a small number.
public struct StoreIdentifier: Hashable, Sendable {
  private static let uuids = InternTable<UUID>()

  private let number: UInt32

  /// Makes the identifier of the store with this UUID; equal UUIDs give equal identifiers.
  public init(_ uuid: UUID) { number = Self.uuids.number(for: uuid) }

  init?(known uuid: UUID) {
    guard let number = Self.uuids.existingNumber(for: uuid) else { return nil }
    self.number = number
  }

  /// The store's UUID, which is written in the store and survives moving its files.
  public var uuid: UUID { Self.uuids[number] }
}

/// The name part of an object's identity: an entity's name, as a small number.
public struct EntityName: Hashable, Sendable {
  private static let names = InternTable<String>()

  private let number: UInt32

  /// Makes the short form of a name; equal names give equal forms.
  public init(_ name: String) { number = Self.names.number(for: name) }

  init?(known name: String) {
    guard let number = Self.names.existingNumber(for: name) else { return nil }
    self.number = number
  }

  /// The name.
  public var string: String { Self.names[number] }
}

/// The permanent identity of a managed object: its store, its entity and its number in the store.
///
/// An ID is permanent from the moment its object is created and never changes or comes back. It is 16
/// bytes of plain bits: copying, comparing and hashing allocate nothing.
public struct ManagedObjectID: Hashable, Sendable {
  /// The largest object number of a store.
  public static let numberMax: UInt64 = (1 << 48) - 1

  /// The store that the object belongs to.
  public let store: StoreIdentifier
  /// The entity of the object.
  public let entityName: EntityName

  /// The object's number, 1 to `numberMax`, unique among all entities of its store.
  public let number: UInt64

  /// Makes an ID of its parts; applications get IDs from contexts and coordinators.
  public init(store: StoreIdentifier, entityName: EntityName, number: UInt64) {
    precondition(
      (1...Self.numberMax).contains(number), "an object number is 1 to 2^48 - 1, not \(number)")
    self.store = store
    self.entityName = entityName
    self.number = number
  }

  /// Always false: Lode gives permanent IDs at creation.
  public var isTemporaryID: Bool { false }

  /// Hashes the number alone: it is unique in its store, and few programs mix stores in one table.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  public static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.store == right.store
      && left.entityName == right.entityName
  }
}

extension ManagedObjectID: Comparable {
  /// Orders by object number, which is the order of creation within a store.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension ManagedObjectID: CustomStringConvertible {
  /// `x-lode://<store UUID>/<entity>/<number>`, the form of `uriRepresentation`.
  public var description: String {
    "x-lode://\(store.uuid.uuidString)/\(entityName.string)/\(number)"
  }

  /// Reads what `description` wrote, of a store and an entity that this process has met.
  ///
  /// Answers nil for any other text: what nobody has met has no objects here, and text from outside must
  /// not fill the process's tables.
  package init?(knownText text: String) {
    let scheme = "x-lode://"
    guard text.hasPrefix(scheme) else { return nil }
    let parts = text.dropFirst(scheme.count)
    guard let first = parts.firstIndex(of: "/"), let last = parts.lastIndex(of: "/"), first < last,
      let uuid = UUID(uuidString: String(parts[..<first])),
      let store = StoreIdentifier(known: uuid),
      let name = EntityName(known: String(parts[parts.index(after: first)..<last])),
      let number = UInt64(parts[parts.index(after: last)...]), (1...Self.numberMax).contains(number)
    else { return nil }
    self.init(store: store, entityName: name, number: number)
  }

  /// The ID as a URI, for keeping outside the store; `PersistentStoreCoordinator` reads it back.
  public var uriRepresentation: URL? { URL(string: description) }
}

extension ManagedObjectID: Codable {
  /// Reads the text of an ID, whose store must be open, or have been, in this process.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let objectID = Self(knownText: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "this is no ID of an object in a store that was opened here")
    }
    self = objectID
  }

  /// Writes the text that `description` has.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
