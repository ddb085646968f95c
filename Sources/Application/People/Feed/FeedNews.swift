public import Shared
import Synchronization

/// News of what has changed in people's feeds, and who of the followed feeds is concerned.
///
/// A feed is composed when it is read, so what is kept of a followed one is only whom it follows and in which
/// institutions.
public final class FeedNews: Sendable {
    /// A change.
    public enum Change: Sendable, Hashable {
        /// The feed of one reader reads differently, and no other one.
        case reader(AccountID)
        /// What a person shares changed: the feeds of the person and of those who follow him or her read differently.
        case person(AccountID)
        /// An institution has another event.
        case institution(InstitutionID)
        /// A record's sharing changed.
        case record(RecordID)
        /// The logs have grown: there may be more to project.
        case logs
    }

    private struct Sources {
        let following: Set<AccountID>
        let institutions: Set<InstitutionID>
    }

    /// The greatest number of followed feeds. Above it the memory starts over, and feeds are found by the sweep.
    private static let capacity = 50_000
    private let followed = Mutex<[AccountID: Sources]>([:])
    private let pending = Mutex<Set<Change>>([])
    private let bell: AsyncStream<Void>.Continuation
    private let logBell: AsyncStream<Void>.Continuation
    /// Rings when there are changes to take.
    public let rings: AsyncStream<Void>
    /// Rings when the logs have grown.
    let logRings: AsyncStream<Void>

    /// Creates news without any change.
    public init() {
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (logRings, logBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Tells of a change.
    public func tell(_ change: Change) {
        if case .logs = change {
            logBell.yield()
        } else {
            pending.withLock { _ = $0.insert(change) }
            bell.yield()
        }
    }

    /// Takes the changes since the last time.
    func take() -> Set<Change> {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }

    /// Notes from whom a followed feed takes events.
    func note(_ reader: AccountID, following people: [AccountID], in institutions: Set<InstitutionID>) {
        let sources = Sources(following: Set(people), institutions: institutions)
        followed.withLock { followed in
            if followed.count >= Self.capacity, followed[reader] == nil { followed = [:] }
            followed[reader] = sources
        }
    }

    /// Returns whether changes of a feed are being followed.
    func isFollowed(_ reader: AccountID) -> Bool { followed.withLock { $0[reader] != nil } }

    /// Returns the followed feeds that some changes concern.
    func readers(of changes: Set<Change>) -> Set<AccountID> {
        var (owners, people): (Set<AccountID>, Set<AccountID>) = ([], [])
        var institutions: Set<InstitutionID> = []
        for change in changes {
            switch change {
            case .reader(let id): owners.insert(id)
            case .person(let id):
                owners.insert(id)
                people.insert(id)
            case .institution(let id): institutions.insert(id)
            case .record, .logs: break
            }
        }
        return followed.withLock { followed in
            var found = owners.filter { followed[$0] != nil }
            guard !people.isEmpty || !institutions.isEmpty else { return found }
            for (reader, sources) in followed
            where !sources.following.isDisjoint(with: people) || !sources.institutions.isDisjoint(with: institutions) {
                found.insert(reader)
            }
            return found
        }
    }

    /// Forgets feeds that are no longer followed.
    public func forget(_ readers: Set<AccountID>) {
        followed.withLock { followed in for reader in readers { followed[reader] = nil } }
    }
}
