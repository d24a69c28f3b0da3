import Foundation
import Testing

/// What can be checked of the documents and scripts: that they point at things which exist, and speak of
/// no machine but the reader's.
struct DocumentTests {
  @Test func `every relative link leads somewhere`() throws {
    var findings: [Finding] = []
    for path in documents {
      let folder = Repository.root.appending(path: path).deletingLastPathComponent()
      for (line, target) in try links(in: path)
      where !target.contains("://") && !target.hasPrefix("#") {
        let file = folder.appending(path: String(target.prefix { $0 != "#" }))
        if !FileManager.default.fileExists(atPath: file.path) {
          findings.append(Finding(path: path, line: line, message: "no \(target)"))
        }
      }
    }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `the reading order names every page`() throws {
    let order = try links(in: "docs/README.md").map(\.target)
    let pages = documents.filter { $0.hasPrefix("docs/") && $0 != "docs/README.md" }
      .map { String($0.dropFirst("docs/".count)) }
    let missing = pages.filter { !order.contains($0) && !$0.hasPrefix("decisions/") }
    #expect(missing.isEmpty, "not in docs/README.md: \(missing)")
  }

  @Test func `decision notes are numbered without gap and have all their parts`() throws {
    let notes = Repository.files(in: "docs/decisions").filter { !$0.hasSuffix("README.md") }
    var findings: [Finding] = []
    for (index, path) in notes.enumerated() {
      let name = path.split(separator: "/").last ?? ""
      let digits = String(index + 1)
      let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      if !name.hasPrefix(number + "-") {
        findings.append(Finding(path: path, line: 1, message: "expected number \(number)"))
      }
      let lines = try Repository.text(of: path).split(separator: "\n").map(String.init)
      for part in partsOfANote where !lines.contains("## " + part) {
        findings.append(Finding(path: path, line: 1, message: "no part '\(part)'"))
      }
    }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `no file names a folder of somebody's machine`() throws {
    let folders = ["home", "work", "root", "Users", "mnt"].map { "/" + $0 + "/" }
    let findings = try writtenFiles().flatMap { path in
      try lines(of: path).compactMap { number, line -> Finding? in
        guard let folder = folders.first(where: { isAbsolute($0, in: line) }) else { return nil }
        return Finding(path: path, line: number, message: folder)
      }
    }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `addresses lead to known public places only`() throws {
    let scheme = try Regex("https?://([A-Za-z0-9.:-]+)", as: (Substring, Substring).self)
    let findings = try writtenFiles().flatMap { path in
      try lines(of: path).flatMap { number, line in
        line.matches(of: scheme).map { String($0.output.1) }
          .filter { !knownHosts.contains($0) }
          .map { Finding(path: path, line: number, message: $0) }
      }
    }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  private var documents: [String] {
    Repository.files().filter { $0.hasSuffix(".md") }
  }

  /// Files that people write: not data, and not this file, which holds the patterns.
  private func writtenFiles() throws -> [String] {
    Repository.files().filter { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let suffix = name.split(separator: ".").last.map(String.init) ?? ""
      return !name.contains(".") || ["swift", "md", "c", "h", "modulemap", "run"].contains(suffix)
    }
  }

  private func lines(of path: String) throws -> [(number: Int, text: String)] {
    try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated().map { ($0.offset + 1, String($0.element)) }
  }

  private func links(in path: String) throws -> [(line: Int, target: String)] {
    let link = try Regex("\\]\\(([^)\\s]+)\\)", as: (Substring, Substring).self)
    return try lines(of: path).flatMap { number, text in
      text.matches(of: link).map { (number, String($0.output.1)) }
    }
  }

  /// Whether the folder stands at the start of a path, and not inside a longer one.
  private func isAbsolute(_ folder: String, in line: String) -> Bool {
    line.ranges(of: folder).contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && !"._-})".contains(before)
    }
  }
}

private let partsOfANote = [
  "Problem", "Requirements", "Decision", "Alternatives", "Tests", "What would change it",
]

private let knownHosts: Set = [
  "www.apache.org", "www.swift.org", "github.com", "creativecommons.org", "www.openldap.org",
  "facebook.github.io", "www.sqlite.org", "en.wikipedia.org",
]
