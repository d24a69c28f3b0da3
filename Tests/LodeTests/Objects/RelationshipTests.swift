import Lode
import LodeTesting
import Testing

@Suite struct RelationshipTests {
  @Test(arguments: StoreKind.allCases)
  func `setting the to-one side fills the to-many side and back`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let fire = try context.insert("Team", ["name": .string("Fire")])
      let player = try context.insert("Player")
      player[toOne: "team"] = crew
      #expect(crew[toMany: "players"] == [player])
      fire[toMany: "players"] = [player]
      #expect(player[toOne: "team"] === fire && crew[toMany: "players"].isEmpty)
      try context.save()
      player[toOne: "team"] = nil
      #expect(fire[toMany: "players"].isEmpty)
      context.rollback()
      #expect(fire[toMany: "players"] == [player] && player[toOne: "team"] === fire)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `saved relationships are there in another context`(_ kind: StoreKind) throws {
    for (aToMany, bToMany, isOrdered) in cardinalities {
      let model = try TestModels.pair(aToMany: aToMany, bToMany: bToMany, isOrdered: isOrdered)
      try kind.withContainer(model) { container in
        let context = container.viewContext
        let a = try context.insert("A", ["name": .string("a")])
        let b = try context.insert("B", ["name": .string("b")])
        relate(a, to: [b])
        #expect(related(a) == ["b"] && related(b) == ["a"])
        try context.save()
        let other = container.newBackgroundContext()
        let (first, second) = (a.objectID, b.objectID)
        other.performAndWait {
          #expect(related(other.object(with: first)) == ["b"])
          #expect(related(other.object(with: second)) == ["a"])
        }
        relate(a, to: [])
        try context.save()
        let third = container.newBackgroundContext()
        third.performAndWait {
          #expect(related(third.object(with: first)) == [])
          #expect(related(third.object(with: second)) == [])
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a to-one partner is let go by both sides`(_ kind: StoreKind) throws {
    let model = try TestModels.pair(aToMany: false, bToMany: false)
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let (a, a2) = (try context.insert("A"), try context.insert("A"))
      let (b, b2) = (try context.insert("B"), try context.insert("B"))
      a[toOne: "b"] = b
      a2[toOne: "b"] = b2
      try context.save()
      a[toOne: "b"] = b2
      #expect(b[toOne: "a"] == nil && a2[toOne: "b"] == nil && b2[toOne: "a"] === a)
      try context.save()
      #expect(try context.count(for: context.request("A", "b == nil")) == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an ordered relationship keeps any order through save and reopen`(_ kind: StoreKind) throws {
    let model = try TestModels.pair(aToMany: true, bToMany: false, isOrdered: true)
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let a = try context.insert("A")
      let members = try ["A", "B", "C", "D"].map { try context.insert("B", ["name": .string($0)]) }
      a[ordered: "b"] = members
      try context.save()
      let newcomer = try context.insert("B", ["name": .string("E")])
      for order in [[3, 0], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]] {
        a[ordered: "b"] = order.map { ($0 < 4 ? members : members + [newcomer])[$0] }
        let names = order.map { "ABCDE".map(String.init)[$0] }
        #expect(a[ordered: "b"].compactMap(\.named) == names)
        try context.save()
        let other = container.newBackgroundContext()
        let objectID = a.objectID
        other.performAndWait {
          #expect(other.object(with: objectID)[ordered: "b"].compactMap(\.named) == names)
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a relation of an entity to itself keeps both directions`(_ kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("boss", to: "Person", inverse: "staff"),
          RelationshipDescription("staff", to: "Person", inverse: "boss", isToMany: true),
          RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true),
        ])
    ])
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let ann = try context.insert("Person", ["name": .string("ann")])
      let bob = try context.insert("Person", ["name": .string("bob")])
      bob[toOne: "boss"] = ann
      ann[toOne: "boss"] = ann
      ann[toMany: "friends"] = [bob, ann]
      try context.save()
      let other = container.newBackgroundContext()
      let (first, second) = (ann.objectID, bob.objectID)
      other.performAndWait {
        let ann = other.object(with: first)
        let bob = other.object(with: second)
        #expect(ann[toMany: "staff"] == [ann, bob] && bob[toMany: "staff"].isEmpty)
        #expect(ann[toMany: "friends"] == [ann, bob] && bob[toMany: "friends"] == [ann])
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a member joins without the others being read`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      for _ in 0..<50 { try context.insert("Player")[toOne: "team"] = crew }
      try context.save()
      let crewID = crew.objectID
      let other = container.newBackgroundContext()
      try other.performAndWait {
        let player = try other.insert("Player")
        player[toOne: "team"] = other.object(with: crewID)
        #expect(other.registeredObjects.count == 2)
        try other.save()
        #expect(other.object(with: crewID)[toMany: "players"].count == 51)
      }
    }
  }

  @Test func `a relationship set by name to something that is no object stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let context = try PersistentContainer(model: TestModels.league()).viewContext
      try context.insert("Player").setValue(.string("Crew"), forKey: "team")
    }
    await #expect(processExitsWith: .failure) {
      let context = try PersistentContainer(model: TestModels.league()).viewContext
      try context.insert("Team").setValue(.list([.integer(1)]), forKey: "players")
    }
  }

  private var cardinalities: [(Bool, Bool, Bool)] {
    [
      (false, false, false), (true, false, false), (false, true, false), (true, true, false),
      (true, false, true), (true, true, true),
    ]
  }
}

/// Relates an object of `TestModels.pair` to others, whatever the cardinality.
func relate(_ object: ManagedObject, to others: [ManagedObject]) {
  let name = object.entity.name == "A" ? "b" : "a"
  let isToMany = object.entity.property(named: name)?.isToMany ?? false
  let value: Value = .list(others.map { .objectID($0.objectID) })
  if isToMany {
    object.setValue(value, forKey: name)
  } else {
    object[toOne: name] = others.first
  }
}

/// Returns the names of the objects that an object of `TestModels.pair` is related to, sorted.
func related(_ object: ManagedObject) -> [String] {
  let name = object.entity.name == "A" ? "b" : "a"
  guard object.entity.property(named: name)?.isToMany ?? false else {
    return [object[toOne: name]?.named].compactMap { $0 }
  }
  return object[toMany: name].compactMap(\.named).sorted()
}
