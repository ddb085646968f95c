import Shared
import Synchronization

/// The writer's condition, as other threads see it.
final class WriterStatus: Sendable {
    enum Condition: Sendable, Equatable {
        /// Changes are accepted.
        case writable
        /// The last commit found the disk full; the next one is tried.
        case full
        /// A commit failed so that the state of the file on disk is unknown: no more writing.
        case stopped(String)
    }

    private let current = Mutex(Condition.writable)

    var condition: Condition {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
