// Other processes of tests: the crash probe, run, read from, and killed.

import Foundation
import Testing

/// A running crash probe.
///
/// Unchecked because one thread uses it at a time.
package final class Probe: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var bytes = Data()

  /// Starts the probe in one of its modes.
  package init(_ arguments: String...) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("LodeCrashProbe")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Waits until it has written some lines, or ended.
  package func waitForLines(_ count: Int) {
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return }
      bytes += more
    }
  }

  /// Kills the process and returns everything that it had acknowledged.
  package func killAndRead() throws -> [(thread: Int, number: Int)] {
    kill(process.processIdentifier, SIGKILL)
    return try readToEnd()
  }

  /// Waits for the end of the process and returns everything that it had acknowledged.
  package func readToEnd() throws -> [(thread: Int, number: Int)] {
    bytes += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ").compactMap { Int($0) }
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
  }

  /// Whether the process was killed, by itself or others.
  package var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

  /// Stops and continues the process.
  package func pause() { kill(process.processIdentifier, SIGSTOP) }
  package func resume() { kill(process.processIdentifier, SIGCONT) }

  /// Ends its input, which ends a probe that holds.
  package func finish() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
