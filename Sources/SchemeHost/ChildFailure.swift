import Glibc

/// Why there was no conversation with a program, or no further one.
struct ChildFailure: Error, Equatable {
    enum Reason: Equatable {
        /// It could not be started.
        case start(Int32)
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

    init(code: Int32) { reason = .start(code) }

    /// Whether nothing was tried at all.
    var isPause: Bool {
        if case .paused = reason { true } else { false }
    }

    /// The failure in words, which clients may see: they name no path.
    var description: String {
        switch reason {
        case .start(let code): "it cannot be started: \(String(cString: strerror(code)))"
        case .ended: "it has ended"
        case .late: "it did not answer in time"
        case .exchanged: "it is another program by now; the server must be restarted"
        case .paused(let why): why
        case .frame: "it sent something that is no answer"
        }
    }
}
