import Lode
import LodeTesting
import Testing

@Suite struct MergingTests {
  @Test(arguments: StoreKind.allCases)
  func `unsaved links to what others delete are dropped by the merge`(_ kind: StoreKind) throws {
    let model = try TestModels.pair(aToMany: true, bToMany: false)
    try kind.withContainer(model) { container in
      let mine = container.viewContext
      let (a, b) = (try mine.insert("A"), try mine.insert("B"))
      try mine.save()
      b[toOne: "a"] = a
      try work(in: container, mergingInto: mine) { other in
        other.delete(try other.existingObject(with: a.objectID))
      }
      #expect(b[toOne: "a"] == nil && !mine.hasChanges)
      #expect(try mine.count(for: mine.request("B", "a == nil")) == 1)
      try mine.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `members that others delete are gone from what was joined here`(_ kind: StoreKind) throws {
    for isOrdered in [false, true] {
      let model = try TestModels.pair(aToMany: true, bToMany: true, isOrdered: isOrdered)
      try kind.withContainer(model) { container in
        let mine = container.viewContext
        let a = try mine.insert("A")
        let bID = try { try mine.insert("B", ["name": .string("b")]).objectID }()
        try mine.save()
        relate(a, to: [mine.object(with: bID)])
        #expect(related(a) == ["b"])
        try work(in: container, mergingInto: mine) { other in
          other.delete(try other.existingObject(with: bID))
        }
        #expect(related(a) == [])
        a["name"] = "changed"
        try mine.save()
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an order changed on a fault is saved, and conflicts when somebody changed it`(
    _ kind: StoreKind
  ) throws {
    let model = try TestModels.pair(aToMany: true, bToMany: false, isOrdered: true)
    try kind.withContainer(model) { container in
      let seed = container.newBackgroundContext()
      let (aID, firstID, secondID) = try seed.performAndWait {
        let a = try seed.insert("A")
        let (first, second) = (try seed.insert("B"), try seed.insert("B"))
        a[ordered: "b"] = [first]
        try seed.save()
        return (a.objectID, first.objectID, second.objectID)
      }
      let mine = container.viewContext
      mine.object(with: secondID)[toOne: "a"] = mine.object(with: aID)
      try mine.save()
      #expect(mine.object(with: aID)[ordered: "b"].map(\.objectID) == [firstID, secondID])
      try mine.refresh(mine.object(with: aID), mergeChanges: false)
      let a = mine.object(with: aID)
      a[ordered: "b"] = a[ordered: "b"].reversed()
      try work(in: container, mergingInto: nil) { other in
        other.object(with: aID)[ordered: "b"] = []
      }
      let error = try #require(throws: MergeConflictError.self) { try mine.save() }
      #expect(error.conflictingIDs.contains(aID))
    }
  }

  /// One side was read before another context linked the two, the other side after.
  @Test(arguments: StoreKind.allCases)
  func `both sides of a link agree though they were read at different times`(_ kind: StoreKind)
    throws
  {
    for isOrdered in [false, true] {
      let model = try bothOrdered(isOrdered)
      try kind.withContainer(model) { container in
        let mine = container.viewContext
        let (a, b) = (try mine.insert("A", ["name": .string("a")]), try mine.insert("B"))
        try mine.save()
        let (aID, bID) = (a.objectID, b.objectID)
        try mine.refreshAllObjects()
        #expect(a[ordered: "b"].isEmpty)
        try work(in: container, mergingInto: nil) { other in
          other.object(with: bID).setValue(.list([.objectID(aID)]), forKey: "a")
        }
        a[ordered: "b"] = [b]
        try work(in: container, mergingInto: nil) { other in
          other.object(with: bID).setValue(.list([]), forKey: "a")
        }
        do {
          try mine.save()
        } catch is MergeConflictError {
          try mine.refreshAllObjects()
          #expect(a[ordered: "b"] == [b] && related(b) == ["a"])
          try mine.save()
        }
        let fresh = container.newBackgroundContext()
        fresh.performAndWait {
          #expect(fresh.object(with: aID)[ordered: "b"].map(\.objectID) == [bID])
          #expect(related(fresh.object(with: bID)) == ["a"])
        }
      }
    }
  }

  @Test func `notices of saves come to whoever merges by hand`() async throws {
    let container = try PersistentContainer(model: TestModels.league())
    var notices = container.coordinator.saveNotices.makeAsyncIterator()
    let teamID = try savedTeam(in: container, named: "Crew")
    let team = try container.viewContext.existingObject(with: teamID)
    try work(in: container, mergingInto: nil) { other in
      other.object(with: teamID)["name"] = "Fire"
    }
    for _ in 0..<2 {
      try container.viewContext.mergeChanges(from: try #require(await notices.next()))
    }
    #expect(team.named == "Fire")
  }

  private func bothOrdered(_ isOrdered: Bool) throws -> ManagedObjectModel {
    try TestModels.pair(
      RelationshipDescription("b", to: "B", inverse: "a", isToMany: true, isOrdered: true),
      RelationshipDescription("a", to: "A", inverse: "b", isToMany: true, isOrdered: isOrdered))
  }

  /// Does work in another context, saves it, and merges the notice.
  private func work(
    in container: PersistentContainer, mergingInto context: ManagedObjectContext?,
    _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    let saves = NoticeRecorder()
    container.coordinator.saveListeners.add(saves)
    let other = container.newBackgroundContext()
    try other.performAndWait {
      try body(other)
      try other.save()
    }
    for notice in saves.notices { try context?.mergeChanges(from: notice) }
  }
}
