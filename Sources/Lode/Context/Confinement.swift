import Dispatch

/// The serial queue that a context's work runs on, and the check that it does.
struct Confinement: Sendable {
  enum Kind: Sendable {
    /// For the code that owns the context, on any one thread at a time.
    case main
    /// For blocks given to `perform` alone.
    case privateQueue
  }

  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  let kind: Kind
  let queue: DispatchQueue

  init(_ kind: Kind, name: String) {
    self.kind = kind
    queue = DispatchQueue(label: "lode.context.\(name)")
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(queue))
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue) }

  /// Stops a debug build that uses a context from somewhere else than its executor.
  func check(_ name: String) {
    #if DEBUG
      let current = DispatchQueue.getSpecific(key: Self.key)
      let isAllowed = current == ObjectIdentifier(queue) || (kind == .main && current == nil)
      precondition(
        isAllowed,
        "context “\(name)” is used outside of its executor: wrap the call in its perform { … }")
    #endif
  }
}
