import Foundation

/// Time a piece of work took.
enum MeasuredTime {
  /// Processor time of all threads of this process, user and system together, in microseconds. It repeats
  /// within a few percent whatever else the machine does.
  static func processor(_ body: () throws -> Void) rethrows -> Double {
    try microseconds(of: CLOCK_PROCESS_CPUTIME_ID, body)
  }

  /// Time on the wall in microseconds, for work that waits for the disk.
  static func wall(_ body: () throws -> Void) rethrows -> Double {
    try microseconds(of: CLOCK_MONOTONIC, body)
  }

  private static func microseconds(
    of clock: clockid_t, _ body: () throws -> Void
  ) rethrows -> Double {
    let start = now(clock)
    try body()
    return now(clock) - start
  }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}

/// What the disk and the process can tell.
enum MeasuredSpace {
  /// The blocks allocated to all files in a folder, in bytes.
  static func allocatedByteCount(of folder: String) throws -> Int {
    guard let walk = FileManager.default.enumerator(atPath: folder) else { return 0 }
    var total = 0
    while let path = walk.nextObject() as? String {
      var facts = stat()
      guard stat(folder + "/" + path, &facts) == 0 else { continue }
      total += Int(facts.st_blocks) * 512
    }
    return total
  }

  /// The most memory this process ever held, in bytes; touched pages of mapped files count.
  static var peakByteCount: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) * 1_024
  }
}

/// How long the disk takes to make 4 KiB at the end of a file durable: the floor under a durable commit.
enum DiskProbe {
  /// The median of 50 appends in microseconds.
  static func appendMicroseconds(in folder: String) throws -> Double {
    let path = folder + "/probe"
    let file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0o600)
    guard file >= 0 else { throw PeerError(description: "cannot write to \(folder)") }
    defer {
      close(file)
      unlink(path)
    }
    let block = [UInt8](repeating: 7, count: 4_096)
    let times = (0..<50).map { _ in
      MeasuredTime.wall {
        _ = write(file, block, block.count)
        fdatasync(file)
      }
    }
    return Spread(times).median
  }
}
