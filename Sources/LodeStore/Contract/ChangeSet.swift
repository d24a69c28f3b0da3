public import LodeModel

/// What a save asks of one store: rows to add, to change and to remove, and links to make and break.
///
/// A store carries out all of it or nothing. To-one relationships are values of their rows. Members of
/// unordered to-many relationships whose inverse is a to-one follow from those values and are never
/// listed here; every other to-many relationship changes by `links` and `orderedLinks` alone.
public struct ChangeSet: Sendable {
  /// A new row: its values by slot, `.null` at to-many and transient slots.
  public struct Insert: Sendable {
    public var objectID: ManagedObjectID
    public var values: [Value]

    public init(objectID: ManagedObjectID, values: [Value]) {
      self.objectID = objectID
      self.values = values
    }
  }

  /// New values for some slots of a row that has not changed since `baseVersion`.
  public struct Update: Sendable {
    public var objectID: ManagedObjectID
    public var baseVersion: UInt32
    public var values: [(slot: Int, value: Value)]

    /// - Parameter values: what changes; empty when only the row's version shall advance, as it does
    ///   when links of the row change.
    public init(
      objectID: ManagedObjectID, baseVersion: UInt32, values: [(slot: Int, value: Value)]
    ) {
      self.objectID = objectID
      self.baseVersion = baseVersion
      self.values = values
    }
  }

  /// A row to remove that has not changed since `baseVersion`, with the links of its own to-many
  /// relationships; links of others to it stay unless `links` names them.
  public struct Delete: Sendable {
    public var objectID: ManagedObjectID
    public var baseVersion: UInt32

    public init(objectID: ManagedObjectID, baseVersion: UInt32) {
      self.objectID = objectID
      self.baseVersion = baseVersion
    }
  }

  /// Members to add to and to remove from one unordered to-many relationship of one row.
  ///
  /// When the inverse is a to-many as well, the store keeps both directions: a pair is listed from
  /// one side only, or from both alike.
  public struct Link: Sendable {
    public var owner: ManagedObjectID
    public var slot: Int
    public var added: [ManagedObjectID]
    public var removed: [ManagedObjectID]

    public init(
      owner: ManagedObjectID, slot: Int, added: [ManagedObjectID], removed: [ManagedObjectID]
    ) {
      self.owner = owner
      self.slot = slot
      self.added = added
      self.removed = removed
    }
  }

  /// All members of one ordered to-many relationship of one row, in their order.
  ///
  /// When the inverse is an unordered to-many, the store keeps it in step; an ordered inverse is listed
  /// by itself.
  public struct OrderedLink: Sendable {
    public var owner: ManagedObjectID
    public var slot: Int
    public var members: [ManagedObjectID]

    public init(owner: ManagedObjectID, slot: Int, members: [ManagedObjectID]) {
      self.owner = owner
      self.slot = slot
      self.members = members
    }
  }

  public var inserts: [Insert] = []
  public var updates: [Update] = []
  public var deletes: [Delete] = []
  public var links: [Link] = []
  public var orderedLinks: [OrderedLink] = []

  public init() {}

  public var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && links.isEmpty && orderedLinks.isEmpty
  }
}

/// What a store answers to a change set that it carried out.
public struct CommitReceipt: Sendable {
  /// The store's sequence number of the commit; grows by one a commit.
  public var sequence: UInt64

  /// The rows as they are now: those of `inserts`, then those of `updates`, in their order.
  public var rows: [ObjectRow]

  public init(sequence: UInt64, rows: [ObjectRow]) {
    self.sequence = sequence
    self.rows = rows
  }
}
