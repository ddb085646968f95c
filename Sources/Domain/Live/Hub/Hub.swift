public import Shared

/// The live documents of one event loop: who reads which topic, and what is the newest of each.
///
/// A hub belongs to one loop and is never shared. It has no clock and no socket: it takes updates, what
/// reads brought and revocations, and hands out what is to be done — readers to wake (`nextWake`), documents to
/// read (`takeReads`), versions to compare (`nextSweepBatch`).
///
/// **Why every reader converges.** A reader joins its topic *before* anything is read for it, so an update is either
/// seen by that read or wakes the reader. Versions of a topic only rise within an epoch, so nothing goes back. A
/// wake-up that never arrived is made good by the sweep, which compares the version of every topic with the store's.
/// Readers look at the newest version when they write, not when they are woken, so a slow one skips versions and costs
/// nothing.
///
/// **Cost.** Memory follows the number of topics and readers. A document is kept only while it is being read: the
/// second sweep after its last use lets it go.
public struct Hub {
    /// One reader to tell that one of its topics may have changed.
    public struct Wake: Sendable {
        /// Whom to wake.
        public let subscriber: SubscriberID
        /// What may have changed.
        public let topicID: TopicID
    }

    struct Fanout {
        let topicID: TopicID
        let readers: SubscriberList
        var position = 0

        mutating func next() -> SubscriberID? {
            guard let reader = readers.element(at: position) else { return nil }
            position += 1
            return reader
        }
    }

    /// The limits of this loop's connections.
    public let limits: LiveLimits
    /// Everything that readers hold was current at this moment, as far as it has been sent to them.
    public internal(set) var asOf: Timestamp?
    /// Rises with every revocation: an answer about a token that is older than the last one is asked for again.
    public internal(set) var revocations: UInt32 = 0

    /// Rises when the store's history is replaced; what was sent under another number is void.
    private(set) var epochNumber: UInt32 = 1
    private(set) var epoch: Epoch
    private let address: @Sendable (Topic) -> String

    var states: [TopicState?] = []
    private var vacant: [TopicID] = []
    private var places: [Topic: TopicID] = [:]
    var accounts: [AccountID: SubscriberList] = [:]
    var credentials: [CredentialID: SubscriberList] = [:]

    private var fanouts = Queue<Fanout>()
    /// How many topics have readers here whose documents are read again when a record changes.
    private var sharedCount = 0
    /// The topics of the groups of classes that have readers here.
    private var groups: [ClassID: Set<Topic>] = [:]
    var wanted = Queue<TopicID>()
    var readSerial: UInt32 = 0
    var sweep = Reconciliation.idle
    /// Who is where in collections.
    var presence = PresenceBoard()
    var chance: SplitMix64

    /// An empty hub.
    ///
    /// - Parameters:
    ///   - epoch: the store's epoch now; a later one is noticed by itself.
    ///   - seed: chance for jitter, so that connections do not move in step.
    ///   - address: where a client reads a topic's document that is above the limit of messages.
    public init(
        epoch: Epoch, limits: LiveLimits = LiveLimits(), seed: UInt64, address: @escaping @Sendable (Topic) -> String
    ) {
        self.epoch = epoch
        self.address = address
        self.limits = limits
        chance = SplitMix64(state: seed)
    }

    /// How many topics have readers here.
    public var topicCount: Int { places.count }

    /// Whether anybody reads a topic here.
    public func hasReaders(of topic: Topic) -> Bool { places[topic] != nil }

    /// Whether anybody reads here what is shared of any record: asked before each record is looked up.
    public var hasSharedTopics: Bool { sharedCount > 0 }

    /// The collections of a class that have readers here: its rows, and those of its groups.
    public func grids(of id: ClassID) -> [Topic] {
        (places[.grid(id, nil)] == nil ? [] : [.grid(id, nil)]) + (groups[id] ?? [])
    }

    /// The time to a connection's next ping.
    mutating func pause() -> Duration { chance.spread(limits.pingInterval, percent: 20) }

    /// How long a connection may live.
    mutating func lifetime() -> Duration { chance.spread(limits.maximumAge, percent: 10) }

    // MARK: Readers

    /// Enters a reader; from here on nothing that happens to the topic escapes it.
    mutating func join(_ topic: Topic, _ reader: SubscriberID) -> TopicID {
        let id = places[topic] ?? open(topic)
        states[id.place]?.readers.insert(reader)
        return id
    }

    private mutating func open(_ topic: Topic) -> TopicID {
        let id: TopicID
        if let free = vacant.popLast() {
            id = free
            states[id.place] = TopicState(topic)
        } else {
            id = TopicID(index: UInt32(truncatingIfNeeded: states.count))
            states.append(TopicState(topic))
        }
        places[topic] = id
        if topic.isShared { sharedCount += 1 }
        if case .grid(let taught, .some) = topic { groups[taught, default: []].insert(topic) }
        return id
    }

    /// Lets a reader go; a topic without readers is forgotten.
    mutating func leave(_ id: TopicID, _ reader: SubscriberID) {
        states[id.place]?.readers.remove(reader)
        guard let state = states[id.place], state.readers.isEmpty else { return }
        places[state.topic] = nil
        if state.topic.isShared { sharedCount -= 1 }
        if case .grid(let taught, .some) = state.topic {
            groups[taught]?.remove(state.topic)
            if groups[taught]?.isEmpty == true { groups[taught] = nil }
        }
        states[id.place] = nil
        vacant.append(id)
    }

    func id(of topic: Topic) -> TopicID? { places[topic] }

