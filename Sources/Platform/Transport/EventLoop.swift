internal import Glibc
internal import Synchronization

/// An event loop: one thread that serves its descriptors, timers and mailbox in turns, and runs the tasks that prefer
/// it.
///
/// A turn: wait → descriptors → timers → work → sends. What connections write in a turn is sent together at its end.
///
/// Only the loop's own thread may use its members, except for those marked "From any thread". To carry a value of the
/// loop across threads, wrap it in a `LoopBound`.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // @unchecked: `mailbox` and `thread` are synchronised; every other stored property is used only by `run` and what
    // it calls, all on one thread.
    private let mailbox: Mailbox
    private let thread = Atomic<UInt>(0)
    private var poller: Poller
    private var timers = TimerQueue()
    private var local: [Mailbox.Item] = []
    private var spare: [Mailbox.Item] = []
    private var spareStreams: [Stream] = []
    private var isStopping = false
    var flushQueue = FlushQueue()
    let scratch = ScratchBuffers()
    private let ring: SendRing?

    /// When the current turn, or its timers, began: precise enough for deadlines, at no cost.
    public private(set) var now = MonotonicInstant.now()

    /// Creates a loop that does not run yet; see `EventLoopGroup`.
    init(batchesSends: Bool) throws(TransportError) {
        ring = batchesSends ? SendRing() : nil
        mailbox = try Mailbox()
        poller = try Poller()
    }

    deinit { poller.close() }

    /// Whether the sends of a turn go to the kernel in one call. From any thread.
    public var batchesSends: Bool { ring != nil }

    /// Whether the caller is on the loop's thread. From any thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `work` on the loop in a later turn; work from one thread runs in the order in which it was given. From any
    /// thread.
    ///
    /// After the loop has stopped the work is dropped.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { local.append(.work(work)) } else { mailbox.post(.work(work)) }
    }

    /// Runs `body`, which must be short and posts work to these loops. A loop that sleeps is woken once, at the end,
    /// instead of for each piece of work. From any thread.
    public static func gather(for loops: [EventLoop], _ body: () -> Void) {
        for loop in loops { loop.mailbox.hold() }
        body()
        for loop in loops { loop.mailbox.letGo() }
    }

    /// Runs `body` on the loop and returns its result. From any thread, while the loop runs.
    public func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: body()) }
        }
    }

    /// Runs `action` on the loop after `delay`, unless the timer is cancelled before.
    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerToken {
        schedule(at: now + delay, action)
    }

    /// Runs `action` on the loop at `deadline`, unless the timer is cancelled before.
    @discardableResult
    public func schedule(at deadline: MonotonicInstant, _ action: @escaping () -> Void) -> TimerToken {
        checkIsolated()
        return timers.schedule(at: deadline, action)
    }

    /// Returns when a timer will run; `nil` once it has run or been cancelled.
    public func deadline(of token: TimerToken) -> MonotonicInstant? {
        checkIsolated()
        return timers.deadline(of: token)
    }

    /// Cancels a timer; has no effect if it has run.
    public func cancel(_ token: TimerToken) {
        checkIsolated()
        timers.cancel(token)
    }
}

// The executor: a task's step is a piece of work like any other.
extension EventLoop {
    /// Runs a task's next step on the loop. From any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let item = Mailbox.Item.job(UnownedJob(job))
        if isCurrent { local.append(item) } else { mailbox.post(item) }
    }

    /// Returns the loop as the executor of an actor. From any thread.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Returns the loop as the executor that a task prefers. From any thread.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Stops the process unless it is called on the loop's thread, because using a loop's state elsewhere corrupts it.
    public func checkIsolated() {
        precondition(isCurrent, "this belongs to another thread's event loop")
    }

    /// Returns whether the caller is on the loop's thread. From any thread.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

// The turn.
extension EventLoop {
    /// Runs turns on the calling thread until `stop`.
    func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        do throws(TransportError) {
            try poller.addConnection(mailbox.descriptor, WakeUp())
        } catch {
            isStopping = true  // without a mailbox no thread can reach the loop
        }
        while !(isStopping && isQuiet && mailbox.closeIfEmpty()) {
            turn()
        }
        for target in poller.targets { target.loopStopped() }
        timers = TimerQueue()
        thread.store(0, ordering: .relaxed)
    }

    /// Ends the loop once all work posted so far is done, and closes its connections. From any thread.
    func stop() {
        execute { self.isStopping = true }
    }

    private var isQuiet: Bool { local.isEmpty && flushQueue.isEmpty }

    private func turn() {
        let count = poller.wait(milliseconds: timeout())
        now = .now()
        for index in 0..<count {
            if let (target, readiness) = poller.event(index) { target.ready(readiness) }
        }
        while let action = timers.popDue(now) { action() }
        runLocal()
        runMail()
        runOutbox()
    }

    /// Returns how many milliseconds the turn may wait: 0 while there is work, -1 (no limit) if nothing is due.
    private func timeout() -> Int32 {
        guard isQuiet, !isStopping else { return 0 }
        guard let next = timers.next else { return mailbox.await() ? -1 : 0 }
        let now = MonotonicInstant.now()
        guard next > now, mailbox.await() else { return 0 }
        // Rounded up, so that no timer is early and the loop does not spin through its last millisecond.
        return Int32(clamping: (next.nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
    }

    private func runLocal() {
        guard !local.isEmpty else { return }
        // Work that is added meanwhile waits for the next turn, so that it does not keep the descriptors waiting.
        var items = spare
        spare = []
        swap(&items, &local)
        run(&items)
    }

    private func runMail() {
        var items = mailbox.take(spare: spare)
        spare = []
        run(&items)
    }

    private func runOutbox() {
        guard !flushQueue.isEmpty else { return }
        var streams = flushQueue.take(spare: spareStreams)
        spareStreams = []
        FlushQueue.send(streams, through: ring)
        streams.removeAll(keepingCapacity: streams.capacity <= 4096)
        spareStreams = streams
    }

    private func run(_ items: inout [Mailbox.Item]) {
        for item in items {
            switch item {
            case .work(let work): work()
            case .job(let job):
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
        items.removeAll(keepingCapacity: items.capacity <= 4096)
        if spare.capacity == 0 { spare = items }
    }
}

// What connections and listeners need from their loop.
extension EventLoop {
    func addConnection(_ fd: Int32, _ target: any Pollable) throws(TransportError) {
        try poller.addConnection(fd, target)
    }

    func addSource(_ fd: Int32, _ target: any Pollable) throws(TransportError) {
        try poller.addSource(fd, target)
    }

    func setSource(_ fd: Int32, isWatched: Bool) { poller.setSource(fd, isWatched: isWatched) }

    func remove(_ fd: Int32) { poller.remove(fd) }
}

/// Ends a loop's wait when work is posted; every turn empties the mailbox anyway.
private final class WakeUp: Pollable {
    func ready(_ readiness: Readiness) {}

    func loopStopped() {}
}
