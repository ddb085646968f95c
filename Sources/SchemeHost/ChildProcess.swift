import CLinux
import Glibc

/// A started program at the other end of a socket pair: its end is descriptor 3.
///
/// It shares nothing with this process but that descriptor and the standard error stream, and is killed when nobody
/// refers to it any more.
final class ChildProcess: Sendable {
    private let process: pid_t
    private let socket: Int32

    /// Starts a program.
    init(_ path: String, memory: Int) throws(ChildFailure) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ChildFailure(code: errno)
        }
        defer { close(ends[1]) }
        do throws(ChildFailure) {
            process = try Self.spawn(path, other: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
        // Set from outside, since a spawned process sets nothing itself; it has been asked nothing yet.
        let space = memory == .max ? UInt64.max : UInt64(max(memory, 0))
        if clinux_confine(process, space) != 0 { throw ChildFailure(code: errno) }
    }

    deinit {
        close(socket)
        // The group: what the program has started goes with it.
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) == -1, errno == EINTR {}
    }

    /// The process's number.
    var identifier: Int { Int(process) }

    private static func spawn(_ path: String, other end: Int32) throws(ChildFailure) -> pid_t {
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
        posix_spawn_file_actions_adddup2(&actions, end, 3)
        clinux_close_from(&actions, 4)
        // Signals as a shell would hand them over, and a process group of its own: an interrupt from the terminal is
        // the server's to handle.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var process: pid_t = 0
        let code = withStrings([path]) { arguments in
            withStrings(["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]) {
                posix_spawn(&process, path, &actions, &attributes, arguments, $0)
            }
        }
        guard code == 0 else { throw ChildFailure(code: code) }
        return process
    }

    /// Lends the strings as C wants lists of them: pointers, the last one null.
    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

extension ChildProcess {
    /// Sends a frame and waits for one.
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
