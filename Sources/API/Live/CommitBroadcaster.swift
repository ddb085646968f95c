import Application
import Live
public import Records
public import Shared
import Synchronization

/// Passes the store's commits on to the live service, in commit order.
///
/// It exists before the live service, because the store's observer must. Commits before the service opens have no
/// readers.
public final class CommitBroadcaster: Sendable {
    private struct State {
        var service: LiveService?
        var epoch = Epoch("")
        var revocations = 0
        var changedLists: Set<AccountID> = []
        var changedPrograms: Set<ProgramID> = []
        var news: FeedNews?
    }

    private let state = Mutex(State())
    private let signal: AsyncStream<Void>.Continuation
    /// Signals that there may be something to take. At most one signal waits, however much has changed.
    let signals: AsyncStream<Void>

    /// Creates a broadcaster without a service.
    public init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins to pass commits on to the live service and to the news of feeds.
    func open(_ service: LiveService, epoch: Epoch, telling news: FeedNews) {
        state.withLock {
            $0.service = service
            $0.epoch = epoch
            $0.news = news
        }
    }

    /// The number of commits that took rights away.
    var revocations: Int { state.withLock { $0.revocations } }

    /// Waits until every loop has handled all revocations so far.
    func settle() async {
        let service = state.withLock { $0.service }
        await service?.settle()
    }

    /// Runs `body`, which passes on the news and answers of a batch, and then wakes the loops once.
    public func gather(_ body: () -> Void) {
        guard let service = state.withLock({ $0.service }) else { return body() }
        service.gather(body)
    }

    /// Passes on what one batch of the store committed. The store's writer calls it, so it must be quick and keep the
    /// order.
    public func committed(_ records: [RecordEvent], _ events: [StoreEvent]) {
        let (service, epoch, news) = state.withLock { state in
            if events.contains(where: \.revokes) { state.revocations += 1 }
            return (state.service, state.epoch, state.news)
        }
        guard let service else { return }
        service.publish(records, in: epoch)
        service.publish(events.compactMap(\.classNews), in: epoch)
        let shared = events.compactMap(\.sharedRecord)
        // A feed that may show one of them is withdrawn too, and composed again.
        let feeds = news?.readers(showing: shared + records.compactMap(\.deletedRecord)) ?? []
        let topics = shared.map { Topic.shared($0) } + feeds.map { Topic.feed($0) }
        if !topics.isEmpty { service.post(.topics(topics)) }
        for event in events {
            switch event {
            case .accessChanged(let account): service.post(.rights(of: account))
            case .sessionEnded(let session): service.post(.session(session))
            case .tokenEnded(let token): service.post(.token(token))
            // A change of a program's content does not change who may read it, so no right is checked again.
            case .audienceChanged(let program): service.post(.topics([.program(program)]))
            case .classAudienceChanged(let id, let rows):
                service.post(.topics([.grid(id, nil), .taughtClass(id)] + rows.map { .row($0) }))
            case .programChanged, .recordsChanged, .accountsChanged, .sharingChanged, .classChanged: break
            }
        }
        note(records, events)
        if let news { tell(news, of: records, events) }
    }

    /// Passes on what other nodes of the store reported as changed. Documents with readers here are read again; the
    /// sweep finds changes that were not reported.
    public func heard(_ wakeUps: [WakeUp]) {
        let (service, epoch, news) = state.withLock { ($0.service, $0.epoch, $0.news) }
        guard let service else { return }
        var doubted: [Topic] = []
        var classes: [ClassNews] = []
        var lists: Set<AccountID> = []
        for wakeUp in wakeUps {
            switch wakeUp {
            case .record(let record, let student):
                doubted += Topic.all(of: record)
                if let student { lists.insert(student) }
            case .taughtClass(let news): classes.append(news)
            case .feed(let reader): news?.hear(.reader(reader))
            case .feeds(let person): news?.hear(.person(person))
            case .feedsOf(let institution): news?.hear(.institution(institution))
            case .feedsIn(let id): news?.hear(.taughtClass(id))
            case .log: break
            // The sweep soon compares all documents; a feed's version is not reliable until then.
            case .everything: news?.hearOfEverything()
            }
        }
        service.doubt(doubted)
        service.publish(classes, in: epoch)
        guard !lists.isEmpty else { return }
        state.withLock { $0.changedLists.formUnion(lists) }
        signal.yield()
    }

    /// Handles that a change of another node may have been missed: every session and document is checked again.
    public func lostTrack() {
        guard let service = state.withLock({ $0.service }) else { return }
        state.withLock { $0.revocations += 1 }
        service.post(.everything)
        heard([.everything])
    }

