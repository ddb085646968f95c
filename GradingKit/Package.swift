// swift-tools-version: 6.2
import PackageDescription

/// The rules by which Gradecast compiles the same folder.
let rules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "GradingKit",
    products: [
        .library(name: "GradingKit", targets: ["GradingKit"]),
        .library(name: "GradingLaws", targets: ["GradingLaws"]),
    ],
    targets: [
        .target(name: "GradingKit", swiftSettings: rules),
        .target(name: "GradingLaws", dependencies: ["GradingKit"], swiftSettings: rules),
    ],
    swiftLanguageModes: [.v6]
)
