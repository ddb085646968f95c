import Application
import Live
public import Records
public import Shared
import Synchronization

/// Passes on what the store has committed to the live service, in commit order.
///
/// It exists before the live service does, because the store's observer must. What is committed before the service
/// opens has no readers.
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
    private let bell: AsyncStream<Void>.Continuation
    /// Rings when there may be something to take: at most one ring waits, however much has changed.
    let rings: AsyncStream<Void>

    /// A broadcaster that has no service yet.
    public init() {
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins to pass commits on: to the live service, and to the news of feeds.
    func open(_ service: LiveService, epoch: Epoch, telling news: FeedNews) {
        state.withLock {
            $0.service = service
            $0.epoch = epoch
            $0.news = news
        }
    }

    /// How many commits have taken rights away.
    var revocations: Int { state.withLock { $0.revocations } }

    /// Waits until every loop has taken in all revocations so far.
    func settle() async {
        let service = state.withLock { $0.service }
        await service?.settle()
    }

    /// Runs `body`, which passes on a batch's news and answers: the loops are woken once for all of it.
    public func gather(_ body: () -> Void) {
        guard let service = state.withLock({ $0.service }) else { return body() }
        service.gather(body)
    }

    /// What one batch of the store has committed; called by its writer, so quick and in order.
    public func committed(_ records: [RecordEvent], _ events: [StoreEvent]) {
        let (service, epoch, news) = state.withLock { state in
            if events.contains(where: \.revokes) { state.revocations += 1 }
            return (state.service, state.epoch, state.news)
        }
        guard let service else { return }
        service.publish(records, in: epoch)
        service.publish(events.compactMap(\.classNews), in: epoch)
        let shared = events.compactMap(\.sharedRecord)
        // A feed that may show one of them is withdrawn with it, and composed again.
        let feeds = news?.readers(showing: shared + records.compactMap(\.deletedRecord)) ?? []
        let topics = shared.map { Topic.shared($0) } + feeds.map { Topic.feed($0) }
        if !topics.isEmpty { service.post(.topics(topics)) }
        for event in events {
            switch event {
            case .accessChanged(let account): service.post(.rights(of: account))
            case .sessionEnded(let session): service.post(.session(session))
            case .tokenEnded(let token): service.post(.token(token))
            // A change of what a program says is no change of who may read it, so no right is checked again.
            case .audienceChanged(let program): service.post(.topics([.program(program)]))
            case .classAudienceChanged(let id, let rows):
                service.post(.topics([.grid(id, nil), .taughtClass(id)] + rows.map { .row($0) }))
            case .programChanged, .recordsChanged, .accountsChanged, .sharingChanged, .classChanged: break
            }
        }
        note(records, events)
        if let news { tell(news, of: records, events) }
    }

    /// What other nodes of the store have told this one that they changed. Documents are read again by those who read
    /// them here, and what is not told is found by the sweep.
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
            // The sweep compares all documents soon; a feed's version is not to be believed until then.
            case .everything: news?.hearOfEverything()
            }
        }
        service.doubt(doubted)
        service.publish(classes, in: epoch)
        guard !lists.isEmpty else { return }
        state.withLock { $0.changedLists.formUnion(lists) }
        bell.yield()
    }

    /// Any change of another node may have been missed: every session and every document is asked about again.
    public func lostTrack() {
        guard let service = state.withLock({ $0.service }) else { return }
        state.withLock { $0.revocations += 1 }
        service.post(.everything)
        heard([.everything])
    }

    /// Tells what may read differently in feeds.
    private func tell(_ news: FeedNews, of records: [RecordEvent], _ events: [StoreEvent]) {
        for case .deleted(let head) in records {
            // The record may have been shared.
            if let student = head.student { news.tell(.person(student)) }
        }
        // Each node takes these from the log.
        for change in events.compactMap(\.feedChange) { news.hear(change) }
        news.tell(.logs)
    }

    /// Remembers what has to be composed again.
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
        bell.yield()
    }

    /// Takes what has changed since the last time: topics that are composed when they are read.
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
    /// Every topic that follows one record.
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

    /// What an act changed in a class, if that is what changed.
    fileprivate var classNews: ClassNews? { if case .classChanged(let news) = self { news } else { nil } }

    /// What may read differently in feeds.
    fileprivate var feedChange: FeedNews.Change? {
        switch self {
        case .sharingChanged(let record): .record(record)
        case .accessChanged(let account): .person(account)
        default: nil
        }
    }

    /// What is shared differently, where that is what changed.
    fileprivate var sharedRecord: RecordID? {
        if case .sharingChanged(let record) = self { record } else { nil }
    }
}

extension ClassNews {
    /// Tells a hub of the topics that changed. Documents are composed again by those who read them.
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

    /// The record that is gone, if that is what happened.
    fileprivate var deletedRecord: RecordID? { if case .deleted(let head) = self { head.id } else { nil } }

    /// Tells a hub of the topics that changed. An update is made only for those that have readers there, and its
    /// document is composed later.
    func publish(to hub: inout Hub, in epoch: Epoch) {
        switch self {
        case .changed(let snapshot, let releasedChanged):
            snapshot.publish(.staff, to: &hub)
            guard releasedChanged else { return }
            snapshot.publish(.released, to: &hub)
            // What is shared is composed by those who read it, and only where there are any.
            if hub.hasSharedTopics { hub.doubt(.shared(snapshot.head.id)) }
        case .deleted(let head):
            // The last there will be of these topics: no version follows.
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
