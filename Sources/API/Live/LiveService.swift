import HTTP
import Live
import Observability
import Records
import Shared
import Transport

/// The live service of a node: one hub per loop, with the news for the hubs and the answers to their questions.
///
/// `run` answers the loops' questions and sweeps; without it, readers wait. To stop: call `drain`, then cancel `run`
/// after the web server's `run` has returned.
final class LiveService: Sendable {
    /// Limits the number of connections.
    let admissions: ConnectionQuota
    private let limits: LiveLimits
    private let source: any DocumentSource
    private let eventLoops: [EventLoop]
    private let loops: [LoopBound<LiveLoopContext>]
    private let work: [AsyncStream<LiveLoopContext.Work>]

    /// Opens the service on these loops, which must be running.
    ///
    /// - Parameters:
    ///   - epoch: the store's current epoch; a later one is read with the versions when topics are compared.
    ///   - seed: the seed for jitter and for the names of connections.
    init(
        on loops: [EventLoop], epoch: Epoch, source: any DocumentSource, authority: any LiveAuthority,
        limits: LiveLimits = LiveLimits(), metrics: Metrics = Metrics(), clock: WallClock = .system,
        seed: UInt64 = SystemRandomNumberGenerator.seed()
    ) async {
        let admissions = ConnectionQuota(limits)
        let instruments = LiveInstruments(metrics)
        let clock = LiveClock(clock)
        var contexts: [LoopBound<LiveLoopContext>] = []
        var work: [AsyncStream<LiveLoopContext.Work>] = []
        for (index, loop) in loops.enumerated() {
            let (stream, continuation) = AsyncStream<LiveLoopContext.Work>.makeStream()
            work.append(stream)
            contexts.append(
                await loop.run {
                    let hub = Hub(epoch: epoch, limits: limits, seed: seed &+ UInt64(index)) { $0.path }
                    let context = LiveLoopContext(
                        on: loop, hub: hub, source: source, authority: authority, admissions: admissions,
                        instruments: instruments, clock: clock, work: continuation)
                    return LoopBound(context, to: loop)
                })
        }
        await Self.join(contexts)
        self.admissions = admissions
        self.limits = limits
        self.source = source
        eventLoops = loops
        self.loops = contexts
        self.work = work
    }

    /// Connects the loops, so that each tells the others who is present on it.
    private static func join(_ loops: [LoopBound<LiveLoopContext>]) async {
        guard loops.count > 1 else { return }
        for (index, part) in loops.enumerated() {
            await part.loop.run {
                part.value.tellOthers = { news in
                    for (other, part) in loops.enumerated() where other != index {
                        part.loop.execute { part.value.hear(news, from: index) }
                    }
                }
            }
        }
    }

    /// The service's context on a loop; `nil` if the service does not run on that loop.
    func part(on loop: EventLoop) -> LoopBound<LiveLoopContext>? { loops.first { $0.loop === loop } }

    // MARK: What the loops learn

    /// Sends the loops everything from `body` at once, when it ends.
    func gather(_ body: () -> Void) { EventLoop.gather(for: eventLoops, body) }

    /// Reports changes of records to every loop. Call it in commit order, from one thread at a time.
    func publish(_ records: [RecordEvent], in epoch: Epoch) {
        guard !records.isEmpty else { return }
        let now = ContinuousClock.now
        for part in loops {
            part.loop.execute {
                part.value.publish(records, in: epoch)
                part.value.passedOn(since: now)
            }
        }
    }

    /// Reports acts in classes to every loop. Call it in commit order, from one thread at a time.
    func publish(_ news: [ClassNews], in epoch: Epoch) {
        guard !news.isEmpty else { return }
        let now = ContinuousClock.now
        for part in loops {
            part.loop.execute {
                part.value.publish(news, in: epoch)
                part.value.passedOn(since: now)
            }
        }
    }

    /// Reports committed updates to every loop. Call it in commit order, from one thread at a time.
    func publish(_ updates: [TopicUpdate]) {
        guard !updates.isEmpty else { return }
        for part in loops { part.loop.execute { part.value.publish(updates) } }
    }

    /// Tells every loop that the documents of topics may have changed.
    func doubt(_ topics: [Topic]) {
        guard !topics.isEmpty else { return }
        for part in loops { part.loop.execute { part.value.doubt(topics) } }
    }

