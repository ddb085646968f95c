import CLinux
import Glibc

/// Watches over a running scheme: passes on its error output, kills it when the server is gone, and waits for its end.
struct SchemeKeeper {
    private let child: pid_t
    private let complaints: Int32
    private let control: Int32
    /// A descriptor that becomes readable when the child ends; -1 if the kernel has none.
    private let end: Int32
    private var told = Complaints()
    /// Whether the scheme's error output has ended.
    private var isSilent = false
    private var lastTime = MonotonicSeconds.now

    init(child: pid_t, complaints: Int32, control: Int32) {
        self.child = child
        self.complaints = complaints
        self.control = control
        end = clinux_watch(child)
        _ = fcntl(complaints, F_SETFL, O_NONBLOCK)
    }

    /// Runs until the scheme has ended.
    mutating func run() {
        while !step() {}
        // After a flood, the rest is left in the pipe.
        if !told.isExhausted { _ = passOn() }
        for line in told.finish() { SchemeLauncher.send(.line(line)) }
    }

    /// Waits for an event and handles it; returns whether the scheme has ended.
    private mutating func step() -> Bool {
        refill()
        // While the budget is used up, the pipe is emptied slowly, so that a scheme that floods it has to wait.
        let isHeld = told.isExhausted
        var watched = [
            pollfd(fd: control, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isHeld || isSilent ? -1 : complaints, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&watched, 3, isHeld && !isSilent ? 20 : end < 0 ? 50 : 1_000)
        let isLeft = watched[0].revents != 0
        if isLeft { kill(child, SIGKILL) }
        if isHeld || watched[2].revents != 0 { isSilent = !passOn() }
        return hasEnded(waiting: isLeft)
    }

    private mutating func refill() {
        let now = MonotonicSeconds.now
        if let line = told.wait(seconds: now - lastTime) { SchemeLauncher.send(.line(line)) }
        lastTime = now
    }

    /// Reads what there is and passes on what the budget permits; returns whether more may come.
    private mutating func passOn() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(complaints, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        for line in told.take(buffer[..<count]) { SchemeLauncher.send(.line(line)) }
        return true
    }

    private func hasEnded(waiting: Bool) -> Bool {
        while true {
            let ended = waitpid(child, nil, waiting ? 0 : WNOHANG)
            if ended == -1, errno == EINTR { continue }
            return ended != 0
        }
    }
}

/// The monotonic clock, in seconds.
enum MonotonicSeconds {
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
