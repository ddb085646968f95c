// swift-tools-version: 6.2
import PackageDescription

/// A grading scheme of a third party: an executable that knows the kit and nothing else of the server.
let package = Package(
    name: "German",
    dependencies: [.package(path: "../..")],
    targets: [
        .executableTarget(
            name: "German",
            dependencies: [
                .product(name: "GradingKit", package: "GradingKit"),
                .product(name: "SchemeProcess", package: "GradingKit"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
