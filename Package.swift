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

/// What a development build optimizes, too: the arithmetic and the language of schemes, which most tests spend their time
/// in. Assertions stay.
let fast: [SwiftSetting] = [
    .unsafeFlags(
        [
            "-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "2", "-assert-config", "Debug",
        ],
        .when(configuration: .debug))
]

/// How the released program is linked: the tables through which it calls libraries are filled at its start and cannot be
/// written afterwards. It is position-independent anyway.
let hardened: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"],
        .when(configuration: .release))
]

/// A module of the server: `Sources/<name>` unless its path says otherwise.
func module(
    _ name: String, path: String? = nil, uses: [Target.Dependency] = [], settings: [SwiftSetting] = rules
) -> Target {
    .target(name: name, dependencies: uses, path: path ?? "Sources/\(name)", swiftSettings: settings)
}

/// A module of the plugin interface.
func kit(_ name: String, uses: [Target.Dependency] = []) -> Target {
    module(name, path: "GradingKit/Sources/\(name)", uses: uses, settings: rules + fast)
}

/// A module of `Sources/Platform`: it knows nothing of grades.
func platform(_ name: String, uses: [Target.Dependency] = []) -> Target {
    module(name, path: "Sources/Platform/\(name)", uses: uses)
}

/// A module of `Sources/Domain`: what the server is about, without HTTP and without a database.
func domain(_ name: String, uses: [Target.Dependency] = []) -> Target {
    module(name, path: "Sources/Domain/\(name)", uses: uses)
}

/// The tests of one module: `Tests/<name>Tests`.
func tests(_ name: String, uses: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.target(name: name)] + uses, path: "Tests/\(name)Tests",
        swiftSettings: rules)
}

