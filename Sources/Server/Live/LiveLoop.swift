import Live
import Storage
import Transport

/// The live room on one loop: drives its hub, keeps its readers, and brings answers back from off the loop.
final class LiveLoop {
    /// What is to be asked of the store or the authority: run off the loop's turn, as a child of the room's task.
    typealias Errand = @Sendable () async -> Void

    let loop: EventLoop
    let authority: any LiveAuthority
    let admissions: LiveAdmissions
    private let clock: LiveClock
    private let source: any DocumentSource
    private let errands: AsyncStream<Errand>.Continuation

    var hub: Hub
    private var readers = SubscriberTable<any LiveReader>()
    private var isAdvancing = false
    private var isScheduled = false

    /// The live room on the loop that the caller is on.
    init(
        on loop: EventLoop, hub: Hub, source: any DocumentSource, authority: any LiveAuthority,
        admissions: LiveAdmissions, clock: LiveClock, errands: AsyncStream<Errand>.Continuation
    ) {
        self.loop = loop
        self.hub = hub
        self.source = source
        self.authority = authority
        self.admissions = admissions
        self.clock = clock
        self.errands = errands
    }

    /// The moment the present turn began.
    var now: Instant { clock.instant(at: loop.now) }

    /// How many readers there are.
    var readerCount: Int { readers.count }

    // MARK: Readers

    /// Takes in the reader that `make` makes of its name.
    func enter<Reader: LiveReader>(_ make: (SubscriberID) -> Reader) -> Reader {
        let id = readers.reserve()
        let reader = make(id)
        readers[id] = reader
        return reader
    }

    func leave(_ id: SubscriberID) { readers.remove(id) }

    /// Runs `action` at a moment of the day, unless it is cancelled before.
    func schedule(at instant: Instant, _ action: @escaping () -> Void) -> TimerToken {
        loop.schedule(at: clock.moment(at: instant), action)
    }

    /// Sends somebody to ask, and takes the answer in on the loop.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable () async -> Answer, _ answered: @escaping (Answer) -> Void
    ) {
        let bound = LoopBound(answered, to: loop)
        errands.yield {
            let answer = await question()
            bound.loop.execute { bound.value(answer) }
        }
    }

    // MARK: Driving the hub

    /// Takes in what was committed, in commit order.
    func publish(_ updates: [TopicUpdate]) {
        for update in updates { hub.publish(update) }
        advance()
    }

    /// Tells whom a revocation concerns. When this returns nothing of it is sent any more.
    func revoke(_ revocation: Revocation) {
        for id in hub.revoke(revocation) { readers[id]?.revoked(revocation) }
        advance()
    }

    /// Tells everybody that the server stops.
    func drain(within window: Duration) {
        for reader in readers.readers { reader.drain(within: window) }
    }

    /// Wakes a slice of the readers and starts the reads they want; what is left is for the next turn, after the
    /// loop has seen to its sockets.
    func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        for _ in 0..<hub.limits.slice {
            guard let wake = hub.nextWake() else { break }
            readers[wake.subscriber]?.changed(wake.channel)
        }
        isAdvancing = false
        if hub.wantsReads { startReads() }
        guard hub.hasWakes, !isScheduled else { return }
        isScheduled = true
        let bound = LoopBound(self, to: loop)
        loop.execute {
            bound.value.isScheduled = false
            bound.value.advance()
        }
    }

    private func startReads() {
        let requests = hub.takeReads()
        for request in requests where request.kind == .document {
            ask({ [source] in await Self.document(request, from: source) }) { outcome in
                self.finish([(request, outcome)])
            }
        }
        let compared = requests.filter { $0.kind == .version }
        guard !compared.isEmpty else { return }
        ask({ [source] in await Self.versions(compared, from: source) }) { outcomes in
            self.finish(Array(zip(compared, outcomes)))
        }
    }

    private func finish(_ outcomes: [(ReadRequest, ReadOutcome)]) {
        for (request, outcome) in outcomes { hub.finish(request, outcome) }
        advance()
    }

    private static func document(_ request: ReadRequest, from source: any DocumentSource) async -> ReadOutcome {
        do { return .document(try await source.document(request.topic)) } catch { return .failed }
    }

    private static func versions(_ requests: [ReadRequest], from source: any DocumentSource) async -> [ReadOutcome] {
        guard let answer = try? await source.versions(of: requests.map(\.topic)),
            answer.versions.count == requests.count
        else { return requests.map { _ in .failed } }
        return answer.versions.map { version in
            .version(version.map { Revision(epoch: answer.epoch, version: $0) })
        }
    }
}
