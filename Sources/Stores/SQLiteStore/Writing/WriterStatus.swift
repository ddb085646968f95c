import Shared
import Synchronization

/// What other threads may know of the writer.
final class WriterStatus: Sendable {
    enum Condition: Sendable, Equatable {
        /// Changes are accepted.
        case writable
        /// The last commit found no room; the next one is tried.
        case full
        /// A commit failed in a way after which the file's state on the disk is not known: no more writing.
        case stopped(String)
    }

    private let current = Mutex(Condition.writable)

    var condition: Condition {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