/// A Debian library with its module map in `Sources/System/<name>`.
func system(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "gradecast",
    targets: [
        // C, fenced: one or two Swift importers each.
        system("CLinux", package: "linux-libc-dev"),
        system("CUring", pkgConfig: "liburing", package: "liburing-dev"),
        system("CPostgreSQL", pkgConfig: "libpq", package: "libpq-dev"),
        system("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        system("COpenSSL", package: "libssl-dev"),
        system("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        system("CArgon2", package: "libargon2-dev"),
        system("CUnistring", package: "libunistring-dev"),
        system("CICU", package: "libicu-dev"),
        system("CQRCode", pkgConfig: "libqrencode", package: "libqrencode-dev"),
        system("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        system("CExpat", pkgConfig: "expat", package: "libexpat1-dev"),
        system("CProfiler", pkgConfig: "libprofiler", package: "libgoogle-perftools-dev"),
        system("CSeccomp", pkgConfig: "libseccomp", package: "libseccomp-dev"),

        // The plugin interface; also a package of its own.
        kit("JSON"),
        kit("Messages", uses: ["JSON"]),
        kit("GradingKit", uses: ["JSON", "Messages"]),
        kit("GradingLaws", uses: ["GradingKit"]),
        kit("Regulations", uses: ["GradingKit"]),
        // Regulations to begin with: the documents are built into the program.
        .target(
            name: "RegulationLibrary", path: "GradingKit/Sources/RegulationLibrary",
            resources: [.embedInCode("Documents")], swiftSettings: rules),
        module("SchemeProcess", path: "GradingKit/Sources/SchemeProcess", uses: ["GradingKit"]),

        // The schemes that ship: they import the kit and nothing else.
        module("Chalkboard", path: "Plugins/Chalkboard", uses: ["GradingKit"]),
        module("RoseHulman", path: "Plugins/RoseHulman", uses: ["GradingKit"]),
        module("IUT", path: "Plugins/IUT", uses: ["GradingKit"]),

        // Engines: they know nothing of grades. HTTP and WebSocket are pure, Threads makes every thread, Transport owns
        // sockets, WebServer joins them.
        platform("Compression", uses: ["CZlib"]),
        platform("Deadlines"),
        platform("Threads", uses: ["CLinux", "Deadlines"]),
        platform("HTTP"),
        platform("WebSocket", uses: ["CZlib", "HTTP"]),
        platform("Transport", uses: ["CLinux", "COpenSSL", "CUring", "Threads"]),
        platform("WebServer", uses: ["HTTP", "WebSocket", "Transport"]),
        platform("PostgreSQL", uses: ["CLinux", "CPostgreSQL", "SQL"]),
        platform("SQL"),
        platform("SQLite", uses: ["CSQLite", "SQL"]),
        platform("Database", uses: ["PostgreSQL", "SQL", "SQLite"]),
        platform("Cryptography", uses: ["COpenSSL", "CArgon2", "CUnistring", "JSON"]),
        platform("QRCode", uses: ["CQRCode"]),
        platform("Forms", uses: ["JSON", "Messages"]),
        platform("Configuration", uses: ["Forms", "HTTP", "JSON", "Messages"]),
        platform("Observability", uses: ["JSON", "Threads"]),
        platform("Profiling", uses: ["CProfiler"]),
        platform("Outbound", uses: ["CCurl", "HTTP", "JSON", "Messages", "Threads"]),
        platform("MIME", uses: ["Cryptography", "HTTP"]),
        platform("XML", uses: ["CExpat"]),
        platform("Spreadsheet", uses: ["Compression"]),
        platform("TimeZones", uses: ["CICU"]),
        platform("SchemeSandbox", uses: ["CLinux", "CSeccomp", "JSON"]),
        platform("SchemeHost", uses: ["CLinux", "Cryptography", "GradingKit", "SchemeSandbox", "Threads"]),

        // Values that every part of the domain uses.
        domain("Shared", uses: ["Cryptography", "Messages"]),

        // The domain: its parts never import each other.
        domain("Accounts", uses: ["Cryptography", "Forms", "GradingKit", "JSON", "Messages", "Shared"]),
        domain("Institutions", uses: ["Cryptography", "Forms", "GradingKit", "Shared", "TimeZones"]),
        domain("Records", uses: ["Cryptography", "Forms", "GradingKit", "Shared"]),
        domain("Classes", uses: ["Cryptography", "GradingKit", "Shared"]),
        domain("People", uses: ["Cryptography", "Forms", "GradingKit", "Shared"]),
        domain("Live", uses: ["JSON", "Shared"]),
        // Where classes and records meet: the one part of the domain above two others.
        domain("Gradebook", uses: ["Classes", "GradingKit", "Records", "Shared"]),

        // Stores: they implement the domain's ports, which a DataStore holds together.
        module(
            "DataStore", path: "Sources/Stores/DataStore",
            uses: [
                "Accounts", "Cryptography", "Gradebook", "GradingKit", "Institutions", "Observability", "People",
                "Records", "Shared",
            ]),
        // The ports over a relational database; beside it what each database needs of its own.
        module(
            "RelationalStore", path: "Sources/Stores/RelationalStore",
            uses: [
                "Accounts", "Classes", "Cryptography", "DataStore", "Database", "Deadlines", "Gradebook", "GradingKit",
                "Institutions", "People", "Records", "Shared", "Threads", "TimeZones",
            ]),
        module(
            "SQLiteStore", path: "Sources/Stores/SQLiteStore",
            uses: ["Cryptography", "DataStore", "Database", "RelationalStore", "SQLite", "Shared", "Threads"]),
        module(
            "PostgresStore", path: "Sources/Stores/PostgresStore",
            uses: [
                "Cryptography", "DataStore", "Database", "PostgreSQL", "RelationalStore", "Shared", "Threads",
            ]),

        // Providers: services outside that vouch for people, behind a port of the domain.
        module(
            "OpenIDConnect", path: "Sources/Providers/OpenIDConnect",
            uses: ["Accounts", "Cryptography", "HTTP", "JSON", "Messages", "Outbound", "Shared"]),
        module(
            "GitHub", path: "Sources/Providers/GitHub",
            uses: ["Accounts", "Cryptography", "JSON", "Messages", "Outbound", "Shared"]),
        module(
            "CAS", path: "Sources/Providers/CAS",
            uses: ["Accounts", "Cryptography", "Messages", "Outbound", "Shared", "XML"]),
        module(
            "Rosefire", path: "Sources/Providers/Rosefire",
            uses: ["Accounts", "Cryptography", "Forms", "JSON", "Messages", "Shared"]),
        // What takes mails, behind a port of the domain.
        module("SMTP", path: "Sources/Providers/SMTP", uses: ["MIME", "Messages", "Outbound", "Shared"]),
        // What takes messages to webhooks, behind a port of the domain.
        module("WebhookSender", path: "Sources/Providers/WebhookSender", uses: ["HTTP", "Institutions", "Outbound"]),

        // Use-cases: they join the parts of the domain, and know neither HTTP nor a store.
        module(
            "Application",
            uses: [
                "Accounts", "Classes", "Cryptography", "Deadlines", "Forms", "Gradebook", "GradingKit", "Institutions",
                "Live", "Observability", "People", "Records", "Shared", "Spreadsheet", "Threads", "TimeZones",
            ]),

        // The API: routes and live endpoints over the use-cases.
        .target(
            name: "API",
            dependencies: [
                "Accounts", "Application", "Classes", "Compression", "Cryptography", "Deadlines", "Forms", "Gradebook",
                "GradingKit", "HTTP", "Institutions", "Live", "Observability", "People", "Profiling", "QRCode",
                "Records", "Shared", "Threads", "Transport", "WebServer", "WebSocket",
            ],
            swiftSettings: rules),

        // The program: command line and composition root.
        .executableTarget(
            name: "gradecast",
            dependencies: [
                "API", "Accounts", "Application", "CAS", "Chalkboard", "Classes", "Configuration", "Cryptography",
                "DataStore", "Deadlines", "Forms", "GitHub", "Gradebook", "GradingKit", "GradingLaws", "HTTP", "IUT",
                "Institutions", "Live", "Observability",
                "OpenIDConnect", "Outbound", "PostgreSQL", "PostgresStore", "Records", "RegulationLibrary",
                "Regulations", "RoseHulman", "Rosefire", "SMTP", "WebhookSender",
                "SQLiteStore",
                "SchemeHost", "SchemeSandbox", "Shared", "Threads", "Transport", "WebServer",
            ], swiftSettings: rules, linkerSettings: hardened),

        // For conformance suites: the codecs with nothing above them.
        .executableTarget(
            name: "EchoServer", dependencies: ["HTTP", "JSON", "Transport", "WebServer", "WebSocket"],
            path: "Tests/EchoServer", exclude: ["autobahn"], swiftSettings: rules),

        // What the exact engine costs; see Benchmarks/README.md.
        .executableTarget(
            name: "KernelBenchmark",
            dependencies: [
                "Chalkboard", "GradingKit", "GradingLaws", "IUT", "Records", "RegulationLibrary", "Regulations",
                "RoseHulman", "Shared",
            ],
            path: "Benchmarks/Kernel", swiftSettings: rules),
        // The web server with next to nothing above it; see there.
        .executableTarget(
            name: "EngineBenchmark", dependencies: ["HTTP", "Transport", "WebServer", "WebSocket"],
            path: "Benchmarks/Engine", swiftSettings: rules),

        // What tests share: helpers, and the laws every store keeps.
        // Several nodes over one database in a deterministic run; see Tests/README.md.
        module("ClusterModel", path: "Tests/ClusterModel", uses: ["JSON", "Live", "Records", "Shared"]),
        .executableTarget(
            name: "Simulate", dependencies: ["ClusterModel"], path: "Tests/Simulate", swiftSettings: rules),
        .testTarget(
            name: "ClusterTests", dependencies: ["ClusterModel"], path: "Tests/ClusterTests", swiftSettings: rules),
        module("TestKit", path: "Tests/TestKit", uses: ["CLinux", "COpenSSL", "Threads"]),
        module("PostgreSQLTestKit", path: "Tests/PostgreSQLTestKit", uses: ["PostgreSQL", "TestKit"]),
        module("SchemeTestKit", path: "Tests/SchemeTestKit", uses: ["GradingKit"]),
        module(
            "StoreContract", path: "Tests/StoreContract",
            uses: [
                "Accounts", "Classes", "Cryptography", "DataStore", "Gradebook", "GradingKit", "Institutions", "People",
                "Records", "RelationalStore", "RoseHulman", "Shared", "TestKit", "TimeZones",
            ]),

        tests("GradingKit", uses: ["SchemeTestKit"]),
        tests("GradingLaws", uses: ["GradingKit", "SchemeTestKit"]),
        tests("Chalkboard", uses: ["GradingKit", "GradingLaws", "SchemeTestKit"]),
        tests("RoseHulman", uses: ["GradingKit", "GradingLaws", "SchemeTestKit"]),
        tests("IUT", uses: ["GradingKit", "GradingLaws", "SchemeTestKit"]),
        tests(
            "Regulations",
            uses: ["GradingKit", "GradingLaws", "IUT", "RegulationLibrary", "RoseHulman", "SchemeTestKit"]),
        .executableTarget(
            name: "SchemeFixture", dependencies: ["Chalkboard", "GradingKit", "IUT", "RoseHulman", "SchemeProcess"],
            path: "Tests/SchemeFixture", swiftSettings: rules),
        // A third party's scheme has a package of its own; here its sources are built for the tests to run.
        .executableTarget(
            name: "German", dependencies: ["GradingKit", "SchemeProcess"],
            path: "GradingKit/Examples/German/Sources/German", swiftSettings: rules),
        .testTarget(
            name: "SchemeHostTests",
            dependencies: [
                "Chalkboard", "German", "GradingKit", "GradingLaws", "IUT", "RoseHulman", "SchemeFixture", "SchemeHost",
                "SchemeTestKit", "TestKit", "gradecast",
            ], path: "Tests/SchemeHostTests", exclude: ["Schemes"], swiftSettings: rules),
        tests("SchemeSandbox", uses: ["TestKit"]),
        tests("Outbound", uses: ["HTTP", "TestKit"]),
        tests("MIME"),
        tests("XML"),
        tests("Compression"),
        tests("Spreadsheet"),
        tests("TimeZones"),
        tests("Threads", uses: ["Deadlines", "TestKit"]),
        tests("HTTP", uses: ["GradingLaws"]),
        tests("WebSocket", uses: ["HTTP"]),
        tests("Transport", uses: ["COpenSSL", "TestKit"]),
        tests("WebServer", uses: ["HTTP", "TestKit", "WebSocket", "Transport"]),
        tests("PostgreSQL", uses: ["PostgreSQLTestKit", "TestKit"]),
        tests("SQLite", uses: ["TestKit"]),
        tests("Database", uses: ["PostgreSQL", "PostgreSQLTestKit", "SQLite", "TestKit"]),
        tests("Shared"),
        tests("Cryptography", uses: ["JSON"]),
        tests("Profiling"),
        tests("QRCode"),
        tests("Forms", uses: ["GradingKit"]),
        tests("Configuration", uses: ["Forms", "GradingKit", "HTTP"]),
        tests("Records", uses: ["Chalkboard", "GradingKit", "IUT", "RoseHulman", "Shared"]),
        tests("Classes", uses: ["GradingKit", "Shared"]),
        tests(
            "Gradebook",
            uses: [
                "Chalkboard", "Classes", "GradingKit", "GradingLaws", "Records", "Regulations", "RoseHulman", "Shared",
            ]),
        tests("Observability", uses: ["TestKit"]),
        tests("Accounts", uses: ["Cryptography", "GradingKit", "OpenIDConnect", "Shared"]),
        tests("Institutions", uses: ["Cryptography", "GradingKit", "Shared"]),
        tests("People", uses: ["Cryptography", "Forms", "GradingKit", "Shared"]),
        tests("Live", uses: ["GradingKit", "Shared"]),
        tests(
            "Application",
            uses: [
                "Accounts", "Chalkboard", "Classes", "Cryptography", "DataStore", "Database", "Deadlines", "Forms",
                "Gradebook", "GradingKit", "GradingLaws", "Institutions", "Live", "Observability", "People", "Records",
                "Regulations", "RoseHulman", "Rosefire", "SQLiteStore", "Shared", "TestKit", "Threads", "TimeZones",
            ]),
        tests(
            "API",
            uses: [
                "Accounts", "Application", "Deadlines", "GradingKit", "HTTP", "Live", "Shared", "TestKit", "Threads",
                "Transport", "WebServer", "WebSocket",
            ]),
        tests(
            "SQLiteStore",
            uses: [
                "Accounts", "Cryptography", "DataStore", "Database", "Deadlines", "GradingKit", "People", "Records",
                "RelationalStore", "SQLite", "Shared", "StoreContract", "TestKit",
            ]),
        tests(
            "PostgresStore",
            uses: [
                "Classes", "Cryptography", "DataStore", "Database", "Gradebook", "JSON", "People", "PostgreSQL",
                "PostgreSQLTestKit", "Records", "RelationalStore", "SchemeTestKit", "Shared", "StoreContract",
                "TestKit",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
