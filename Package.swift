// swift-tools-version: 6.3
import CompilerPluginSupport
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

// Macros are expanded by a program of their own, built with swift-syntax: the one that the toolchain has
// beside its compiler, or the package where LODE_SWIFT_SYNTAX_PACKAGE=1 is set. See
// docs/decisions/0001-swift-syntax-of-the-toolchain.md.
let usesSyntaxPackage =
  ProcessInfo.processInfo.environment["LODE_SWIFT_SYNTAX_PACKAGE"] == "1"

/// The toolchain's folder of swift-syntax, told by where the library lies that this manifest itself has
/// loaded; `PATH` would lead to a version switcher's stand-in for the compiler. Read line by line, since
/// the kernel makes this file up anew for each read, which reading it whole does not survive every time.
let syntaxFolder: String = {
  let ending = "/pm/ManifestAPI/libPackageDescription.so"
  guard let maps = fopen("/proc/self/maps", "r") else { return "" }
  defer { fclose(maps) }
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  defer { free(line) }
  while getline(&line, &capacity, maps) > 0, let text = line.map({ String(cString: $0) }) {
    let path = text.drop { $0 != "/" }.dropLast()
    if path.hasSuffix(ending) { return path.dropLast(ending.count) + "/host" }
  }
  return ""
}()

let syntaxModules = [
  "SwiftBasicFormat", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
  "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros",
]
let syntaxDependencies: [Target.Dependency] =
  usesSyntaxPackage
  ? (syntaxModules + ["SwiftCompilerPlugin"]).map { .product(name: $0, package: "swift-syntax") }
  : []
let syntaxSettings: [SwiftSetting] =
  usesSyntaxPackage ? strict : strict + [.unsafeFlags(["-I", syntaxFolder])]
let syntaxLinking: [LinkerSetting] =
  usesSyntaxPackage
  ? []
  : [.unsafeFlags(["-L", syntaxFolder, "-Xlinker", "-rpath", "-Xlinker", syntaxFolder])]
    + (syntaxModules + ["SwiftCompilerPluginMessageHandling"]).map { .linkedLibrary($0) }

let package = Package(
  name: "lode",
  products: [
    .library(name: "Lode", targets: ["Lode", "LodeMacros"]),
    .library(name: "LodeEngine", targets: ["Lode"]),
    .executable(name: "lode", targets: ["LodeCommand"]),
  ],
  dependencies: usesSyntaxPackage
    ? [.package(url: "https://github.com/swiftlang/swift-syntax.git", "603.0.0"..<"604.0.0")] : [],
  targets: [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),

    .target(name: "CChecksum"),
    .target(
      name: "LodeKV", dependencies: ["CChecksum", "CLMDB", "CZstd"], swiftSettings: strict),
    .executableTarget(
      name: "LodeCrashProbe", dependencies: ["LodeKV"], path: "Tests/LodeCrashProbe",
      swiftSettings: strict),
    .target(name: "LodeRandom", path: "Tests/LodeRandom", swiftSettings: strict),
    .target(
      name: "LodeKVTesting", dependencies: ["LodeKV", "LodeRandom", "LodeCrashProbe"],
      path: "Tests/LodeKVTesting", swiftSettings: strict),
    .testTarget(
      name: "LodeKVTests", dependencies: ["LodeKV", "LodeKVTesting", "LodeRandom"],
      swiftSettings: strict),
    .testTarget(
      name: "LodeSimulationTests", dependencies: ["LodeKV", "LodeKVTesting", "LodeRandom"],
      swiftSettings: strict),
    .target(name: "LodeModel", swiftSettings: strict),
    .target(name: "LodeStore", dependencies: ["LodeKV", "LodeModel"], swiftSettings: strict),
    .executableTarget(
      name: "LodeFlipProbe", dependencies: ["LodeModel", "LodeStore"], path: "Tests/LodeFlipProbe",
      swiftSettings: strict),
    .testTarget(
      name: "LodeStoreTests",
      dependencies: ["LodeKV", "LodeModel", "LodeRandom", "LodeStore", "LodeFlipProbe"],
      swiftSettings: strict),
    .target(name: "Lode", dependencies: ["LodeStore", "LodeModel"], swiftSettings: strict),
    .target(
      name: "LodeTesting", dependencies: ["Lode"], path: "Tests/LodeTesting",
      swiftSettings: strict),
    .executableTarget(
      name: "LodeCrashWriter", dependencies: ["Lode", "LodeTesting"],
      path: "Tests/LodeCrashWriter", swiftSettings: strict),
    .testTarget(
      name: "LodeTests",
      dependencies: ["Lode", "LodeCases", "LodeRandom", "LodeTesting", "LodeCrashWriter"],
      swiftSettings: strict),

    .macro(
      name: "LodeMacrosPlugin", dependencies: syntaxDependencies, swiftSettings: syntaxSettings,
      linkerSettings: syntaxLinking),
    .target(
      name: "LodeMacros", dependencies: ["Lode", "LodeMacrosPlugin"], swiftSettings: strict),
    .testTarget(
      name: "LodeMacrosTests",
      dependencies: ["LodeMacros", "LodeMacrosPlugin"] + syntaxDependencies,
      swiftSettings: syntaxSettings, linkerSettings: syntaxLinking),

    .target(
      name: "LodeTool", dependencies: ["LodeMacros"],
      resources: [.copy("Resources/squads.tsv")], swiftSettings: strict),
    .executableTarget(name: "LodeCommand", dependencies: ["LodeTool"], swiftSettings: strict),
    .testTarget(
      name: "LodeToolTests", dependencies: ["LodeTool", "LodeMacros"], swiftSettings: strict),

    .testTarget(name: "RepositoryTests", swiftSettings: strict),
    // SQLite is asked the same questions by tests; nothing else needs it.
    .systemLibrary(
      name: "CSQLite", path: "Tests/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .testTarget(
      name: "LodeOracleTests", dependencies: ["CSQLite", "Lode", "LodeRandom", "LodeTesting"],
      swiftSettings: strict),

    .target(
      name: "LodeCases", dependencies: ["LodeModel"], path: "Tests/LodeCases",
      swiftSettings: strict),
    .testTarget(
      name: "LodeModelTests", dependencies: ["LodeModel", "LodeCases", "LodeRandom"],
      swiftSettings: strict),
  ]
)
