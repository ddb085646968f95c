import Configuration
import GradingKit

/// What schemes are installed, and what they say of themselves.
struct SchemeCommand: Command {
    static let name = "scheme"
    static let summary = "list or describe the installed schemes"
    static let usage = """
        gradecast scheme list [--json]
        gradecast scheme describe SCHEME

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let verb = arguments.word()
        let scheme = arguments.word()
        let asJSON = arguments.flag("--json")
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        let schemes = try Installation.schemes(configuration.plugins)
        switch (verb, scheme) {
        case ("list", nil): list(schemes, asJSON: asJSON)
        case ("describe", let name?):
            guard let scheme = schemes[SchemeIdentifier(name)] else { throw Failure("There is no scheme \(name).") }
            Console.say(String(decoding: scheme.description, as: UTF8.self))
        default: throw UsageError("scheme takes list, or describe and a scheme.", of: name)
        }
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
