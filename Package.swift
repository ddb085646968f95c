// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every Swift target: language mode 6, the upcoming features that make
/// module edges explicit, and warnings as errors.
let rules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// A module of the server: `Sources/<name>` unless its path says otherwise.
func module(_ name: String, path: String? = nil, uses: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: uses, path: path ?? "Sources/\(name)", swiftSettings: rules)
}

/// The tests of one module: `Tests/<name>Tests`.
func tests(_ name: String, uses: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.target(name: name)] + uses, path: "Tests/\(name)Tests",
        swiftSettings: rules)
}

/// A Debian library with its module map in `Sources/<name>`.
func system(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "gradecast",
    targets: [
        // C, fenced: one or two Swift importers each.
        system("CLinux", package: "linux-libc-dev"),

        // The plugin interface; also a package of its own.
        module("GradingKit", path: "GradingKit/Sources/GradingKit"),

        // Engines: HTTP and WebSocket are pure, Transport owns sockets and threads, WebServer joins them.
        module("HTTP"),
        module("WebSocket", uses: ["HTTP"]),
        module("Transport", uses: ["CLinux"]),
        module("WebServer", uses: ["HTTP", "WebSocket", "Transport"]),

        // Shared values of the stores and rooms.
        module("Storage"),

        // Rooms: they never import each other.
        module("Records", uses: ["GradingKit", "Storage"]),

        tests("GradingKit"),
        tests("HTTP"),
        tests("WebSocket", uses: ["HTTP"]),
        tests("Transport"),
        tests("WebServer", uses: ["HTTP", "WebSocket", "Transport"]),
    ],
    swiftLanguageModes: [.v6]
)
