internal import CLinux
internal import Glibc
internal import Synchronization

/// Work for a loop from any thread. Posting wakes a loop that sleeps; a loop that is awake looks here before it sleeps.
final class Mailbox: Sendable {
    /// One piece of work.
    enum Item {
        /// A closure.
        case work(@Sendable () -> Void)
        /// A step of a task that prefers the loop.
        case job(UnownedJob)
    }

    private struct Contents {
        var items: [Item] = []
        var isClosed = false
        /// Whether the loop sleeps, or is about to.
        var isAwaited = false
        /// How many callers hold back the wake-up until they have posted all their work.
        var holders = 0

        /// Returns whether the loop must be woken now, and notes that it will be.
        mutating func takeWake() -> Bool {
            guard isAwaited, holders == 0, !items.isEmpty else { return false }
            isAwaited = false
            return true
        }
    }

    private let contents = Mutex(Contents())
    /// An eventfd that is written to wake the loop. It is watched for edges, so it need never be read.
    let descriptor: Int32

    init() throws(TransportError) {
        descriptor = try check(clinux_eventfd(), "eventfd")
    }

    deinit { close(descriptor) }

    /// Adds a piece of work.
    ///
    /// - Returns: whether the loop will still run it.
    @discardableResult
    func post(_ item: Item) -> Bool {
        let (wakes, isOpen) = contents.withLock { contents in
            guard !contents.isClosed else { return (false, false) }
            contents.items.append(item)
            return (contents.takeWake(), true)
        }
        if wakes { wake() }
        return isOpen
    }

    /// Keeps posted work from waking the loop until every holder has called ``letGo()``.
    func hold() { contents.withLock { $0.holders += 1 } }

    /// Ends a hold, and wakes the loop if work came meanwhile.
    func letGo() {
        let wakes = contents.withLock { contents in
            contents.holders -= 1
            return contents.takeWake()
        }
        if wakes { wake() }
    }

    /// Removes and returns all work, in the order it came; the memory of `spare` is used for what comes next.
    func take(spare: [Item]) -> [Item] {
        contents.withLock { contents in
            contents.isAwaited = false
            guard !contents.items.isEmpty else { return spare }
            var items = spare
            swap(&items, &contents.items)
            return items
        }
    }

    /// Makes the next piece of work wake the loop, unless some is already waiting.
    ///
    /// - Returns: whether the loop may sleep.
    func await() -> Bool {
        contents.withLock { contents in
            contents.isAwaited = contents.items.isEmpty
            return contents.isAwaited
        }
    }

    /// Closes the mailbox, unless work is still waiting.
    ///
    /// - Returns: whether the mailbox is closed.
    func closeIfEmpty() -> Bool {
        contents.withLock { contents in
            contents.isClosed = contents.items.isEmpty
            return contents.isClosed
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
