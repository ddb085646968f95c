public import Shared
import Synchronization

/// News of what has changed in people's feeds, and who of the followed feeds is concerned.
///
/// A feed is composed when it is read, so what is kept of a followed one is only whom it follows, in which
/// institutions, and which shared records it may show.
public final class FeedNews: Sendable {
    /// A change.
    public enum Change: Sendable, Hashable {
        /// The feed of one reader reads differently, and no other one.
        case reader(AccountID)
        /// What a person shares changed: the feeds of the person and of those who follow him or her read differently.
        case person(AccountID)
        /// An institution has another event.
        case institution(InstitutionID)
        /// A class shows or hides results.
        case taughtClass(ClassID)
        /// A record's sharing changed.
        case record(RecordID)
        /// The logs have grown: there may be more to project.
        case logs
    }

    private struct Sources {
        let following: Set<AccountID>
        let institutions: Set<InstitutionID>
        let classes: Set<ClassID>
        let records: Set<RecordID>
        /// How often the version was asked for since the feed was composed.
        var asked = 0

        var size: Int { 1 + following.count + institutions.count + classes.count + records.count }
    }

    /// The followed feeds, also by the shared records that they may show.
    private struct Followed {
        private(set) var sources: [AccountID: Sources] = [:]
        private var byRecord: [RecordID: Set<AccountID>] = [:]
        /// The number of feeds and of what they note.
        private(set) var size = 0

        mutating func set(_ new: Sources?, for reader: AccountID) {
            size += (new?.size ?? 0) - (sources[reader]?.size ?? 0)
            for record in sources[reader]?.records ?? [] {
                byRecord[record]?.remove(reader)
                if byRecord[record]?.isEmpty == true { byRecord[record] = nil }
            }
            sources[reader] = new
            for record in new?.records ?? [] { byRecord[record, default: []].insert(reader) }
        }

        mutating func noteAsking(_ reader: AccountID) { sources[reader]?.asked += 1 }

        func readers(of records: [RecordID]) -> Set<AccountID> {
            records.reduce(into: []) { $0.formUnion(byRecord[$1] ?? []) }
        }
    }

    /// How often a feed's version is taken from the store before the feed is composed again, which finds a change that
    /// came without news.
    static let trust = 8
    /// The greatest number of followed feeds and of what they note. Above it the memory starts over, and feeds are found
    /// by the sweep.
    private let capacity: Int
    /// Tells the other nodes of one store.
    private let tellOthers: @Sendable (WakeUp) -> Void
    private let followed = Mutex(Followed())
    private let pending = Mutex<Set<Change>>([])
    private let signal: AsyncStream<Void>.Continuation
    private let logBell: AsyncStream<Void>.Continuation
    /// Signals that there are changes to take.
    public let signals: AsyncStream<Void>
    /// Signals that the logs have grown.
    let logRings: AsyncStream<Void>

    /// Creates news without any change.
    ///
    /// - Parameter tellOthers: tells the other nodes of the store of a change.
    public convenience init(tellingOthers tellOthers: @escaping @Sendable (WakeUp) -> Void = { _ in }) {
        self.init(capacity: 1_000_000, tellingOthers: tellOthers)
    }

    init(capacity: Int, tellingOthers tellOthers: @escaping @Sendable (WakeUp) -> Void = { _ in }) {
        self.capacity = capacity
        self.tellOthers = tellOthers
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (logRings, logBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Tells of a change that this node made, here and on the other nodes.
    public func tell(_ change: Change) {
        if let wakeUp = change.wakeUp { tellOthers(wakeUp) }
        hear(change)
    }

    /// Tells of a change on this node alone, because the other nodes learn of it by themselves.
    public func hear(_ change: Change) {
        if case .logs = change {
            logBell.yield()
        } else {
            pending.withLock { _ = $0.insert(change) }
            signal.yield()
        }
    }

    /// Has every feed composed again when its version is asked for next: changes may have been missed.
    public func hearOfEverything() {
        followed.withLock { $0 = Followed() }
        logBell.yield()
    }

    /// Takes the changes since the last time.
    func take() -> Set<Change> {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }

    /// Notes from whom and from which classes a followed feed takes events, and which shared records it may show. To be called before rights
    /// and consents are looked up, so that one that ends in the meantime is known to concern the feed.
    func note(
        _ reader: AccountID, following people: [AccountID], in institutions: Set<InstitutionID>,
        attending classes: Set<ClassID> = [], showing records: Set<RecordID> = []
    ) {
        let sources = Sources(
            following: Set(people), institutions: institutions, classes: classes, records: records)
        followed.withLock { followed in
            followed.set(sources, for: reader)
            guard followed.size > capacity else { return }
            followed = Followed()
            followed.set(sources, for: reader)
        }
    }

    /// Returns whether the stored version of a feed is to be believed: its changes are being followed, and it was not
    /// asked for too often since it was composed.
    func trusts(_ reader: AccountID) -> Bool {
        followed.withLock { followed in
            guard let asked = followed.sources[reader]?.asked, asked < Self.trust else { return false }
            followed.noteAsking(reader)
            return true
        }
    }

    /// Returns the followed feeds that may show something of shared records. Quick, because the store's writer waits
    /// for it.
    public func readers(showing records: [RecordID]) -> Set<AccountID> {
        records.isEmpty ? [] : followed.withLock { $0.readers(of: records) }
    }

    /// Returns the followed feeds that some changes concern.
    func readers(of changes: Set<Change>) -> Set<AccountID> {
        var (owners, people): (Set<AccountID>, Set<AccountID>) = ([], [])
        var (institutions, classes): (Set<InstitutionID>, Set<ClassID>) = ([], [])
        for change in changes {
            switch change {
            case .reader(let id): owners.insert(id)
            case .person(let id):
                owners.insert(id)
                people.insert(id)
            case .institution(let id): institutions.insert(id)
            case .taughtClass(let id): classes.insert(id)
            case .record, .logs: break
            }
        }
        return followed.withLock { followed in
            var found = owners.filter { followed.sources[$0] != nil }
            guard !people.isEmpty || !institutions.isEmpty || !classes.isEmpty else { return found }
            for (reader, sources) in followed.sources
            where !sources.following.isDisjoint(with: people) || !sources.institutions.isDisjoint(with: institutions)
                || !sources.classes.isDisjoint(with: classes)
            {
                found.insert(reader)
            }
            return found
        }
    }

    /// Forgets feeds that are no longer followed.
    public func forget(_ readers: Set<AccountID>) {
        followed.withLock { followed in for reader in readers { followed.set(nil, for: reader) } }
    }
}

extension FeedNews.Change {
    /// What the other nodes are told; `nil` for what they find in the store's log or by looking now and then.
    fileprivate var wakeUp: WakeUp? {
        switch self {
        case .reader(let id): .feed(of: id)
        case .person(let id): .feeds(around: id)
        case .institution(let id): .feedsOf(id)
        case .taughtClass(let id): .feedsIn(id)
        case .record, .logs: nil
        }
    }
}
