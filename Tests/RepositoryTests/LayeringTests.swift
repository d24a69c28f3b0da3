import Testing

/// The arrows of `docs/architecture.md`: which module may import which, and the order of folders inside
/// each. A file names types of its own folder and of those listed before it.
struct LayeringTests {
  @Test func `a module imports only modules below it`() throws {
    var findings: [Finding] = []
    for file in try Repository.swiftFiles(in: "Sources") {
      guard let allowed = modulesBelow[file.target] else {
        findings.append(file.finding(line: 1, "\(file.target) is not in the list of modules"))
        continue
      }
      for imported in file.imports where modulesBelow[imported.name] != nil {
        guard !allowed.contains(imported.name) else { continue }
        findings.append(
          file.finding(line: imported.line, "\(file.target) must not import \(imported.name)"))
      }
    }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `C libraries and POSIX are called from their own folders only`() throws {
    var findings: [Finding] = []
    for file in try Repository.swiftFiles(in: "Sources") {
      let place = [file.target, file.folder].compactMap(\.self).joined(separator: "/")
      for imported in file.imports {
        guard let places = foldersCallingC[imported.name], !places.contains(place) else { continue }
        findings.append(
          file.finding(line: imported.line, "\(imported.name) is imported only in \(places)"))
      }
    }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `every folder of a target has its place in the order`() throws {
    var findings: [Finding] = []
    for file in try Repository.swiftFiles(in: "Sources") {
      guard let folder = file.folder else { continue }
      if !(folderOrder[file.target] ?? []).contains(folder) {
        findings.append(
          file.finding(line: 1, "\(file.target)/\(folder) is not in the order of folders"))
      }
    }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `a file names types of its own folder and lower ones only`() throws {
    let files = Dictionary(grouping: try Repository.swiftFiles(in: "Sources"), by: \.target)
    let findings = files.values.flatMap(upwardReferences(in:)).sorted { $0.path < $1.path }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `the check sees an upward reference`() {
    let low = SwiftFile(
      path: "Sources/LodeKV/Bytes/Low.swift", text: "struct Low { var high: High }  // High\n")
    let high = SwiftFile(
      path: "Sources/LodeKV/Journal/High.swift", text: "struct High { var low: Low }\n")
    let findings = upwardReferences(in: [low, high])
    #expect(findings.map(\.path) == [low.path])
    #expect(findings.map(\.line) == [1])
  }

  @Test func `a name of its own does not count as an upward reference`() {
    let low = SwiftFile(
      path: "Sources/LodeKV/Bytes/Low.swift",
      text: "struct Low<High> { var high: High }\nlet text = \"High\"\nlet member = Other.High\n")
    let high = SwiftFile(path: "Sources/LodeKV/Journal/High.swift", text: "struct High {}\n")
    #expect(upwardReferences(in: [low, high]).isEmpty)
  }
}

/// Uses, in one target's files, of types that a higher folder declares. A file that lies in the target's
/// own folder stands above all folders.
private func upwardReferences(in files: [SwiftFile]) -> [Finding] {
  func rank(_ file: SwiftFile) -> Int {
    let order = folderOrder[file.target] ?? []
    return file.folder.flatMap(order.firstIndex(of:)) ?? order.count
  }

  var ranks: [String: Int] = [:]
  for file in files {
    for type in file.topLevelTypes where !type.isPrivate { ranks[type.name] = rank(file) }
  }
  return files.flatMap { file in
    let own = file.declaredNames
    return file.tokens.compactMap { token -> Finding? in
      guard let other = ranks[token.text], other > rank(file) else { return nil }
      guard !token.followsDot, !own.contains(token.text) else { return nil }
      return file.finding(line: token.line, "\(token.text) belongs to a higher folder")
    }
  }
}

/// For each module, those it may import. System modules are not listed: everybody may use them, apart
/// from those in `foldersCallingC`.
private let modulesBelow: [String: Set<String>] = [
  "CChecksum": [],
  "CLMDB": [],
  "CZstd": [],
  "LodeKV": ["CChecksum", "CLMDB", "CZstd"],
  "LodeModel": [],
  "LodeStore": ["LodeKV", "LodeModel"],
  "Lode": ["LodeKV", "LodeModel", "LodeStore"],
  "LodeMapping": ["Lode", "LodeModel", "LodeStore"],
  "LodeMacros": ["Lode", "LodeModel", "LodeStore"],
  "LodeMacrosPlugin": [],
  "LodeTool": ["Lode", "LodeMacros", "LodeMapping", "LodeModel", "LodeStore"],
  "LodeCommand": ["LodeTool"],
]

/// The only folders that may import a C library or the C library of the system.
private let foldersCallingC: [String: Set<String>] = [
  "CChecksum": ["LodeKV/Bytes"],
  "CLMDB": ["LodeKV/LMDB"],
  "CZstd": ["LodeKV/Bytes"],
  "Glibc": memoryAndFiles,
  "Musl": memoryAndFiles,
]

/// Where memory is compared and copied by hand, files are used, or a terminal is asked.
private let memoryAndFiles: Set = [
  "LodeKV/Bytes", "LodeKV/Files", "LodeKV/LMDB", "LodeKV/Memory", "LodeKV/Journal",
  "LodeStore/Records", "LodeTool",
]

/// The folders of each target, lowest first.
private let folderOrder: [String: [String]] = [
  "LodeKV": ["Bytes", "Files", "Contract", "LMDB", "Memory", "Journal"],
  "LodeModel": [
    "Values", "Schema", "Predicates", "Matching", "Evaluation", "Binding", "Formats", "Lowering",
    "ModelFiles",
  ],
  "LodeStore": [
    "Records", "Keys", "Contract", "Catalogue", "Planning", "Execution", "Writing", "Stores",
    "Maintenance",
  ],
  "Lode": [
    "Objects", "Coordinator", "Context", "Fetching", "Saving", "Results", "Migration", "Container",
  ],
  "LodeTool": ["Console", "Stores", "Squads", "League"],
]
