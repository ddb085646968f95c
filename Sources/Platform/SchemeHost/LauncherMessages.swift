import Glibc
import SchemeSandbox
import Threads

/// The messages of a launcher about its scheme: first how the start went, later what the scheme writes to standard
/// error.
struct LauncherMessages: Sendable {
    /// The stack of the listening thread, in bytes: more than a line on its way into the log needs.
    private static let stackSize = 512 * 1024

    /// The socket to the launcher; it belongs to the caller.
    let socket: Int32

    /// Waits for the first message; throws if none comes within `time`.
    func first(within time: Duration) throws(ChildFailure) -> LaunchMessage {
        let end = ContinuousClock.now + time
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while true {
            let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: end)).components
            let milliseconds = min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            let count = poll(&watched, 1, Int32(milliseconds))
            if count > 0 { break }
            // An interrupted wait goes on.
            guard count < 0, errno == EINTR else { throw ChildFailure(.late) }
        }
        guard case .message(let message) = receive() else { throw ChildFailure(.ended) }
        return message
    }

    /// Passes every further line to `heard`, on a thread that ends with the launcher.
    func follow(_ heard: @escaping @Sendable (String) -> Void) throws(ChildFailure) -> Thread {
        do throws(ThreadError) {
            return try Thread("launcher", stackSize: Self.stackSize) {
                while true {
                    switch receive() {
                    case .message(.line(let line)): heard(line)
                    case .message, .nonsense: continue
                    case .end: return
                    }
                }
            }
        } catch {
            throw ChildFailure(code: error.number)
        }
    }

    private enum Received {
        case message(LaunchMessage)
        case nonsense
        case end
    }

    private func receive() -> Received {
        var buffer = [UInt8](repeating: 0, count: LaunchMessage.longest)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .end }
            return LaunchMessage(Array(buffer[..<count])).map { .message($0) } ?? .nonsense
        }
    }
}
