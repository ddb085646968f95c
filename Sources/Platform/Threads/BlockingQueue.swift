public import Glibc
public import Synchronization

/// A bounded first-in-first-out queue. Any thread may put items in; the threads that take them sleep while it is empty.
///
/// After ``close()`` nothing more goes in. What is inside is still handed out, and then takers get `nil`. It can be
/// inlined into other modules, because every change passes through the writer's queue.
public final class BlockingQueue<Item: Sendable>: @unchecked Sendable {
    // Unchecked only because of `available`. A POSIX semaphore is made to be shared by threads, it has a fixed address
    // of its own, and it is destroyed in `deinit`, when no thread can be waiting any more.
    @usableFromInline let available: UnsafeMutablePointer<sem_t>
    @usableFromInline let contents = Mutex(Contents())
    @usableFromInline let capacity: Int

    @usableFromInline
    struct Contents {
        @usableFromInline var items: [Item?] = []
        @usableFromInline var first = 0
        @usableFromInline var isClosed = false

        @usableFromInline
        init() {}

        @inlinable var count: Int { items.count - first }

        @inlinable
        mutating func popFirst() -> Item? {
            guard first < items.count else { return nil }
            let item = items[first]
            items[first] = nil
            first += 1
            if first == items.count {
                items.removeAll(keepingCapacity: true)
                first = 0
            } else if first >= 1_024, first * 2 >= items.count {
                items.removeFirst(first)
                first = 0
            }
            return item
        }
    }

    /// Creates an empty queue in which at most `capacity` items may wait.
    @inlinable
    public init(capacity: Int = .max) {
        self.capacity = capacity
        available = .allocate(capacity: 1)
        sem_init(available, 0, 0)
    }

    deinit {
        sem_destroy(available)
        available.deallocate()
    }

    /// Puts an item at the end; returns `false` if the queue is full or closed.
    @inlinable
    public func push(_ item: Item) -> Bool {
        let isIn = contents.withLock { contents in
            guard !contents.isClosed, contents.count < capacity else { return false }
            contents.items.append(item)
            return true
        }
        if isIn { sem_post(available) }
        return isIn
    }

    /// Waits for the next item; returns `nil` once the queue is closed and empty.
    @inlinable
    public func next() -> Item? {
        while sem_wait(available) != 0 {}  // interrupted by a signal: wait on
        if let item = contents.withLock({ $0.popFirst() }) { return item }
        // Woken without an item, so the queue is closed: wake the next taker too.
        sem_post(available)
        return nil
    }

    /// Returns the next item without waiting; `nil` if there is none.
    @inlinable
    public func nextIfAny() -> Item? {
        guard sem_trywait(available) == 0 else { return nil }
        if let item = contents.withLock({ $0.popFirst() }) { return item }
        sem_post(available)
        return nil
    }

    /// How many items wait.
    @inlinable
    public var count: Int { contents.withLock { $0.count } }

    /// Refuses further items; the takers get `nil` once the queue is empty.
    @inlinable
    public func close() {
        contents.withLock { $0.isClosed = true }
        sem_post(available)
    }
}
