package import DataStore
import Shared
import Synchronization

/// The writer's condition, as other threads see it.
package final class WriterStatus: Sendable {
    package enum Condition: Sendable, Equatable {
        /// Changes are accepted.
        case writable
        /// The last commit found the disk full; the next one is tried.
        case full
        /// The database cannot be reached; the next change tries again.
        case unreachable(String)
        /// A commit failed so that the state of the file on disk is unknown: no more writing.
        case stopped(String)
    }

    private let current = Mutex(Condition.writable)
    /// How long the writer's commits take.
    package let commits = CommitTimes()

    package init() {}

    package var condition: Condition {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Why changes are refused at this moment; `nil` if they are accepted.
    package var reason: String? {
        switch condition {
        case .writable: nil
        case .full: "the disk is full"
        case .unreachable(let reason), .stopped(let reason): reason
        }
    }

    /// Whether no change is accepted any more.
    package var isStopped: Bool { if case .stopped = condition { true } else { false } }
}
