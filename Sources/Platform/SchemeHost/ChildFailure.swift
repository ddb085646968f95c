import Glibc

/// Why there was no conversation with a program, or no further one.
struct ChildFailure: Error, Equatable {
    enum Reason: Equatable {
        /// It could not be started; perhaps with what more there is to say.
        case start(Int32, String)
        /// It cannot be confined.
        case unconfined
        /// It has ended.
        case ended
        /// It has not answered in time.
        case late
        /// It sent what is no frame.
        case frame
        /// It is another program than the one that was started first.
        case exchanged
        /// It failed for that reason before, and is not started again yet.
        case paused(String)
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    init(code: Int32, _ detail: String = "") { reason = .start(code, detail) }

    /// Whether nothing was tried at all.
    var isPause: Bool {
        if case .paused = reason { true } else { false }
    }

    /// The failure in words, which clients may see: they name no path.
    var description: String {
        switch reason {
        case .start(let code, let detail):
            ["it cannot be started", code == 0 ? "" : String(cString: strerror(code)), detail]
                .filter { !$0.isEmpty }.joined(separator: ": ")
        case .unconfined:
            "it cannot be confined: the system has no seccomp (\"sandbox\": \"none\" runs it all the same)"
        case .ended: "it has ended"
        case .late: "it did not answer in time"
        case .exchanged: "it is another program by now; the server must be restarted"
        case .paused(let why): why
        case .frame: "it sent something that is no answer"
        }
    }
}