    func topic(of id: TopicID) -> Topic? { states[id.place]?.topic }

    func version(of id: TopicID) -> Version? { states[id.place]?.version }

    func isProven(_ id: TopicID) -> Bool { states[id.place]?.isProven ?? false }

    /// The question whose answer proves a topic's version.
    func proof(of id: TopicID) -> ReadRequest.Kind { states[id.place]?.proof ?? .document }

    func isGone(_ id: TopicID) -> Bool { states[id.place]?.isGone ?? true }

    // MARK: Updates

    /// Takes in a committed change. Costs one look-up if the topic has no reader here.
    public mutating func publish(_ update: TopicUpdate) {
        guard let id = places[update.topic] else { return }
        guard update.revision.epoch == epoch else {
            // Another epoch: only a read shows which is newer.
            wantProof(of: id)
            return
        }
        switch update.change {
        case .rows:
            guard update.revision.version > states[id.place]?.version ?? -1 else { return }
            learn(update.revision.version, of: id)
        case .deleted:
            states[id.place]?.content = .gone
        case .document(let compose):
            guard let state = states[id.place], !state.isGone, update.revision.version > state.version ?? -1
            else { return }
            states[id.place]?.version = update.revision.version
            states[id.place]?.content = .uncomposed(compose)
            states[id.place]?.isWarm = true
            states[id.place]?.overtakeRead()
        }
        wake(id)
    }

    /// Has the document of a topic read again, because something that it is composed of changed and only a read shows
    /// whether that makes a new version. Costs one look-up if the topic has no reader here.
    ///
    /// The document of a feed is dropped, so that a reader who joins is not told what was withdrawn.
    public mutating func doubt(_ topic: Topic) {
        guard let id = places[topic], let state = states[id.place], !state.isGone else { return }
        if topic.isFeed { states[id.place]?.content = .absent }
        if case .running = state.reading {
            // It may have begun before the change.
            states[id.place]?.isDoubted = true
        } else {
            wantProof(of: id)
        }
    }

    /// Drops the document of a topic, also one that is being read, and has it read again: it may show what was withdrawn.
    mutating func withdrawDocument(of id: TopicID) {
        guard let state = states[id.place], !state.isGone else { return }
        states[id.place]?.content = .absent
        states[id.place]?.isProven = false
        // The answer to a read under way is not taken in.
        if case .running = state.reading { states[id.place]?.reading = .idle }
        _ = want(.document, of: id)
    }

    /// Whether an answer of that epoch may be believed that was asked for under epoch number `asked`.
    ///
    /// An answer to a question asked under the present number was given later than the present epoch began, so another
    /// epoch in it is a newer one, and voids all that is known. An answer to an older question proves no such thing.
    mutating func adopt(_ other: Epoch, asked: UInt32) -> Bool {
        if other == epoch { return true }
        guard asked == epochNumber else { return false }
        epoch = other
        epochNumber &+= 1
        for index in states.indices where states[index]?.isGone == false {
            states[index]?.version = nil
            states[index]?.content = .absent
            states[index]?.parts = RowParts()
            states[index]?.overtakeRead()
            wake(TopicID(index: UInt32(truncatingIfNeeded: index)))
        }
        return true
    }

    /// The newest version as it is sent, composed now if an update brought it; `nil` if it has to be read.
    mutating func rendition(of id: TopicID) -> Rendition? {
        guard let state = states[id.place], let version = state.version else { return nil }
        switch state.content {
        case .absent, .gone: return nil
        case .ready(let rendition):
            if !state.isWarm { states[id.place]?.isWarm = true }
            return rendition
        case .uncomposed(let compose):
            let document = LiveDocument(revision: Revision(epoch: epoch, version: version), bytes: compose())
            let rendition = render(document, of: state.topic)
            states[id.place]?.content = .ready(rendition)
            return rendition
        }
    }

    func render(_ document: LiveDocument, of topic: Topic) -> Rendition {
        Rendition(document, of: topic, limit: limits.documentBytes, address: address)
    }

    // MARK: Waking

    /// Wakes all readers of a topic, a slice at a time.
    mutating func wake(_ id: TopicID) {
        switch states[id.place]?.waking {
        case .idle:
            states[id.place]?.waking = .running
            beginFanout(id)
        case .running: states[id.place]?.waking = .runningThenAgain
        case .runningThenAgain, nil: break
        }
    }

    private mutating func beginFanout(_ id: TopicID) {
        guard let state = states[id.place] else { return }
        fanouts.append(Fanout(topicID: id, readers: state.readers))
    }

    /// Whether readers are still to be woken.
    public var hasWakes: Bool { !fanouts.isEmpty }

    /// The next reader to wake. A loop takes a slice of them, sees to its sockets, and comes back for more; after each
    /// slice of one large topic the others have their turn.
    public mutating func nextWake() -> Wake? {
        while let id = fanouts.first?.topicID {
            guard let reader = fanouts.changeFirst({ $0.next() }) else {
                _ = fanouts.popFirst()
                endFanout(id)
                continue
            }
            if let fanout = fanouts.first, fanout.position % max(1, limits.slice) == 0, fanouts.count > 1 {
                _ = fanouts.popFirst()
                fanouts.append(fanout)
            }
            return Wake(subscriber: reader, topicID: id)
        }
        return nil
    }

    private mutating func endFanout(_ id: TopicID) {
        switch states[id.place]?.waking {
        case .runningThenAgain:
            states[id.place]?.waking = .running
            beginFanout(id)
        case .running: states[id.place]?.waking = .idle
        case .idle, nil: break
        }
    }
}
