import Configuration
import DataStore
import Shared

/// Copies the store from a file into the configured PostgreSQL database, or from there into a new file.
struct CopyStoreCommand: Command {
    static let name = "copy-store"
    static let summary = "copy a file into a database of PostgreSQL, or back (servers must be stopped)"
    static let usage = """
        gradecast copy-store --from FILE | --to FILE [--config FILE]

        The configuration names the database (store.postgresql). --from copies a file into it, which must have the tables
        that gradecast migrate makes and nothing in them; --to copies it into a new file. All of it is copied and checked,
        or nothing. What is copied stays as it is: serve only one of the two from then on.

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let (from, to) = (try arguments.option("--from"), try arguments.option("--to"))
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        guard let file = from ?? to, from == nil || to == nil else {
            throw UsageError("copy-store needs --from FILE or --to FILE.", of: name)
        }
        guard let database = configuration.postgreSQL else {
            throw Failure("The configuration names no database of PostgreSQL (store.postgresql).")
        }
        let (places, rows) = try Installation.copyStore(database, file: file, intoFile: to != nil) { done, total in
            Console.progress("copy", done, of: total)
        }
        Console.say("Copied \(places.from) to \(places.to): \(rows) rows, checked. Versions start a new epoch.")
    }
}
