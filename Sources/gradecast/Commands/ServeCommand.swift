import Configuration
import GradingKit

/// Serves until a signal stops it.
struct ServeCommand: Command {
    static let name = "serve"
    static let summary = "serve the API and the web client"
    static let usage = """
        gradecast serve [--config FILE] [--port N] [--data DIR] [--demo] [--insecure]

        \(ServerConfiguration.optionsUsage)
          --port N        listen on this port; 0 takes a free one
          --demo          open the institution "demo" and print sign-ins for each role
          --insecure      allow plain HTTP on an address that others can reach
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let isDemo = arguments.flag("--demo")
        let isInsecure = arguments.flag("--insecure")
        var configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        try configuration.checkAddress(isInsecure: isInsecure)
        try configuration.settleRosefire(isDemo: isDemo)
        // In a demonstration, every role can be tried at once, without a second factor.
        if isDemo, configuration.administratorsNeedFactor == nil { configuration.administratorsNeedFactor = false }
        try await Service(configuration, isDemo: isDemo, isInsecure: isInsecure).run(until: stop)
    }
}

extension ServerConfiguration {
    /// Gives a demonstration on loopback a stand-in, unless configured otherwise; throws if anything else has one.
    mutating func settleRosefire(isDemo: Bool) throws(Failure) {
        if isDemo, allowsStandIns, rosefire == nil {
            rosefire = .init()
            rosefire?.isStandIn = true
        }
        guard rosefire?.isStandIn != true || isDemo && allowsStandIns else {
            throw Failure(
                """
                Refusing to let a stand-in sign people in: signIn.rosefire.standIn is for --demo on loopback, without \
                listen.proxies.
                """)
        }
    }
}

extension ServerConfiguration.Institution {
    /// The short name of the institution that is created if the configuration names none.
    static let demoSlug = "demo"

    /// Returns the institution of a demonstration: one program for each scheme that brings its own rules, open to
    /// everyone, where each student keeps a record.
    static func demo(_ schemes: SchemeRegistry) -> ServerConfiguration.Institution {
        let titles = [
            "chalkboard": "Four-course GPA", "rose-hulman": "Grade Tracker", "iut": "Licence professionnelle",
        ]
        let programs = schemes.schemes.filter { !$0.isDocument }.map { scheme -> JSON in
            let name = scheme.identifier.text
            return [
                "scheme": .string(name), "title": .string(titles[name] ?? scheme.title(.english)), "entry": "self",
            ]
        }
        return ServerConfiguration.Institution(slug: demoSlug, title: "Demo College", isOpen: true, programs: programs)
    }
}
