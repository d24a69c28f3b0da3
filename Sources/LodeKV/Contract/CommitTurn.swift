// The one thing that a commit's closure may not do: wait for a turn of its own, which would come
// after the turn that waits for it.

/// Which engine's commit a thread is carrying out.
///
/// It remembers the innermost one: a closure that commits to another engine, whose closure comes
/// back to the first, is not noticed.
enum CommitTurn {
  private static let engineAddress = ThreadNumber()

  /// Stops a closure that would wait for itself.
  static func checkMayWait(for engine: AnyObject) {
    precondition(
      engineAddress.current != address(of: engine),
      "inside a commit's closure, return the changes in its write list instead of committing "
        + "or asking for a checkpoint or figures")
  }

  /// Runs what carries out a commit of an engine.
  static func run<Result, Failure: Error>(
    for engine: AnyObject, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    checkMayWait(for: engine)
    let outer = engineAddress.current
    engineAddress.current = address(of: engine)
    defer { engineAddress.current = outer }
    return try body()
  }

  private static func address(of engine: AnyObject) -> Int {
    Int(bitPattern: Unmanaged.passUnretained(engine).toOpaque())
  }
}
