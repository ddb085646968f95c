// swift-tools-version: 6.2
import PackageDescription

/// The interface for grading schemes, for those who bring one of their own. The server compiles the same sources.
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
        .library(name: "Regulations", targets: ["Regulations"]),
        .library(name: "RegulationLibrary", targets: ["RegulationLibrary"]),
        .library(name: "SchemeProcess", targets: ["SchemeProcess"]),
    ],
    targets: [
        .target(name: "JSON", swiftSettings: rules),
        .target(name: "Messages", dependencies: ["JSON"], swiftSettings: rules),
        .target(name: "GradingKit", dependencies: ["JSON", "Messages"], swiftSettings: rules),
        .target(name: "GradingLaws", dependencies: ["GradingKit"], swiftSettings: rules),
        .target(name: "Regulations", dependencies: ["GradingKit"], swiftSettings: rules),
        .target(name: "RegulationLibrary", resources: [.embedInCode("Documents")], swiftSettings: rules),
        .target(name: "SchemeProcess", dependencies: ["GradingKit"], swiftSettings: rules),
    ],
    swiftLanguageModes: [.v6]
)
