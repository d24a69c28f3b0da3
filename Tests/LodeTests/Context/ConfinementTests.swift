import Foundation
import Lode
import LodeTesting
import Testing

@Suite struct ConfinementTests {
  @Test func `objects may be let go on any thread while their context works`() async throws {
    let container = try PersistentContainer(model: TestModels.league())
    let context = container.newBackgroundContext()
    try await context.perform {
      for number in 0..<200 {
        try context.insert("Team", ["name": .string("\(number)")])
      }
      try context.save()
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        let smuggled = try? await context.perform { Smuggled(try context.fetch("Team")) }
        group.addTask { smuggled?.objects = [] }
      }
    }
    #expect(context.performAndWait { context.registeredObjects.count } == 0)
  }

  @Test func `a block may wait for a child's block that asks for its context again`() throws {
    let container = try PersistentContainer(model: TestModels.league())
    let parent = container.newBackgroundContext(name: "parent")
    try parent.performAndWait {
      try parent.insert("Team", ["name": .string("Crew")])
      let child = ManagedObjectContext(parent: parent)
      let names = try child.performAndWait { try child.fetch("Team").map(\.named) }
      #expect(names == ["Crew"])
      let count = try child.performAndWait {
        try parent.performAndWait { try parent.count(for: parent.request("Team")) }
      }
      #expect(count == 1)
    }
  }

  @Test func `blocks of two contexts may be nested in any order on one thread`() throws {
    let container = try PersistentContainer(model: TestModels.league())
    let first = container.newBackgroundContext(name: "first")
    let second = container.newBackgroundContext(name: "second")
    let depth = try first.performAndWait {
      try second.performAndWait {
        try first.performAndWait {
          try first.insert("Team", ["name": .string("Crew")])
          return try second.performAndWait { try second.count(for: second.request("Team")) }
        }
      }
    }
    #expect(depth == 0 && first.performAndWait { first.insertedObjects.count } == 1)
  }

  #if DEBUG
    @Test func `a value read outside of the executor stops the process`() async {
      let stop = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let container = try PersistentContainer(model: TestModels.league())
        let context = container.newBackgroundContext()
        let held = try context.performAndWait { Smuggled([try context.insert("Team")]) }
        _ = held.objects.first?.named
      }
      #expect(stop.says("context “background” is used outside of its executor"))
    }
  #endif

  @Test func `the sets of objects are as confined as fetches`() async {
    let stop = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try PersistentContainer(model: TestModels.league())
      _ = container.newBackgroundContext().hasChanges
    }
    #expect(stop.says("context “background” is used outside of its executor"))
  }

  @Test func `a view context that merges by itself is not for direct use`() async {
    let stop = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try PersistentContainer(model: TestModels.league())
      container.viewContext.automaticallyMergesChangesFromParent = true
      _ = try container.viewContext.fetch("Team")
    }
    #expect(stop.says("context “view” is used outside of its executor while it merges"))
  }

  @Test func `direct use beside a running block stops the process`() async {
    let stop = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let view = try PersistentContainer(model: TestModels.league()).viewContext
      let started = DispatchSemaphore(value: 0)
      let goOn = DispatchSemaphore(value: 0)
      Task.detached {
        try await view.perform {
          started.signal()
          goOn.wait()
        }
      }
      started.wait()
      _ = try view.fetch("Team")
    }
    #expect(stop.says("context “view” is used directly while a block of its perform runs"))
  }

  @Test func `the view context is not for the blocks of another one`() async {
    let stop = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try PersistentContainer(model: TestModels.league())
      _ = try await container.performBackgroundTask { _ in
        try container.viewContext.fetch("Team").count
      }
    }
    #expect(stop.says("context “view” is used from another context's executor"))
  }
}

/// Objects on their way to another thread, which the compiler would keep from it.
private final class Smuggled: @unchecked Sendable {
  // Sendable is untrue for what is done with the objects, and that is what the tests are about.
  var objects: [ManagedObject]

  init(_ objects: [ManagedObject]) { self.objects = objects }
}

extension ExitTest.Result? {
  /// Tells whether the process that was stopped gave a reason.
  fileprivate func says(_ reason: String) -> Bool {
    String(decoding: self?.standardErrorContent ?? [], as: UTF8.self).contains(reason)
  }
}
