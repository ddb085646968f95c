import Live
import Records
import Shared
import Transport

/// The live service on one loop: drives its hub, keeps its readers, and brings answers from other threads back to the
/// loop.
final class LiveLoopContext {
    /// A question to the store or the authority. It runs off the loop, as a child of the service's task.
    typealias Work = @Sendable () async -> Void

    let loop: EventLoop
    let authority: any LiveAuthority
    let admissions: ConnectionQuota
    private let instruments: LiveInstruments
    private let clock: LiveClock
    private let source: any DocumentSource
    private let work: AsyncStream<Work>.Continuation

    var hub: Hub
    private var readers = SubscriberTable<LiveConnection>()
    private var asking: [Question: [Answered]] = [:]
    /// An empty list whose memory the next actions reuse.
    private var spareActions: [ReaderAction] = []
    private var isAdvancing = false
    private var isScheduled = false
    /// The time within which the server stops; `nil` while it does not.
    private var drainWindow: Duration?
    /// The current turn, and how many more readers it may wake.
    private var turn: (began: MonotonicInstant, budget: Int)?
    /// Tells the other loops of the node who is present on this one.
    var tellOthers: (([PresenceNews]) -> Void)?
    private var isDrawingScheduled = false

    /// Creates the context of the caller's loop.
    init(
        on loop: EventLoop, hub: Hub, source: any DocumentSource, authority: any LiveAuthority,
        admissions: ConnectionQuota, instruments: LiveInstruments, clock: LiveClock,
        work: AsyncStream<Work>.Continuation
    ) {
        self.loop = loop
        self.hub = hub
        self.source = source
        self.authority = authority
        self.admissions = admissions
        self.instruments = instruments
        self.clock = clock
        self.work = work
    }

    /// The start of the current turn.
    var now: Timestamp { clock.instant(at: loop.now) }

    /// The number of readers.
    var readerCount: Int { readers.count }

    // MARK: Readers

    /// Registers the connection that `make` creates with its name.
    func enter<Connection: LiveConnection>(_ make: (SubscriberID) -> Connection) -> Connection {
        let id = readers.reserve()
        let connection = make(id)
        readers[id] = connection
        instruments.enter(connection.form)
        if let window = drainWindow {
            // The connection after registration.
            let bound = LoopBound(self, to: loop)
            loop.execute { bound.value.readers[id]?.drain(within: window) }
        }
        return connection
    }

    /// Removes a connection; `false` if it had left before.
    func leave(_ id: SubscriberID) -> Bool {
        guard let connection = readers[id] else { return false }
        readers.remove(id)
        instruments.leave(connection.form)
        return true
    }

    /// Records how long after the commit at `instant` the loop began to tell its readers. Large numbers of readers are told
    /// in slices.
    func passedOn(since instant: ContinuousClock.Instant) {
        if readers.count > 0 { instruments.passedOn(since: instant) }
    }

    /// The moment on the loop's clock for a time of day.
    func moment(at instant: Timestamp) -> MonotonicInstant { clock.moment(at: instant) }