    /// Reports changes that may affect feeds.
    private func tell(_ news: FeedNews, of records: [RecordEvent], _ events: [StoreEvent]) {
        for case .deleted(let head) in records {
            // The record may have been shared.
            if let student = head.student { news.tell(.person(student)) }
        }
        // Each node takes these from the log.
        for change in events.compactMap(\.feedChange) { news.hear(change) }
        news.tell(.logs)
    }

    /// Notes what has to be composed again.
    private func note(_ records: [RecordEvent], _ events: [StoreEvent]) {
        state.withLock { state in
            for event in records {
                if let student = event.head.student { state.changedLists.insert(student) }
            }
            for event in events {
                switch event {
                case .programChanged(let program): state.changedPrograms.insert(program)
                case .recordsChanged(let account): state.changedLists.insert(account)
                case .accessChanged, .audienceChanged, .sessionEnded, .tokenEnded, .accountsChanged, .sharingChanged,
                    .classChanged, .classAudienceChanged:
                    break
                }
            }
        }
        signal.yield()
    }

    /// Takes the changes since the last call: topics that are composed when they are read.
    func takeChanged() -> [Topic] {
        state.withLock { state in
            defer {
                state.changedLists = []
                state.changedPrograms = []
            }
            return state.changedLists.map { .records($0) } + state.changedPrograms.map { .program($0) }
        }
    }
}

extension Topic {
    /// All topics of one record.
    fileprivate static func all(of record: RecordID) -> [Topic] {
        let views = [View.staff, .released].flatMap { [Topic.standing(record, $0), .record(record, $0)] }
        return views + [.shared(record)]
    }
}

extension StoreEvent {
    fileprivate var revokes: Bool {
        switch self {
        case .accessChanged, .audienceChanged, .sessionEnded, .tokenEnded, .sharingChanged, .classAudienceChanged: true
        case .accountsChanged, .programChanged, .recordsChanged, .classChanged: false
        }
    }

    /// The effect of an act on a class, if that is what changed.
    fileprivate var classNews: ClassNews? { if case .classChanged(let news) = self { news } else { nil } }

    /// The change that may affect feeds.
    fileprivate var feedChange: FeedNews.Change? {
        switch self {
        case .sharingChanged(let record): .record(record)
        case .accessChanged(let account): .person(account)
        default: nil
        }
    }

    /// The record whose sharing changed, if that is what changed.
    fileprivate var sharedRecord: RecordID? {
        if case .sharingChanged(let record) = self { record } else { nil }
    }
}

extension ClassNews {
    /// Reports changed topics to a hub. Readers compose the documents again.
    func publish(to hub: inout Hub, in epoch: Epoch) {
        for grid in hub.grids(of: id) {
            if let version {
                let revision = Revision(epoch: epoch, version: version)
                hub.publish(TopicUpdate(topic: grid, revision: revision, change: .rows))
            } else {
                hub.doubt(grid)
            }
        }
        if isRestated { hub.doubt(.taughtClass(id)) }
        for row in rows { hub.doubt(.row(row)) }
    }
}

extension RecordEvent {
    fileprivate var head: RecordHead {
        switch self {
        case .changed(let snapshot, _): snapshot.head
        case .deleted(let head): head
        }
    }

    /// The deleted record, if that is what happened.
    fileprivate var deletedRecord: RecordID? { if case .deleted(let head) = self { head.id } else { nil } }

    /// Reports changed topics to a hub. Only topics with readers there get an update, whose document is composed later.
    func publish(to hub: inout Hub, in epoch: Epoch) {
        switch self {
        case .changed(let snapshot, let releasedChanged):
            snapshot.publish(.staff, to: &hub)
            guard releasedChanged else { return }
            snapshot.publish(.released, to: &hub)
            // Readers compose what is shared, and only if there are any.
            if hub.hasSharedTopics { hub.doubt(.shared(snapshot.head.id)) }
        case .deleted(let head):
            // The last revision of these topics: no version follows.
            let revision = Revision(epoch: epoch, version: .max)
            for view in [Topic.View.staff, .released] {
                for topic in [Topic.standing(head.id, view), .record(head.id, view)] {
                    hub.publish(TopicUpdate(topic: topic, revision: revision, change: .deleted))
                }
            }
            hub.publish(TopicUpdate(topic: .shared(head.id), revision: revision, change: .deleted))
        }
    }
}

extension RecordSnapshot {
    fileprivate func publish(_ view: Topic.View, to hub: inout Hub) {
        let (standing, record) = (Topic.standing(head.id, view), Topic.record(head.id, view))
        let revision = revision(RecordView(view))
        if hub.hasReaders(of: standing) {
            let content = content(RecordView(view))
            hub.publish(TopicUpdate(topic: standing, revision: revision, change: .document { content.standing }))
        }
        if hub.hasReaders(of: record) {
            let content = content(RecordView(view))
            hub.publish(
                TopicUpdate(
                    topic: record, revision: revision,
                    change: .document { content.document(version: revision.version) }))
        }
    }
}
