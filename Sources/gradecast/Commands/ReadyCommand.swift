import Glibc
import GradingKit
import Observability
import Outbound

/// Says whether a running server is ready: the health check of a container, which has no other program to ask with.
enum ReadyCommand: Command {
    static let name = "ready"
    static let summary = "ask a running server whether it takes changes"
    static let usage = """
        gradecast ready [ADDRESS:]PORT

        Asks the management address of a server on this machine. Ends with status 0 if the server takes changes; otherwise
        says why it does not, and ends with status 1. ADDRESS is 127.0.0.1 unless given.
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        guard let place = arguments.word() else {
            throw UsageError("The management address of the server is missing.", of: name)
        }
        try arguments.finish()
        let address = try ManagementAddress(place, of: name)
        // There is nothing to finish when a signal comes.
        Task {
            await stop.wait()
            _exit(1)
        }
        let answer = try await address.get("/readyz")
        let told = try? JSON.parse(answer.body)
        guard answer.status == 200, told?["status"]?.string == "ready" else {
            throw Failure(
                told?["obstacle"]?.string?.printable ?? "\(address.url(of: "/readyz")) answers \(answer.status).")
        }
        Console.say("ready")
        _exit(0)
    }
}
