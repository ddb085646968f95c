import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
public import Live
public import People
import Records
public import Shared

/// People's feeds: pages of events, filled in from what the reader may read at the moment, and what has been seen.
public struct Feeds: Sendable {
    /// A page of a feed.
    public struct Page: Sendable {
        /// The lines, the latest first.
        public let lines: [FeedLine]
        /// Where the next page begins; `nil` at the end.
        public let next: FeedCursor?
    }

    /// The number of lines of the live document.
    public static let newest = 20
    /// The maximum number of lines of a page.
    public static let longest = 50
    /// The greatest number of unread lines that is counted.
    static let mostUnread = 100
    /// The greatest number of events that one page looks at. A page ends early when they are used up.
    private static let budget = 1_000
    private static let read = 200
    private static let mostFollowed = FriendPlans.mostFollows
    private static let mostShared = 2_000
    private static let mostInstitutions = 100
    private static let mostClasses = 200

    let store: any PeopleStore
    private let records: RecordService
    private let classes: any GradebookStore
    private let bookCache: ClassBookCache
    private let sharings: RecordSharings
    let profiles: Profiles
    private let projections: any ProjectionStore
    /// Whether the operator lets people follow each other.
    let isEnabled: Bool
    /// News of what has changed in feeds.
    public let news: FeedNews

    /// Creates the service over the store of people.
    init(
        store: any PeopleStore, records: RecordService, classes: any GradebookStore, bookCache: ClassBookCache,
        sharings: RecordSharings, profiles: Profiles, projections: any ProjectionStore, isEnabled: Bool,
        news: FeedNews
    ) {
        self.store = store
        self.records = records
        self.classes = classes
        self.bookCache = bookCache
        self.sharings = sharings
        self.profiles = profiles
        self.projections = projections
        self.isEnabled = isEnabled
        self.news = news
    }

    // MARK: Pages

    /// Returns a page of the caller's feed.
    ///
    /// - Parameter limit: The maximum number of lines.
    /// - Throws: `not_found` for a service account, and for everyone where the operator has turned feeds off.
    public func page(after cursor: FeedCursor?, limit: Int, _ context: AccountContext) async throws -> Page {
        let reader = try await reader(context.account)
        let choices = try await store.noticeChoices(of: reader.id)
        return try await page(of: reader, choices.shown, after: cursor, limit: limit)
    }

    /// Returns the account if it is a person's who may act.
    func reader(_ id: AccountID) async throws -> Account {
        guard isEnabled, let account = try await profiles.account(id), account.service == nil, !account.isDisabled
        else { throw UseCaseError.notFound }
        return account
    }

    /// Returns a page of an account's feed with some types of events.
    ///
    /// - Parameters:
    ///   - since: Events of this moment and earlier ones are left out.
    ///   - numbers: The numbers of the events that are not left out; `nil` for all.
    ///   - shared: The shared records of those whom the reader follows, if they are known. Whether each may be read is
    ///     asked again.
    func page(
        of reader: Account, _ types: FeedTypes, after cursor: FeedCursor? = nil, since: Timestamp? = nil,
        numbers: Range<Int>? = nil, limit: Int, shared known: [SharedRecord]? = nil
    ) async throws -> Page {
        let memberships = try await records.institutions.members.memberships(of: reader.id)
        var shared = known ?? []
        if known == nil { shared = try await store.sharedByFollowed(of: reader.id, limit: Self.mostShared) }
        let attended = try await attendedClasses(of: reader.id)
        let composer = FeedComposer(
            reader: reader, memberships: memberships, attended: attended, shared: shared, store: store,
            records: records, classes: classes, bookCache: bookCache, sharings: sharings, profiles: profiles)
        let sources = try await sources(of: reader.id, memberships, attended, shared, since: since, numbers)
        var gathering = FeedGathering(after: cursor, limit: limit, budget: Self.budget)
        var lines: [FeedLine] = []
        repeat {
            while !gathering.isReady {
                let events = try await store.feedEvents(from: sources, before: gathering.place, limit: Self.read)
                for event in try await composer.take(events) {
                    let wanted = composer.types(of: event).intersection(types)
                    let verdict = gathering.verdict(on: event, wanted)
                    if case .full = verdict { break }
                    guard case .candidate = verdict else { continue }
                    gathering.take(event, wanted, isVisible: try await composer.isVisible(event))
                }
                if events.count < Self.read { gathering.end() }
            }
            for group in gathering.takeGroups() {
                if let line = try await composer.line(group) { lines.append(line) }
            }
        } while gathering.resume(withRoomFor: limit - lines.count)
        return Page(lines: lines, next: gathering.next)
    }

    /// Returns the streams from which an account's feed is read.
    private func sources(
        of account: AccountID, _ memberships: [Membership], _ attended: [Classes.Enrolment],
        _ shared: [SharedRecord], since: Timestamp?, _ numbers: Range<Int>?
    ) async throws -> [FeedSource] {
        let since = since.map { Timestamp(microseconds: $0.microseconds + 1) }
        var begun: [AccountID: Timestamp] = [:]
        for record in shared { begun[record.owner] = min(begun[record.owner] ?? record.since, record.since) }
        let shown = begun.map { owner, moment in
            FeedSource(.account(owner), isShown: true, since: max(moment, since ?? moment), numbers: numbers)
        }
        let institutions = try await institutions(of: account, memberships)
        return [FeedSource(.account(account), since: since, numbers: numbers)] + shown
            + institutions.map { FeedSource(.institution($0), since: max($1, since ?? $1), numbers: numbers) }
            + memberships.prefix(Self.mostInstitutions).filter { $0.role == .registrar }.map {
                FeedSource(.registrars($0.institution), since: max($0.since, since ?? $0.since), numbers: numbers)
            }
            + attended.map { FeedSource(.taughtClass($0.classID), since: since, numbers: numbers) }
    }

