internal import CLinux
internal import Glibc
internal import Synchronization

/// Work for a loop from any thread. Only the first piece after the loop has looked wakes it.
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
    }

    private let contents = Mutex(Contents())
    /// An eventfd that is readable while something waits.
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
        let (isFirst, isOpen) = contents.withLock { contents in
            guard !contents.isClosed else { return (false, false) }
            contents.items.append(item)
            return (contents.items.count == 1, true)
        }
        if isFirst { wake() }
        return isOpen
    }

    /// Takes everything out, in the order it came; `spare` gives its memory for what comes next.
    func take(spare: [Item]) -> [Item] {
        contents.withLock { contents in
            var items = spare
            swap(&items, &contents.items)
            return items
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

    /// Makes the descriptor unreadable again.
    func acknowledge() {
        var counter: UInt64 = 0
        _ = read(descriptor, &counter, MemoryLayout<UInt64>.size)
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
