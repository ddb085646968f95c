public import Shared

/// The live documents of one event loop: who reads which topic, and what is the newest of each.
///
/// A hub belongs to one loop and is never shared. It has no clock and no socket: it takes updates, what
/// reads brought and revocations, and hands out what is to be done — readers to wake (`nextWake`), documents to
/// read (`takeReads`), versions to compare (`nextSweepBatch`).
///
/// **Why every reader converges.** A reader joins its channel *before* anything is read for it, so an update is either
/// seen by that read or wakes the reader. Versions of a channel only rise within an epoch, so nothing goes back. A
/// wake-up that never arrived is made good by the sweep, which compares the version of every channel with the store's.
/// Readers look at the newest version when they write, not when they are woken, so a slow one skips versions and costs
/// nothing.
///
/// **Cost.** Memory follows the number of channels and readers. A document is kept only while it is being read: the
/// second sweep after its last use lets it go.
public struct Hub {
    /// One reader to tell that one of its topics may have changed.
    public struct Wake: Sendable {
        /// Whom to wake.
        public let subscriber: SubscriberID
        /// What may have changed.
        public let channel: ChannelID
    }

    struct Fanout {
        let channel: ChannelID
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

    var channels: [TopicState?] = []
    private var vacant: [ChannelID] = []
    private var places: [Topic: ChannelID] = [:]
    var accounts: [AccountID: SubscriberList] = [:]
    var credentials: [CredentialID: SubscriberList] = [:]

    private var fanouts = Queue<Fanout>()
    var wanted = Queue<ChannelID>()
    var readSerial: UInt32 = 0
    var sweep = Reconciliation.idle
    var chance: SplitMix64

    /// An empty hub.
    ///
    /// - Parameters:
    ///   - epoch: the store's epoch now; a later one is noticed by itself.
    ///   - seed: chance for jitter, so that connections do not move in step.
    public init(epoch: Epoch, limits: LiveLimits = LiveLimits(), seed: UInt64) {
        self.epoch = epoch
        self.limits = limits
        chance = SplitMix64(state: seed)
    }

    /// How many topics have readers here.
    public var topicCount: Int { places.count }

    /// Whether anybody reads a topic here.
    public func hasReaders(of topic: Topic) -> Bool { places[topic] != nil }

    /// The time to a connection's next ping.
    mutating func pause() -> Duration { chance.spread(limits.pingInterval, percent: 20) }

    /// How long a connection may live.
    mutating func lifetime() -> Duration { chance.spread(limits.maximumAge, percent: 10) }

    // MARK: Readers

    /// Enters a reader; from here on nothing that happens to the topic escapes it.
    mutating func join(_ topic: Topic, _ reader: SubscriberID) -> ChannelID {
        let id = places[topic] ?? open(topic)
        channels[id.place]?.readers.insert(reader)
        return id
    }

    private mutating func open(_ topic: Topic) -> ChannelID {
        let id: ChannelID
        if let free = vacant.popLast() {
            id = free
            channels[id.place] = TopicState(topic)
        } else {
            id = ChannelID(index: UInt32(truncatingIfNeeded: channels.count))
            channels.append(TopicState(topic))
        }
        places[topic] = id
        return id
    }

    /// Lets a reader go; a channel without readers is forgotten.
    mutating func leave(_ id: ChannelID, _ reader: SubscriberID) {
        channels[id.place]?.readers.remove(reader)
        guard let channel = channels[id.place], channel.readers.isEmpty else { return }
        places[channel.topic] = nil
        channels[id.place] = nil
        vacant.append(id)
    }

    func channel(of topic: Topic) -> ChannelID? { places[topic] }

    func topic(of id: ChannelID) -> Topic? { channels[id.place]?.topic }

    func version(of id: ChannelID) -> Version? { channels[id.place]?.version }

    func isProven(_ id: ChannelID) -> Bool { channels[id.place]?.isProven ?? false }

    func isGone(_ id: ChannelID) -> Bool { channels[id.place]?.isGone ?? true }

    // MARK: Updates

    /// Takes in a committed change. Costs one look-up if the topic has no reader here.
    public mutating func publish(_ update: TopicUpdate) {
        guard let id = places[update.topic] else { return }
        guard update.revision.epoch == epoch else {
            // Another epoch: only a read shows which is newer.
            _ = want(.document, of: id)
            return
        }
        switch update.change {
        case .deleted:
            channels[id.place]?.content = .gone
        case .document(let compose):
            guard let channel = channels[id.place], !channel.isGone, update.revision.version > channel.version ?? -1
            else { return }
            channels[id.place]?.version = update.revision.version
            channels[id.place]?.content = .uncomposed(compose)
            channels[id.place]?.isWarm = true
            channels[id.place]?.overtakeRead()
        }
        wake(id)
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
        for index in channels.indices where channels[index]?.isGone == false {
            channels[index]?.version = nil
            channels[index]?.content = .absent
            channels[index]?.overtakeRead()
            wake(ChannelID(index: UInt32(truncatingIfNeeded: index)))
        }
        return true
    }

    /// The newest version as it is sent, composed now if an update brought it; `nil` if it has to be read.
    mutating func rendition(of id: ChannelID) -> Rendition? {
        guard let channel = channels[id.place], let version = channel.version else { return nil }
        switch channel.content {
        case .absent, .gone: return nil
        case .ready(let rendition):
            if !channel.isWarm { channels[id.place]?.isWarm = true }
            return rendition
        case .uncomposed(let compose):
            let document = LiveDocument(revision: Revision(epoch: epoch, version: version), bytes: compose())
            let rendition = Rendition(document, of: channel.topic, limit: limits.documentBytes)
            channels[id.place]?.content = .ready(rendition)
            return rendition
        }
    }

    // MARK: Waking

    /// Wakes all readers of a topic, a slice at a time.
    mutating func wake(_ id: ChannelID) {
        switch channels[id.place]?.waking {
        case .idle:
            channels[id.place]?.waking = .running
            beginFanout(id)
        case .running: channels[id.place]?.waking = .runningThenAgain
        case .runningThenAgain, nil: break
        }
    }

    private mutating func beginFanout(_ id: ChannelID) {
        guard let channel = channels[id.place] else { return }
        fanouts.append(Fanout(channel: id, readers: channel.readers))
    }

    /// Whether readers are still to be woken.
    public var hasWakes: Bool { !fanouts.isEmpty }

    /// The next reader to wake. A loop takes a slice of them, sees to its sockets, and comes back for more; after each
    /// slice of one large topic the others have their turn.
    public mutating func nextWake() -> Wake? {
        while let channel = fanouts.first?.channel {
            guard let reader = fanouts.changeFirst({ $0.next() }) else {
                _ = fanouts.popFirst()
                endFanout(channel)
                continue
            }
            if let fanout = fanouts.first, fanout.position % max(1, limits.slice) == 0, fanouts.count > 1 {
                _ = fanouts.popFirst()
                fanouts.append(fanout)
            }
            return Wake(subscriber: reader, channel: channel)
        }
        return nil
    }

    private mutating func endFanout(_ id: ChannelID) {
        switch channels[id.place]?.waking {
        case .runningThenAgain:
            channels[id.place]?.waking = .running
            beginFanout(id)
        case .running: channels[id.place]?.waking = .idle
        case .idle, nil: break
        }
    }
}
