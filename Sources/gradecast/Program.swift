import Glibc
import SchemeSandbox

/// The program's entry point: runs the command, and turns its outcome into an exit status.
@main
enum Program {
    static func main() {
        // The launcher must leave its namespaces before the process has a second thread.
        if CommandLine.arguments.dropFirst().first == LaunchPlan.command {
            SchemeLauncher.run(CommandLine.arguments.dropFirst(2).first)
        }
        // A peer that goes away makes one write fail, and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let stop = StopSignal()
        Task.detached {
            await start(until: stop)
            exit(0)
        }
        stop.deliver()
    }

    private static func start(until stop: StopSignal) async {
        var arguments = Arguments(CommandLine.arguments.dropFirst())
        do {
            try await run(&arguments, until: stop)
        } catch let usage as UsageError {
            Console.complain("\(usage.message)\nTry: gradecast \(usage.command.map { $0 + " " } ?? "")--help")
            exit(64)
        } catch let failure as Failure {
            Console.complain(failure.message)
            exit(failure.status.rawValue)
        } catch {
            Console.complain("\(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        guard let name = arguments.word() else {
            if arguments.flag("--help") { return Console.say(usage) }
            if arguments.flag("--version") { return Console.say(version) }
            throw UsageError("A command is missing.")
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            throw UsageError("There is no command \(name).")
        }
        if arguments.flag("--help") { return Console.say(command.usage) }
        try await command.run(&arguments, until: stop)
    }

    static let version = "0.1.0"

    private static var commands: [any Command.Type] {
        [
            ServeCommand.self, CheckCommand.self, AccountCommand.self, BackupCommand.self, RestoreCommand.self,
            MigrateCommand.self, CopyStoreCommand.self, SchemeCommand.self, RegulationCommand.self, DoctorCommand.self,
            TopCommand.self, ReadyCommand.self, VersionCommand.self,
        ]
    }

    private static var usage: String {
        let lines = commands.map { "  \($0.name.padded(to: 12))\($0.summary)" }
        return "gradecast: a live grade server\n\n" + lines.joined(separator: "\n")
            + "\n\nEach command explains itself with --help."
    }
}

/// One command of the program.
protocol Command {
    static var name: String { get }
    /// One line on what it does.
    static var summary: String { get }
    /// The text for `--help`.
    static var usage: String { get }
    /// Does the command's work. A command that runs indefinitely stops cleanly when `stop` reports a signal.
    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws
}

/// The error of a wrong command line: exit status 64.
struct UsageError: Error {
    let message: String
    var command: String?

    init(_ message: String, of command: String? = nil) {
        self.message = message
        self.command = command
    }
}

/// The error of a command that could not do its work.
struct Failure: Error, CustomStringConvertible {
    /// The exit status, from which the caller learns the reason; its numbers never change.
    enum Status: Int32 {
        /// Any other reason; see the message.
        case general = 1
        /// The key file is missing or belongs to another store: starting again would not help.
        case keysMissing = 78
        /// The database was replaced or recovered while it was served: starting again helps.
        case storeReplaced = 75
    }

    let message: String
    let status: Status

    var description: String { message }

    init(_ message: String, status: Status = .general) {
        self.message = message
        self.status = status
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
