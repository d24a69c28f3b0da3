// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "lode-benchmarks",
  products: [.executable(name: "lode-bench", targets: ["LodeBench"])],
  dependencies: [.package(name: "lode", path: "..")],
  targets: [
    .target(
      name: "CPeers",
      cxxSettings: [.unsafeFlags(["-Wall", "-Wextra"])],
      linkerSettings: [.linkedLibrary("lmdb"), .linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "LodeBench", dependencies: ["CPeers", .product(name: "Lode", package: "lode")],
      swiftSettings: strict),
    .testTarget(name: "LodeBenchTests", dependencies: ["LodeBench"], swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
