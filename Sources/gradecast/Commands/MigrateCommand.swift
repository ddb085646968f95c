import Configuration
import DataStore
import Shared

/// Creates or upgrades the tables of a store. A server does that itself with a file, but never with a PostgreSQL
/// database.
struct MigrateCommand: Command {
    static let name = "migrate"
    static let summary = "make the tables of a database, or bring them up to date"
    static let usage = """
        gradecast migrate [--config FILE] [--data DIR]

        The server must be stopped. A database of PostgreSQL needs this before its first start and after an upgrade that
        changes the tables; serve refuses it until then. A file is brought up to date when it is served. Take a backup
        first: there is no way back.

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        let stores = Installation.stores(configuration)
        if configuration.postgreSQL == nil { try Files.makeFolder(configuration.dataFolder) }
        let steps: [String]
        do {
            steps = try stores.migrate()
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
        for step in steps { Console.say("  " + step) }
        Console.say(
            steps.isEmpty
                ? "\(stores.place) is up to date."
                : "\(stores.place): \(steps.count == 1 ? "one step" : "\(steps.count) steps"), now up to date.")
    }
}
