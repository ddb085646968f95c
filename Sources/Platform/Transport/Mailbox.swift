internal import CLinux
internal import Glibc
internal import Synchronization

/// Work for a loop from any thread. It wakes a loop that sleeps; one that is awake looks by itself before it sleeps.
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
        /// The loop sleeps, or is about to.
        var isAwaited = false
        /// How many would rather wake it themselves, once they have posted all they have.
        var holders = 0

        /// Whether the loop is to be woken now.
        mutating func takeWake() -> Bool {
            guard isAwaited, holders == 0, !items.isEmpty else { return false }
            isAwaited = false
            return true
        }
    }

    private let contents = Mutex(Contents())
    /// An eventfd that is written to when the loop is to wake. Watched for edges, it need never be read.
    let descriptor: Int32

    init() throws(TransportError) {
        descriptor = try check(clinux_eventfd(), "eventfd")
    }

    deinit { close(descriptor) }

    /// Puts a piece of work in.
    ///
    /// - Returns: whether the loop will still see it.
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

    /// Keeps what is posted from waking the loop, until every holder has called ``letGo()``.
    func hold() { contents.withLock { $0.holders += 1 } }

    /// Wakes the loop if something came meanwhile.
    func letGo() {
        let wakes = contents.withLock { contents in
            contents.holders -= 1
            return contents.takeWake()
        }
        if wakes { wake() }
    }

    /// Takes everything out, in the order it came; `spare` gives its memory for what comes next.
    func take(spare: [Item]) -> [Item] {
        contents.withLock { contents in
            contents.isAwaited = false
            guard !contents.items.isEmpty else { return spare }
            var items = spare
            swap(&items, &contents.items)
            return items
        }
    }

    /// Has the next piece of work wake the loop, unless something is waiting already.
    ///
    /// - Returns: whether the loop may sleep.
    func await() -> Bool {
        contents.withLock { contents in
            contents.isAwaited = contents.items.isEmpty
            return contents.isAwaited
        }
    }

    /// Takes no more, unless something is still waiting.
    ///
    /// - Returns: whether the mailbox is closed now.
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
