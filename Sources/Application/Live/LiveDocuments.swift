public import Accounts
import Gradebook
import GradingKit
import Institutions
public import Live
public import Records
public import Shared

/// The documents that are followed live: who may read each, what it says, and which version of it is the newest.
public struct LiveDocuments: Sendable {
    private let records: RecordService
    private let lists: RecordLists
    private let cohorts: CohortProjector
    private let sharings: RecordSharings
    /// The feeds of people.
    public let feeds: Feeds
    private let classes: ClassFollowing

    /// The documents of records, their programs and classes.
    init(
        records: RecordService, lists: RecordLists, cohorts: CohortProjector, sharings: RecordSharings,
        feeds: Feeds, classes: ClassFollowing
    ) {
        self.feeds = feeds
        self.records = records
        self.classes = classes
        self.sharings = sharings
        self.lists = lists
        self.cohorts = cohorts
    }

    /// Each new picture of a cohort as it is made.
    public var cohortPictures: AsyncStream<(ProgramID, LiveDocument)> { cohorts.pictures }

    /// Whether a caller may read a topic's document. That staff read the record of another person is recorded.
    public func mayRead(_ topic: Topic, as principal: Principal) async throws -> Bool {
        do {
            switch topic {
            case .standing(let id, let view), .record(let id, let view):
                // Staff may follow either view, a student the released one alone.
                return try await records.view(of: id, for: principal, from: "live") == .full || view == .released
            case .program(let id): _ = try await records.access.program(.read, id, for: principal)
            case .cohort(let id): _ = try await records.access.program(.oversee, id, for: principal)
            case .records(let account): return principal.account == account
            case .shared(let id): return try await sharings.mayRead(id, as: principal)
            case .feed(let account): return try await feeds.mayRead(account, as: principal)
            case .taughtClass(let id): return try await classes.mayRead(id, .outline, as: principal)
            case .grid(let id, let group):
                return try await classes.mayRead(id, ClassSight(group), as: principal)
            case .row(let id): return try await classes.mayRead(id, as: principal)
            }
            return true
        } catch is UseCaseError {
            return false
        }
    }

    /// How a caller who may read a topic appears to the others there; `nil` for topics without presence.
    public func participant(in topic: Topic, as principal: Principal) async throws -> Participant? {
        guard case .grid(let id, _) = topic else { return nil }
        return try await classes.participant(in: id, as: principal)
    }

    /// The newest document of a topic; `nil` when there is none.
    ///
    /// - Throws: ``StoreError/unavailable(_:)`` while this node does not know what rights other nodes took away.
    public func document(of topic: Topic) async throws -> LiveDocument? {
        try checkRightsAreKnown()
        switch topic {
        case .standing(let id, let view):
            return try await records.store.snapshot(of: id).map { snapshot in
                let view = RecordView(view)
                return LiveDocument(revision: snapshot.revision(view), bytes: snapshot.content(view).standing)
            }
        case .record(let id, let view):
            return try await records.store.snapshot(of: id).map { snapshot in
                let view = RecordView(view)
                let revision = snapshot.revision(view)
                return LiveDocument(
                    revision: revision, bytes: snapshot.content(view).document(version: revision.version))
            }
        case .program(let id): return try await program(id)
        case .records(let account): return try await lists.document(of: account)
        case .cohort(let id): return try await cohorts.document(of: id)
        case .shared(let id): return try await sharings.document(of: id)
        case .feed(let account):
            do {
                return try await feeds.document(of: account)
            } catch is UseCaseError {
                return nil
            }
        case .taughtClass(let id): return try await classes.document(of: id)
        case .row(let id): return try await classes.document(of: id)
        case .grid: return nil
        }
    }

    /// One part of what changed in a collection; `nil` when there is none such.
    public func rows(of topic: Topic, at cursor: RowsCursor) async throws -> LiveRows? {
        guard case .grid(let id, let group) = topic else { return nil }
        try checkRightsAreKnown()
        return try await classes.rows(of: id, group, at: cursor)
    }

    /// Refuses while this node does not follow what other nodes take away, so that no reader gets a newer document than
    /// the reader may have.
    private func checkRightsAreKnown() throws {
        guard records.store.accessNews.isFollowed else {
            throw StoreError.unavailable("the changes of other nodes are not known")
        }
    }

    /// The program as callers outside its staff see it.
    private func program(_ id: ProgramID) async throws -> LiveDocument? {
        guard let program = try await records.institutions.programs.find(id) else { return nil }
        let versions = try await records.institutions.programs.versionsInForce(of: program)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("program") { program.write(to: &$0, versions) }
        }
        return LiveDocument(revision: program.revision, bytes: writer.bytes)
    }

    /// The newest version of each topic, in the same order; `nil` for what is gone.
    ///
    /// - Throws: as ``document(of:)``.
    public func versions(of topics: [Topic]) async throws -> TopicVersions {
        try checkRightsAreKnown()
        let asked = Set(topics.compactMap(\.recordID))
        let found = try await records.store.versions(of: Array(asked))
        let versions = Dictionary(found.items.map { ($0.record, $0) }) { first, _ in first }
        let marks = try await classes.marks(of: Array(Set(topics.compactMap(\.classID))))
        let rows = try await classes.versions(of: Array(Set(topics.compactMap(\.enrolmentID))))
        var answer: [Version?] = []
        for topic in topics {
            switch topic {
            case .standing(let id, let view), .record(let id, let view):
                answer.append(view == .staff ? versions[id]?.full : versions[id]?.released)
            case .program(let id):
                answer.append(try await records.institutions.programs.find(id)?.revision.version)
            case .records(let account): answer.append(try await lists.version(of: account))
            case .shared(let id):
                guard let released = versions[id]?.released else {
                    answer.append(nil)
                    continue
                }
                answer.append(try await sharings.version(of: id, released: released))
            case .feed(let account): answer.append(try await feeds.version(of: account))
            case .cohort(let id): answer.append(try await cohorts.document(of: id)?.revision.version)
            case .grid(let id, _): answer.append(marks[id]?.version)
            case .taughtClass(let id): answer.append(marks[id]?.restated)
            case .row(let id): answer.append(rows[id])
            }
        }
        return TopicVersions(epoch: found.epoch, versions: answer)
    }
}

extension RecordView {
    /// What a topic shows of a record.
    public init(_ view: Topic.View) { self = view == .staff ? .full : .released }
}

extension Topic {
    /// The record that the topic is about, if it is about one.
    fileprivate var recordID: RecordID? {
        switch self {
        case .standing(let id, _), .record(let id, _), .shared(let id): id
        case .program, .cohort, .records, .feed, .taughtClass, .row, .grid: nil
        }
    }

    /// The class that the topic is about as its staff see it.
    fileprivate var classID: ClassID? {
        switch self {
        case .taughtClass(let id), .grid(let id, _): id
        default: nil
        }
    }

    /// The student's own row that the topic is about.
    fileprivate var enrolmentID: EnrolmentID? { if case .row(let id) = self { id } else { nil } }
}
