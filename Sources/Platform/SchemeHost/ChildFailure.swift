import Glibc

/// The reason why a conversation with a program failed.
struct ChildFailure: Error, Equatable {
    enum Reason: Equatable {
        /// It could not be started: the number of the system's error, and possibly details.
        case start(Int32, String)
        /// It cannot be confined.
        case unconfined
        /// It has ended.
        case ended
        /// It has not answered in time.
        case late
        /// It sent something that is not a frame.
        case frame
        /// It is not the program that was started first.
        case exchanged
        /// It failed recently, for this reason, and is not started again yet.
        case paused(String)
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    init(code: Int32, _ detail: String = "") { reason = .start(code, detail) }

    /// Whether the program was not asked at all, because it is paused or stopped.
    var isPause: Bool {
        if case .paused = reason { true } else { false }
    }

    /// The failure in words, which clients may see; they contain no path.
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
