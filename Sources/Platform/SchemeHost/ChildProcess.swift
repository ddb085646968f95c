import CLinux
import Glibc
import SchemeSandbox
import Threads

/// A program that was started at the other end of a socket pair; its end is descriptor 3.
///
/// A launcher runs between the two. It confines the program, passes on its error output, and kills it when this process
/// closes its end of a second socket pair, for whatever reason. The program ends when the last reference to this object
/// goes.
final class ChildProcess: Sendable {
    private let launcher: pid_t
    private let socket: Int32
    private let control: Int32
    private let listener: Thread
    /// The program's process identifier.
    let identifier: Int
    /// The parts of its confinement that are not available.
    let missing: [String]

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - launcher: the executable that becomes the launcher of a scheme.
    ///   - heard: called with each line of the program's standard error.
    init(
        _ plan: LaunchPlan, by launcher: String, within time: Duration, heard: @escaping @Sendable (String) -> Void
    ) throws(ChildFailure) {
        let program = try SocketPair(SOCK_STREAM)
        let line = try SocketPair(SOCK_SEQPACKET)
        self.launcher = try Self.spawn(launcher, plan, program, line)
        control = line.takeOwn()
        socket = program.takeOwn()
        let messages = LauncherMessages(socket: control)
        do {
            (identifier, missing) = try Self.process(of: try messages.first(within: time))
            listener = try messages.follow(heard)
        } catch {
            // An object whose `init` throws has no `deinit`.
            Self.end(self.launcher, socket, control)
            close(control)
            throw error
        }
    }

    deinit {
        Self.end(launcher, socket, control)
        // Everything that the launcher has sent is still read.
        shutdown(control, Int32(SHUT_RD))
        listener.joinByBlocking()
        close(control)
    }

    /// Ends the launcher, and the program with it.
    private static func end(_ launcher: pid_t, _ socket: Int32, _ control: Int32) {
        close(socket)
        // The launcher then kills the program, waits for its end, passes on its last lines, and ends.
        shutdown(control, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + .seconds(2)
        while waitpid(launcher, nil, WNOHANG) == 0 {
            // The launcher was stopped or is stuck; the program ends with it.
            if ContinuousClock.now > deadline { kill(-launcher, SIGKILL) }
            usleep(500)
        }
    }

    private static func process(of start: LaunchMessage) throws(ChildFailure) -> (Int, [String]) {
        switch start {
        case .started(let process, let missing): return (process, missing)
        case .failed(_, LaunchMessage.filterStep): throw ChildFailure(.unconfined)
        case .failed(let code, let step): throw ChildFailure(code: code, step)
        case .line: throw ChildFailure(.frame)
        }
    }

    private static func spawn(
        _ launcher: String, _ plan: LaunchPlan, _ program: SocketPair, _ line: SocketPair
    ) throws(ChildFailure) -> pid_t {
        let program = try program.takeOther()
        defer { close(program) }
        let line = try line.takeOther()
        defer { close(line) }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, program, 3)
        posix_spawn_file_actions_adddup2(&actions, line, 4)
        clinux_close_from(&actions, 5)
        // Signals have their defaults, as from a shell. The process group is separate, because the server itself
        // handles an interrupt from the terminal.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var process: pid_t = 0
        let code = withStrings(["gradecast", LaunchPlan.command, plan.argument]) { arguments in
            withStrings(["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]) {
                posix_spawn(&process, launcher, &actions, &attributes, arguments, $0)
            }
        }
        guard code == 0 else { throw ChildFailure(code: code) }
        return process
    }

    /// Lends the strings as a C list: pointers, the last of them null.
    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

extension ChildProcess {
    /// Sends a frame and returns the frame that answers it.
    func exchange(_ request: [UInt8], longest: Int, within time: Duration) throws(ChildFailure)
        -> [UInt8]
    {
        let deadline = ContinuousClock.now + time
        guard let length = UInt32(exactly: request.count) else { throw ChildFailure(.frame) }
        let head = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> UInt32($0)) }
        try send(head + request, by: deadline)
        let announced = try receive(4, by: deadline).reduce(0) { $0 << 8 | Int($1) }
        guard announced <= longest else { throw ChildFailure(.frame) }
        return try receive(announced, by: deadline)
    }

    private func send(_ bytes: [UInt8], by deadline: ContinuousClock.Instant) throws(ChildFailure) {
        var sent = 0
        while sent < bytes.count {
            try wait(for: POLLOUT, by: deadline)
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(
                    socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            sent += try progress(count)
        }
    }

    private func receive(
        _ count: Int, by deadline: ContinuousClock.Instant
    ) throws(ChildFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            try wait(for: POLLIN, by: deadline)
            let received = bytes[filled...].withUnsafeMutableBytes {
                recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            if received == 0 { throw ChildFailure(.ended) }
            filled += try progress(received)
        }
        return bytes
    }

    private func progress(_ count: Int) throws(ChildFailure) -> Int {
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else { throw ChildFailure(.ended) }
        return 0
    }

    private func wait(for event: Int32, by deadline: ContinuousClock.Instant) throws(ChildFailure) {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw ChildFailure(.late) }
            let (seconds, attoseconds) = rest.components
            let milliseconds = min(seconds, 1_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            var watched = pollfd(fd: socket, events: Int16(event), revents: 0)
            if poll(&watched, 1, Int32(milliseconds)) > 0 { return }
        }
    }
}