    /// Returns the classes in which an account is a student, at most ``mostClasses`` of those that were entered last.
    private func attendedClasses(of account: AccountID) async throws -> [Classes.Enrolment] {
        let enrolments = try await classes.enrolments(of: account).filter { !$0.isWithdrawn }
        return Array(enrolments.sorted { ($0.since, $0.id) > ($1.since, $1.id) }.prefix(Self.mostClasses))
    }

    /// Returns the institutions that an account belongs to, or has a record in, and since when.
    private func institutions(
        of account: AccountID, _ memberships: [Membership]
    ) async throws -> [InstitutionID: Timestamp] {
        let ofRecords = try await store.institutionsOfRecords(of: account, limit: Self.mostInstitutions)
        let belonging = memberships.prefix(Self.mostInstitutions).map { ($0.institution, $0.since) }
        return Dictionary(belonging + ofRecords.map { ($0.institution, $0.since) }) { min($0, $1) }
    }

    // MARK: The live document

    /// Returns the newest lines of an account's feed with the number of unread ones, as the document that is followed
    /// live.
    ///
    /// - Throws: `not_found` as ``page(after:limit:_:)``.
    public func newest(_ context: AccountContext) async throws -> LiveDocument {
        try await document(of: context.account)
    }

    /// Returns the live document of an account, without checking the caller.
    func document(of account: AccountID) async throws -> LiveDocument {
        let (revision, bytes) = try await projections.compose(Self.name(account)) { try await compose(account) }
        return LiveDocument(revision: revision, bytes: bytes)
    }

    private func compose(_ account: AccountID) async throws -> [UInt8] {
        let reader = try await reader(account)
        // Noted before anything is read, so that no later change escapes.
        let memberships = try await records.institutions.members.memberships(of: account)
        let shared = try await store.sharedByFollowed(of: account, limit: Self.mostShared)
        news.note(
            account, following: try await store.followed(by: account, limit: Self.mostFollowed),
            in: Set(try await institutions(of: account, memberships).keys),
            attending: Set(try await attendedClasses(of: account).map(\.classID)),
            showing: Set(shared.map(\.record)))
        let choices = try await store.noticeChoices(of: account)
        let seen = try await store.feedSeen(by: account)
        let page = try await page(of: reader, choices.shown, limit: Self.newest, shared: shared)
        var unread = page.lines.filter { $0.isUnread(since: seen) }.count
        if unread == page.lines.count, let next = page.next {
            let more = try await self.page(
                of: reader, choices.shown, after: next, since: seen, limit: Self.mostUnread - unread,
                shared: shared)
            unread += more.lines.filter { $0.isUnread(since: seen) }.count
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("items") { writer in writer.array { for line in page.lines { line.write(to: &$0) } } }
            writer.member("unread", unread)
            writer.member("seen", seen?.description)
            writer.member("next", page.next.map { $0.text })
        }
        return writer.bytes
    }

    /// Returns whether a caller may follow an account's feed: only the account itself may.
    func mayRead(_ account: AccountID, as principal: Principal) async throws -> Bool {
        guard principal.account == account else { return false }
        _ = try await reader(account)
        return true
    }

    /// Returns the newest version of an account's live document. Composes it unless its changes are being followed, and
    /// even then now and then, so that a change without news is found.
    func version(of account: AccountID) async throws -> Version? {
        guard isEnabled else { return nil }
        if news.trusts(account) { return try await projections.version(of: Self.name(account)) }
        do {
            return try await document(of: account).revision.version
        } catch is UseCaseError {
            return nil
        }
    }

    private static func name(_ account: AccountID) -> String { "feed/\(account)" }

    /// Returns the followed feeds that have changed since the last time.
    public func takeChanged() async -> Set<AccountID> {
        var changes = news.take()
        for change in changes {
            // A deleted record is in no feed any more. Its deletion has noted the student instead.
            guard case .record(let id) = change, let student = try? await records.store.head(of: id)?.student else {
                continue
            }
            changes.insert(.person(student))
        }
        return news.readers(of: changes)
    }

    // MARK: Seen

    /// Stores that the caller has seen the feed up to a moment; an earlier one than is stored changes nothing.
    ///
    /// - Returns: The moment that is stored.
    public func see(_ moment: Timestamp, _ context: AccountContext) async throws -> Timestamp {
        let reader = try await reader(context.account)
        let seen = try await store.setFeedSeen(min(moment, context.now), by: reader.id)
        news.tell(.reader(reader.id))
        return seen
    }

    // MARK: Choices

    /// Returns the caller's choice of notifications.
    public func choices(_ context: AccountContext) async throws -> NoticeChoices {
        try await store.noticeChoices(of: try await reader(context.account).id)
    }

    /// Stores the caller's choice of notifications.
    public func choose(_ choices: NoticeChoices, _ context: AccountContext) async throws {
        let reader = try await reader(context.account)
        try await store.setNoticeChoices(
            choices, of: reader.id, audit: context.audit().entry("notices.changed", of: reader.id.text))
        news.tell(.reader(reader.id))
    }
}

extension FeedLine {
    /// Returns whether the line is later than what was seen. Times are told to the millisecond.
    func isUnread(since seen: Timestamp?) -> Bool {
        seen.map { at.microseconds / 1_000 > $0.microseconds / 1_000 } ?? true
    }
}