    /// Tells every loop that rights may be gone. Call it in commit order, from one thread at a time.
    func post(_ revocation: Revocation) {
        for part in loops {
            part.loop.execute {
                // In the next turn, after this turn's data is with the kernel, so that a connection is cut only for
                // data that its reader has not taken.
                part.loop.execute { part.value.revoke(revocation) }
            }
        }
    }

    /// Returns when nothing more is sent of what was revoked so far. Await it between the commit and the answer to the
    /// revoking request.
    func settle() async {
        await withDiscardingTaskGroup { group in
            for part in loops {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        part.loop.execute { part.loop.execute { continuation.resume() } }
                    }
                }
            }
        }
    }

    /// Tells every reader that the server stops within that time.
    func drain(within window: Duration) {
        for part in loops { part.loop.execute { part.value.drain(within: window) } }
    }

    /// The number of readers and topics on all loops.
    func census() async -> (readers: Int, topics: Int) {
        var sum = (readers: 0, topics: 0)
        for part in loops {
            let count = await part.loop.run { [part.value.readerCount, part.value.hub.topicCount] }
            sum = (sum.readers + count[0], sum.topics + count[1])
        }
        return sum
    }

    /// The topics with readers on any loop. Asks each loop once.
    func readTopics(among topics: [Topic]) async -> Set<Topic> {
        var found: Set<Topic> = []
        guard !topics.isEmpty else { return found }
        for part in loops {
            found.formUnion(await part.loop.run { topics.filter { part.value.hub.hasReaders(of: $0) } })
        }
        return found
    }

    // MARK: Long polls

    /// Waits at most `time` until the client's document is out of date.
    ///
    /// Everyone who waits for a document does so on the same loop.
    func newer(
        _ topic: Topic, than have: Revision?, for identity: LiveIdentity?, at place: LivePlace, within time: Duration
    ) async -> LongPollAnswer {
        guard !loops.isEmpty else { return .unchanged }
        let part = loops[Int(UInt(bitPattern: topic.hashValue) % UInt(loops.count))]
        let ticket = LivePollTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                part.loop.execute {
                    let context = part.value
                    let poll = context.enter { id in
                        LivePoll(id, in: context, at: place) { continuation.resume(returning: $0) }
                    }
                    guard ticket.begin(LoopBound(poll, to: part.loop)) else { return poll.cancel() }
                    poll.begin(for: identity, TopicRequest(topic, have: have), within: time)
                }
            }
        } onCancel: {
            ticket.cancel()
        }
    }

    // MARK: What the loops ask

    /// Answers the loops' questions and sweeps until its task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for (part, work) in zip(loops, work) {
                group.addTask(executorPreference: part.loop) { await Self.run(work) }
                group.addTask { await self.sweep(part) }
            }
        }
    }

    /// How many questions of one loop run at once. A change that concerns thousands of readers is handled bit by bit,
    /// so that the store's readers always have room for requests.
    private static let atOnce = 32

    private static func run(_ work: AsyncStream<LiveLoopContext.Work>) async {
        // A discarding group frees each task when it ends; other groups keep the last ones, with their stacks.
        await withDiscardingTaskGroup { group in
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            var ended = ends.makeAsyncIterator()
            var running = 0
            for await piece in work {
                if running == atOnce {
                    await ended.next()
                    running -= 1
                }
                group.addTask {
                    await piece()
                    end.yield()
                }
                running += 1
            }
        }
    }

    /// Compares the versions of all topics of a loop with the store's, again and again.
    private func sweep(_ part: LoopBound<LiveLoopContext>) async {
        while !Task.isCancelled {
            var isOver = false
            while !isOver {
                let batch = await part.loop.run { part.value.hub.nextSweepBatch(at: part.value.now) }
                let versions = try? await source.versions(of: batch.topics)
                isOver = await part.loop.run {
                    defer { part.value.advance() }
                    return part.value.hub.finish(batch, versions)
                }
            }
            try? await Task.sleep(for: limits.sweepInterval)
        }
    }
}

extension SystemRandomNumberGenerator {
    /// An unpredictable number.
    static func seed() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
