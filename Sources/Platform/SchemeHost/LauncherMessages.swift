import Dispatch
import Glibc
import SchemeSandbox

/// What a launcher tells of its scheme: first how the start went, later what the scheme complains of.
final class LauncherMessages: Sendable {
    private let socket: Int32
    private let queue = DispatchQueue(label: "messages of a scheme's launcher")
    // Any thread may use a source; the module does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Reads from a socket, through a descriptor of its own.
    init(_ control: Int32) {
        let socket = fcntl(control, F_DUPFD_CLOEXEC, 5)
        self.socket = socket
        source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
        source.setCancelHandler { close(socket) }
    }

    /// Waits for the first message.
    func first(within time: Duration) throws(ChildFailure) -> LaunchMessage {
        let (seconds, attoseconds) = time.components
        let milliseconds = min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, Int32(milliseconds)) > 0 else { throw ChildFailure(.late) }
        guard case .message(let message) = receive() else { throw ChildFailure(.ended) }
        return message
    }

    /// Has every line heard from now on.
    func follow(_ heard: @escaping @Sendable (String) -> Void) {
        source.setEventHandler { [self] in
            while true {
                switch receive() {
                case .message(.line(let line)): heard(line)
                case .message, .nonsense: continue
                case .nothing: return
                // Cancelling lets go of the handler, and with it of this value.
                case .end: return source.cancel()
                }
            }
        }
        source.activate()
    }

    /// Lets go of a launcher that is not followed. One that is ends by itself, after its last words.
    func dismiss() {
        source.activate()
        source.cancel()
    }

    private enum Received {
        case message(LaunchMessage)
        case nonsense
        case nothing
        case end
    }

    private func receive() -> Received {
        var buffer = [UInt8](repeating: 0, count: LaunchMessage.longest)
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end }
        return LaunchMessage(Array(buffer[..<count])).map { .message($0) } ?? .nonsense
    }
}
