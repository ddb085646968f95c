import Configuration
import DataStore
import GradingKit
import SchemeHost
import Shared
import Transport

/// Reports everything that would keep a server from starting.
struct CheckCommand: Command {
    static let name = "check"
    static let summary = "look for all that would keep a server from starting"
    static let usage = """
        gradecast check [--config FILE] [--port N] [--data DIR] [--demo] [--insecure]
        gradecast check --schema
        gradecast check --reference

        Takes what serve takes, and says at once everything that would keep it from starting: the configuration, the
        address, the certificate, key files, the database, the schemes and the programs that use them. It changes
        nothing; exit status 0 when nothing is wrong. --schema prints a JSON Schema (2020-12) of the configuration instead,
        --reference what each of its keys means, in Markdown.

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let (wantsSchema, wantsReference) = (arguments.flag("--schema"), arguments.flag("--reference"))
        if wantsSchema || wantsReference {
            try arguments.finish()
            let reference = ConfigurationReference(knowing: Installation.vocabulary)
            return Console.say(wantsSchema ? reference.schema.text : reference.page)
        }
        let isDemo = arguments.flag("--demo")
        let isInsecure = arguments.flag("--insecure")
        var findings: [String] = []
        let configuration = try ServerConfiguration.load(&arguments, noting: &findings)
        try arguments.finish()
        let inspection = Inspection(
            of: configuration, knowing: findings, isDemo: isDemo, isInsecure: isInsecure)
        for remark in inspection.remarks { Console.say(remark) }
        guard inspection.findings.isEmpty else { throw Failure(inspection.findings.joined(separator: "\n")) }
        Console.say("A server would start with this.")
    }
}

/// Replaces the database with a backup. This starts a new epoch, so that every client drops what it holds.
struct RestoreCommand: Command {
    static let name = "restore"
    static let summary = "put a backup in the database's place (the server must be stopped)"
    static let usage = """
        gradecast restore FILE [--config FILE] [--data DIR]

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        guard let file = arguments.word() else { throw UsageError("restore needs a backup to read.", of: name) }
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        try Files.makeFolder(configuration.dataFolder)
        let stores = Installation.stores(configuration)
        do {
            try stores.restore(from: file) { done, total in
                Console.progress("restore", done, of: total)
            }
        } catch let error as StoreError {
            throw Failure("\(file): \(error.explanation)")
        }
        Console.say("Restored \(stores.place) from \(file). Versions start a new epoch.")
        Console.say(
            """
            Everybody has to sign in again; invitations and links in mails have ended. API tokens, secrets of service \
            accounts, passwords, second factors, recovery codes and disabled accounts are those of the backup: what \
            was ended, used or changed since has to be ended or changed again.
            """)
        let keys = KeyFile(configuration)
        // A store that cannot be examined yet, such as one in an older format, is examined when it is served.
        if let fault = try? keys.fault() { Console.complain("\(fault)\n\(keys.advice)") }
    }
}

/// Examines the database: the file itself, the audit chains, whether every version has its change, and whether records
/// agree with the rows of classes. Also reports records computed by executables that the configuration does not run,
/// and a key other than the one that the passwords need. Neither is a fault of the database: copies are examined
/// without their key and their schemes.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "examine the database and its audit trails"
    static let usage = """
        gradecast doctor [--config FILE] [--data DIR] [--json]

        \(ServerConfiguration.optionsUsage)
          --json          answer as JSON
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let asJSON = arguments.flag("--json")
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        let examined = try Examination(of: Installation.stores(configuration))
        let (diagnosis, faults) = (examined.diagnosis, examined.faults)
        let builds = try Builds(configuration)
        let keys = KeyFile(configuration)
        let mismatch = try keys.fault()
        if asJSON {
            let json: JSON = [
                "sound": .bool(faults.isEmpty), "records": .number(String(diagnosis.records)),
                "lines": .number(String(diagnosis.lines)), "faults": .array(faults.map { .string($0) }),
                "executables": builds.json, "keys": mismatch.map { .string($0) } ?? .null,
            ]
            Console.say(json.text)
        } else {
            Console.say("\(diagnosis.records) records, \(diagnosis.lines) lines of audit trail")
            for fault in faults { Console.say("  " + fault) }
            for line in builds.lines { Console.say(line) }
            Console.say(faults.isEmpty ? "Sound." : "Not sound.")
            if let mismatch { Console.say("But a server would not serve it so: \(mismatch)\n\(keys.advice)") }
        }
        guard faults.isEmpty else {
            throw Failure("The database has \(faults.count == 1 ? "a fault" : "\(faults.count) faults").")
        }
    }
}

/// What an examination of a store has found.
struct Examination {
    let diagnosis: Diagnosis
    /// The faults in words.
    let faults: [String]

    init(of stores: any DataStoreFactory) throws {
        do {
            diagnosis = try stores.examine()
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
        faults =
            diagnosis.fileFaults + diagnosis.trailFaults.map { "\($0.trail) \($0.number): \($0.kind.rawValue)" }
            + diagnosis.indexFaults.map { "search index, \($0): differs" }
            + (try LinkReview(of: Installation.builtin, over: stores).findings)
    }
}

/// The executables that computed the records of a store, compared with those that the configuration runs.
private struct Builds {
    private let tallies: [BuildTally]
    private let digests: Set<String>

    init(_ configuration: ServerConfiguration) throws {
        let stores = Installation.stores(configuration)
        do {
            tallies = try stores.builds()?.tallies() ?? []
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
        let programs = configuration.plugins.compactMap { plugin in
            if case .run(let path, _) = plugin { path } else { nil }
        }
        digests = Set(programs.compactMap { ExecutableDigest.ofFile($0) })
    }

    private func isStale(_ tally: BuildTally) -> Bool { !digests.contains(tally.executable.digest) }

    var lines: [String] {
        tallies.filter(isStale).map { tally in
            "\(tally.records) records of \(tally.scheme) are stale: another executable than the configured one has computed "
                + "them (\(tally.executable.name))."
        }
    }

    var json: JSON {
        .array(
            tallies.map { tally in
                var item: JSONObject = ["scheme": .string(tally.scheme)]
                for member in tally.executable.json.object ?? [:] { item[member.name] = member.value }
                item["records"] = .number(String(tally.records))
                item["stale"] = .bool(isStale(tally))
                return .object(item)
            })
    }
}

/// Prints the version of the program.
struct VersionCommand: Command {
    static let name = "version"
    static let summary = "print the version"
    static let usage = "gradecast version"

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        try arguments.finish()
        Console.say(Program.version)
    }
}
