internal import CLinux
internal import Glibc
internal import Synchronization

/// A program that a test runs beside itself, with the processes that it starts in turn.
final class ChildProcess: Sendable {
    /// Why no program was started.
    struct Failure: Error {
        /// `errno`.
        let code: Int32
    }

    private let process: pid_t
    /// A descriptor that becomes readable when the program ends.
    let watch: Int32
    private let ended = Mutex<Int32?>(nil)

    /// Starts a program in a session of its own, with a small environment and no open files but these.
    ///
    /// - Parameters:
    ///   - input: what it reads; `nil` for nothing.
    ///   - log: the file that its output is added to.
    init(_ command: [String], environment: [String] = [], input: Int32? = nil, log: String) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        clinux_close_from(&actions, 3)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | clinux_spawn_session))
        let words = command.map { strdup($0) } + [nil]
        let always = ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LANG=C.UTF-8"]
        let variables = (always + environment).map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, command[0], &actions, &attributes, words, variables)
        guard code == 0 else { throw Failure(code: code) }
        process = started
        watch = clinux_watch(started)
    }

    deinit { close(watch) }

    /// Its exit status, once it has ended; 128 and more after a signal.
    var status: Int32? { ended.withLock { $0 } }

    /// Sends a signal to the program alone.
    func signal(_ number: Int32) {
        // A number that has been waited for may be another process's.
        ended.withLock { if $0 == nil { _ = Glibc.kill(process, number) } }
    }

    /// Waits for the end; `false` if it took too long.
    @discardableResult
    func awaitEnd() -> Bool {
        guard Self.awaitEnd(of: watch) else { return false }
        ended.withLock { ended in
            guard ended == nil else { return }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            ended = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
        }
        return true
    }

    /// Kills the program and those that it has started, and waits until all are gone.
    func kill() {
        guard status == nil else { return }
        // It starts no others while it is halted.
        signal(SIGSTOP)
        let children = self.children.map { ($0, clinux_watch($0)) }
        // The program comes last: its end would tell the others something.
        for (child, watch) in children where watch >= 0 {
            Glibc.kill(child, SIGKILL)
            _ = Self.awaitEnd(of: watch)
            close(watch)
        }
        signal(SIGKILL)
        awaitEnd()
    }

    /// Halts the program and those that it has started.
    func pause() {
        signal(SIGSTOP)
        for child in children { Glibc.kill(child, SIGSTOP) }
    }

    /// Lets them go on.
    func resume() {
        for child in children { Glibc.kill(child, SIGCONT) }
        signal(SIGCONT)
    }

    private var children: [pid_t] {
        readFile("/proc/\(process)/task/\(process)/children").split(separator: " ").compactMap { pid_t($0) }
    }

    private static func awaitEnd(of watch: Int32) -> Bool {
        var watched = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        var count = poll(&watched, 1, Int32(Patience.seconds) * 1_000)
        while count < 0, errno == EINTR { count = poll(&watched, 1, Int32(Patience.seconds) * 1_000) }
        return count > 0
    }
}
