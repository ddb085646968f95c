import Configuration
import GradingKit
import API

/// Lists and describes schemes, begins a new one, and checks one against the laws.
struct SchemeCommand: Command {
    static let name = "scheme"
    static let summary = "list and describe schemes, begin one, check one against the laws"
    static let usage = """
        gradecast scheme list [--json]
        gradecast scheme describe SCHEME
        gradecast scheme new NAME [--kit DIR]
        gradecast scheme lint PROGRAM [--seed N] [--count N] [--memory MIB]
                                    [--reads DIR] [--sandbox full|none]

        new writes a package with a small scheme to begin with, built against the kit in DIR.

        lint runs the laws of grading over a built scheme, under its defaults and each of its presets, and explains
        each law that is broken. It judges --count records for each preset (200), drawn from --seed (1): the same seed
        draws the same records. The scheme gets 1024 MiB of address space, or as much as --memory says.

        It is confined as under the server: beside its own folder and the system's programs and libraries it can read
        DIR alone. --sandbox none gives it your rights.

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let verb = arguments.word()
        let scheme = arguments.word()
        switch (verb, scheme) {
        case ("new", let name?): return try begin(name, &arguments)
        case ("lint", let program?):
            return try lint(program, &arguments)
        default: break
        }
        let asJSON = arguments.flag("--json")
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        let (schemes, _) = try Installation.schemes(configuration)
        switch (verb, scheme) {
        case ("list", nil): list(schemes, asJSON: asJSON)
        case ("describe", let name?):
            guard let scheme = schemes[SchemeIdentifier(name)] else { throw Failure("There is no scheme \(name).") }
            Console.say(String(decoding: scheme.description, as: UTF8.self))
        default:
            throw UsageError(
                "scheme takes list, describe with a scheme, new with a name, lint with a program.", of: name)
        }
    }

    private static func lint(_ program: String, _ arguments: inout Arguments) throws {
        let memory = try arguments.option("--memory") ?? "1024"
        let seed = try arguments.option("--seed") ?? "1"
        let count = try arguments.option("--count") ?? "200"
        let reads = try arguments.option("--reads").map { [$0] } ?? []
        let sandbox = try arguments.option("--sandbox") ?? "full"
        try arguments.finish()
        guard ["full", "none"].contains(sandbox) else { throw UsageError("--sandbox takes full or none.", of: name) }
        guard let memory = Int(memory), ServerConfiguration.ProcessLimits.memory.contains(memory) else {
            throw UsageError("--memory takes 16 to 16777216 MiB.", of: name)
        }
        guard let seed = UInt64(seed) else { throw UsageError("--seed takes a whole number from 0.", of: name) }
        guard let count = Int(count), (1...1_000_000).contains(count) else {
            throw UsageError("--count takes 1 to 1000000 records.", of: name)
        }
        try SchemeLint(
            program: program, memory: memory, seed: seed, count: count, isConfined: sandbox == "full", reads: reads
        ).run()
    }

    private static func begin(_ name: String, _ arguments: inout Arguments) throws {
        let template = try SchemeTemplate(name: name, kit: try arguments.option("--kit"))
        try arguments.finish()
        try template.write()
        Console.say(
            """
            \(name) is a scheme to begin with. Next:
              swift build -c release --static-swift-stdlib --package-path \(name)
              gradecast scheme lint \(name)/.build/release/\(name)
            and name it in config.json: {"plugins": [{"run": "\(name)/.build/release/\(name)"}]}
            """)
    }

    private static func list(_ schemes: SchemeRegistry, asJSON: Bool) {
        if asJSON {
            Console.say(JSON.array(schemes.schemes.map(\.item)).text)
        } else {
            for scheme in schemes.schemes {
                let build = scheme.executable.map { " (\($0.name))" } ?? ""
                Console.say("\(scheme.identifier.text.padded(to: 16))\(scheme.title(.english))\(build)")
            }
        }
    }
}
