public import LodeModel

/// What a save asks of one store: rows to add, to change and to remove, and links to make and break.
///
/// A store carries out all of it or nothing. To-one relationships are values of their rows. Members of
/// unordered to-many relationships whose inverse is a to-one follow from those values and are never
/// listed here; every other to-many relationship changes by `links` and `orderedLinks` alone.
public struct ChangeSet: Sendable {
  /// A new row: its values by slot, `.null` at to-many and transient slots.
  public struct Insert: Sendable {
    /// The new row's ID.
    public var objectID: ManagedObjectID
    /// The values by slot, one for each property.
    public var values: [Value]

    /// Makes an insert.
    public init(objectID: ManagedObjectID, values: [Value]) {
      self.objectID = objectID
      self.values = values
    }
  }

  /// New values for some slots of a row that has not changed since `baseVersion`.
  public struct Update: Sendable {
    /// The row's ID.
    public var objectID: ManagedObjectID
    /// The version that the change was made on.
    public var baseVersion: UInt32
    /// The new values of the slots that change.
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
    /// The row's ID.
    public var objectID: ManagedObjectID
    /// The version that the deletion was decided on.
    public var baseVersion: UInt32

    /// Makes a delete.
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
    /// The row whose relationship changes.
    public var owner: ManagedObjectID
    /// The slot of the relationship in the owner's entity.
    public var slot: Int
    /// Members that join.
    public var added: [ManagedObjectID]
    /// Members that leave.
    public var removed: [ManagedObjectID]

    /// Makes a link change.
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
    /// The row whose relationship changes.
    public var owner: ManagedObjectID
    /// The slot of the relationship in the owner's entity.
    public var slot: Int
    /// All members, each once.
    public var members: [ManagedObjectID]

    /// Makes an ordered link change.
    public init(owner: ManagedObjectID, slot: Int, members: [ManagedObjectID]) {
      self.owner = owner
      self.slot = slot
      self.members = members
    }
  }

  /// Rows to add.
  public var inserts: [Insert] = []
  /// Rows to change.
  public var updates: [Update] = []
  /// Rows to remove.
  public var deletes: [Delete] = []
  /// Unordered relationships that change by themselves.
  public var links: [Link] = []
  /// Ordered relationships that change.
  public var orderedLinks: [OrderedLink] = []
  /// What has happened to the changes when the commit returns; nil for what the store was opened with.
  public var durability: Durability?

  /// Makes an empty change set.
  public init() {}

  /// Whether there is nothing to do.
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

  /// Makes a receipt.
  public init(sequence: UInt64, rows: [ObjectRow]) {
    self.sequence = sequence
    self.rows = rows
  }
}
