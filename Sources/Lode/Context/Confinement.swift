import Dispatch
import Foundation
import Synchronization

/// The serial queue that a context's work runs on, and the check that it does.
final class Confinement: Sendable {
  enum Kind: Sendable {
    /// For blocks given to `perform`, and for the code that owns the context, on any one thread at a time.
    case main
    /// For blocks given to `perform` alone.
    case privateQueue
  }

  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  let queue: DispatchQueue
  private let kind: Kind
  /// The thread that runs a block of the queue; 0 while none does.
  private let owner = Atomic<UInt>(0)
  private let mergesAutomatically = Atomic(false)

  init(_ kind: Kind, name: String) {
    self.kind = kind
    queue = DispatchQueue(label: "lode.context.\(name)")
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(queue))
  }

  /// Whether merges run on the queue, so that nobody may use the context beside it.
  var isMerging: Bool {
    get { mergesAutomatically.load(ordering: .relaxed) }
    set { mergesAutomatically.store(newValue, ordering: .relaxed) }
  }

  /// Whether the calling thread runs a block of the queue, at once or further up its stack: a block may
  /// wait for another context's block that asks for this context again.
  var isCurrent: Bool {
    DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue)
      || owner.load(ordering: .relaxed) == Self.currentThread
  }

  /// Runs a block; to be called on the queue.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    owner.store(Self.currentThread, ordering: .relaxed)
    defer { owner.store(0, ordering: .relaxed) }
    return try body()
  }

  /// Stops the process when the caller may not use the context now.
  func check(_ name: String) {
    if isCurrent { return }
    if let reason = refusal { fatalError("context “\(name)” \(reason)") }
  }

  private var refusal: String? {
    if kind == .privateQueue {
      return "is used outside of its executor: wrap the call in its perform { … }"
    }
    if isMerging {
      return
        "is used outside of its executor while it merges changes of others automatically: wrap "
        + "the call in its perform { … }"
    }
    if DispatchQueue.getSpecific(key: Self.key) != nil {
      return "is used from another context's executor: wrap the call in its perform { … }"
    }
    if owner.load(ordering: .relaxed) != 0 {
      return "is used directly while a block of its perform runs on another thread: use perform "
        + "everywhere, or nowhere"
    }
    return nil
  }

  private static var currentThread: UInt {
    UInt(bitPattern: ObjectIdentifier(Thread.current))
  }
}
