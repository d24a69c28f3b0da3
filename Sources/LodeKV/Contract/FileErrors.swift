// How errors of the file seam become errors of the engine.

extension EngineError {
  /// Tells a full disk, after which things may get better, from every other refusal.
  init(_ error: FileError) {
    self =
      error.isDiskFull
      ? .diskFull(path: error.path)
      : .file(path: error.path, operation: error.operation, errno: error.errno)
  }

  /// Runs file operations and turns their errors into the engine's.
  static func rethrowing<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(EngineError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw EngineError(error)
    }
  }
}