    /// Asks off the loop, and handles the answer on the loop.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable () async -> Answer, _ answered: @escaping (Answer) -> Void
    ) {
        let bound = LoopBound(answered, to: loop)
        work.yield {
            let answer = await question()
            bound.loop.execute { bound.value(answer) }
        }
    }

    // MARK: Who may read what

    /// A reader and a topic to read.
    private struct Question: Hashable {
        let topic: Topic
        let identity: LiveIdentity?
    }

    /// Handles an answer.
    private typealias Answered = (Permission) -> Void

    /// Asks whether a topic may be read. The same question, if it still waits to be asked, is asked once for all, so
    /// that a change that concerns thousands of readers costs few questions. An answer is never older than its
    /// question.
    func authorise(_ request: PermissionRequest, _ answered: @escaping (Permission) -> Void) {
        let question = Question(topic: request.topic, identity: request.identity)
        guard asking[question] == nil else {
            asking[question]?.append(answered)
            return
        }
        asking[question] = [answered]
        let bound = LoopBound(self, to: loop)
        work.yield { [authority] in
            let all = await bound.loop.run {
                LoopBound(bound.value.asking.removeValue(forKey: question) ?? [], to: bound.loop)
            }
            let permission = await authority.permission(to: question.topic, for: question.identity)
            bound.loop.execute { bound.value.answer(all.value[...], permission) }
        }
    }

    /// Answers a slice of the callers. The others hear it in the next turn, after the loop has handled its sockets.
    private func answer(_ waiting: ArraySlice<Answered>, _ permission: Permission) {
        for answered in waiting.prefix(hub.limits.slice) { answered(permission) }
        let rest = waiting.dropFirst(hub.limits.slice)
        guard !rest.isEmpty else { return }
        let bound = LoopBound((context: self, rest: rest), to: loop)
        loop.execute { bound.value.context.answer(bound.value.rest, permission) }
    }

    // MARK: Driving the hub

    /// Runs `body` with a list for the actions of one event. Performing them may cause another event, which gets a list
    /// of its own.
    func withActions(_ body: (inout [ReaderAction]) -> Void) {
        var actions: [ReaderAction] = []
        swap(&actions, &spareActions)
        body(&actions)
        actions.removeAll(keepingCapacity: actions.capacity <= 64)
        swap(&actions, &spareActions)
    }

    /// Handles changes of records, in commit order. A record without readers here costs one look-up.
    func publish(_ records: [RecordEvent], in epoch: Epoch) {
        for event in records { event.publish(to: &hub, in: epoch) }
        advance()
    }

    /// Handles acts in classes, in commit order. A class without readers here costs one look-up.
    func publish(_ news: [ClassNews], in epoch: Epoch) {
        for news in news { news.publish(to: &hub, in: epoch) }
        advance()
    }

    /// Handles committed updates, in commit order.
    func publish(_ updates: [TopicUpdate]) {
        for update in updates { hub.publish(update) }
        advance()
    }

    /// Has the documents of topics read again, because their sources changed.
    func doubt(_ topics: [Topic]) {
        for topic in topics { hub.doubt(topic) }
        advance()
    }

    /// Tells the readers whom a revocation concerns. After it returns, nothing is sent that the revocation forbids.
    func revoke(_ revocation: Revocation) {
        for id in hub.revoke(revocation) { readers[id]?.handle(.revoked(revocation)) }
        advance()
    }

    /// Tells every connection, including later ones, that the server stops.
    func drain(within window: Duration) {
        drainWindow = window
        for reader in readers.readers { reader.drain(within: window) }
    }

    /// Handles who is present on another loop.
    func hear(_ news: [PresenceNews], from loop: Int) {
        for news in news { hub.takePresence(news, from: loop) }
        advance()
    }

    /// Sends who is present, now or when it is due.
    private func drawPresence() {
        guard let due = hub.presenceDue else { return }
        guard due > now else {
            let news = hub.drawPresence(at: now)
            if !news.isEmpty { tellOthers?(news) }
            return
        }
        guard !isDrawingScheduled else { return }
        isDrawingScheduled = true
        loop.schedule(at: moment(at: due)) {
            self.isDrawingScheduled = false
            self.advance()
        }
    }

    /// Wakes readers and starts the reads they want, a limited number in each turn however often it is called. The rest
    /// waits for the next turn, after the loop has handled its sockets.
    func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        drawPresence()
        var budget = turn.flatMap { $0.began == loop.now ? $0.budget : nil } ?? hub.limits.slice
        while budget > 0, let wake = hub.nextWake() {
            budget -= 1
            readers[wake.subscriber]?.handle(.changed(wake.topicID))
        }
        turn = (loop.now, budget)
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
        for request in requests where request.kind != .version {
            ask({ [source] in await Self.outcome(request, from: source) }) { outcome in
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

    private static func outcome(_ request: ReadRequest, from source: any DocumentSource) async -> ReadOutcome {
        do {
            switch request.kind {
            case .rows(let cursor): return .rows(try await source.rows(request.topic, at: cursor))
            case .document, .version: return .document(try await source.document(request.topic))
            }
        } catch {
            return .failed
        }
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
