// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "lode",
  products: [],
  targets: [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),

    .target(name: "LodeKV", dependencies: ["CLMDB", "CZstd"], swiftSettings: strict),
    .testTarget(name: "LodeKVTests", dependencies: ["LodeKV"], swiftSettings: strict),
    .target(name: "LodeModel", swiftSettings: strict),
    .target(name: "LodeStore", dependencies: ["LodeKV", "LodeModel"], swiftSettings: strict),
    .testTarget(
      name: "LodeStoreTests", dependencies: ["LodeKV", "LodeModel", "LodeStore"],
      swiftSettings: strict),

    .testTarget(name: "RepositoryTests", swiftSettings: strict),
    .testTarget(name: "LodeModelTests", dependencies: ["LodeModel"], swiftSettings: strict),
  ]
)
