import Testing

/// Rules of `docs/style.md` that a scan can see. Each has a limit that only ever falls.
struct TidyTests {
  @Test func `no file is longer than 500 lines`() throws {
    let long = try allSwiftFiles().filter { $0.lines.count > 501 }
    expectAtMost(0, long.map { $0.finding(line: $0.lines.count, "look for the seam") })
  }

  @Test func `no function is longer than 70 lines`() throws {
    let findings = try allSwiftFiles().flatMap { file in
      file.functions.filter { $0.lineCount > 70 }.map { function in
        file.finding(line: function.line, "\(function.name) has \(function.lineCount) lines")
      }
    }
    expectAtMost(0, findings)
  }

  @Test func `no work is left for later in comments`() throws {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
    let findings = try allSwiftFiles().flatMap { file in
      file.comments.enumerated().compactMap { index, comment -> Finding? in
        let words = comment.split { !$0.isLetter }.map(String.init)
        guard words.contains(where: marks.contains) else { return nil }
        return file.finding(line: index + 1, "an issue, or a sentence under Limits")
      }
    }
    expectAtMost(0, findings)
  }

  @Test func `nothing is unwrapped, cast or tried by force`() throws {
    let findings = try allSwiftFiles().flatMap { file in
      zip(file.tokens, file.tokens.dropFirst()).enumerated().compactMap { index, pair -> Finding? in
        let (before, mark) = pair
        guard mark.text == "!", mark.isAttached, before.endsAnOperand else { return nil }
        let after = index + 2 < file.tokens.count ? file.tokens[index + 2] : nil
        if let after, after.text == "=", after.isAttached { return nil }
        return file.finding(line: mark.line, "\(before.text)!")
      }
    }
    expectAtMost(0, findings)
  }

  @Test func `what the compiler cannot check says why it holds`() throws {
    let findings = try Repository.swiftFiles(in: "Sources").flatMap { file in
      file.tokens.indices.compactMap { index -> Finding? in
        let token = file.tokens[index]
        guard uncheckedWords.contains(token.text) else { return nil }
        guard !file.hasComment(nearLine: token.line) else { return nil }
        return file.finding(line: token.line, "\(token.text) without its sentence")
      }
    }
    expectAtMost(0, findings)
  }

  @Test func `only the command prints`() throws {
    let files = try Repository.swiftFiles(in: "Sources").filter { $0.target != "LodeTool" }
    let findings = files.flatMap { file in
      zip(file.tokens, file.tokens.dropFirst()).compactMap { word, next -> Finding? in
        guard printingWords.contains(word.text), !word.followsDot, next.text == "(" else {
          return nil
        }
        return file.finding(line: word.line, "\(word.text) in a library")
      }
    }
    expectAtMost(0, findings)
  }

  @Test func `every declaration that others see has a doc comment`() throws {
    let findings = try Repository.swiftFiles(in: "Sources").flatMap { file in
      file.exportedDeclarationLines.filter { !file.hasDocComment(aboveLine: $0) }.map { line in
        file.finding(line: line, file.lines[line - 1].trimmingSpaces)
      }
    }
    expectAtMost(0, findings)
  }

  @Test func `no file is a drawer for leftovers`() throws {
    let drawers = ["Util", "Helper", "Manager", "Support", "Misc", "+"]
    let findings = try allSwiftFiles().filter { file in
      let name = file.path.split(separator: "/").last ?? ""
      return drawers.contains { name.contains($0) }
    }
    expectAtMost(0, findings.map { $0.finding(line: 1, "name the one subject") })
  }

  private func allSwiftFiles() throws -> [SwiftFile] {
    try Repository.folders.flatMap(Repository.swiftFiles(in:))
  }
}

private let uncheckedWords: Set = [
  "unchecked", "unsafe", "unsafeBitCast", "unsafeDowncast", "unsafelyUnwrapped",
]
private let printingWords: Set = ["print", "debugPrint", "dump"]

extension SwiftFile.Token {
  /// Whether a mark attached behind this token works on a value: a word or a closing bracket.
  fileprivate var endsAnOperand: Bool {
    guard let last = text.last else { return false }
    return last.isLetter || last.isNumber || "_)]}>?".contains(last)
  }
}
