import Configuration
import GradingKit

/// What schemes are installed, and what they say of themselves.
struct SchemeCommand: Command {
    static let name = "scheme"
    static let summary = "list and describe schemes, begin one, check one against the laws"
    static let usage = """
        gradecast scheme list [--json]
        gradecast scheme describe SCHEME
        gradecast scheme new NAME [--kit DIR]
        gradecast scheme lint PROGRAM [--memory MIB]

        new writes a package with a small scheme to begin with, built against the kit in DIR; lint runs the laws of
        grading over a built one, within 1024 MiB of address space or as much as --memory says, and says what each
        broken one means.

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let verb = arguments.word()
        let scheme = arguments.word()
        switch (verb, scheme) {
        case ("new", let name?): return try begin(name, &arguments)
        case ("lint", let program?):
            let memory = try arguments.option("--memory") ?? "1024"
            try arguments.finish()
            guard let memory = Int(memory), ServerConfiguration.ProcessLimits.memory.contains(memory) else {
                throw UsageError("--memory takes 16 to 16777216 MiB.", of: name)
            }
            return try SchemeLint(program: program, memory: memory).run()
        default: break
        }
        let asJSON = arguments.flag("--json")
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        let schemes = try Installation.schemes(configuration.plugins)
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
            let items = schemes.schemes.map { scheme -> JSON in
                ["id": .string(scheme.identifier.text), "title": scheme.title.json]
            }
            Console.say(JSON.array(items).text)
        } else {
            for scheme in schemes.schemes {
                Console.say("\(scheme.identifier.text.padded(to: 16))\(scheme.title(.english))")
            }
        }
    }
}
