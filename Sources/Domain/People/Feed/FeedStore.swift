public import Shared

/// The store of events, and of what accounts have seen and chosen.
public protocol FeedStore: Sendable {
    // MARK: The projector

    /// Returns the next slice of the logs, from the position that was reached: up to `limit` rows of each that it reads.
    /// Changes that the store has in memory come all at once.
    func feedSlice(limit: Int) async throws -> FeedSlice

    /// Stores events, each once and each change of a record in one of them, the outcomes met, who is to be notified of
    /// the events, and the position reached. Events are numbered in the order in which they are stored; their times may
    /// be in another one.
    ///
    /// - Parameter from: The position from which the events were made; if it is no longer the one reached, nothing is
    ///   stored.
    func store(
        _ events: [FeedEvent], met: [RecordID: Set<String>], notifying due: [FeedDue], from: FeedProgress,
        to: FeedProgress
    ) async throws

    /// Deletes up to `limit` events of before `moment`; returns the number deleted.
    func sweepFeed(before moment: Timestamp, limit: Int) async throws -> Int

    // MARK: Readers

    /// Returns up to `limit` events of some sources before a place, the latest first.
    func feedEvents(
        from sources: [FeedSource], before place: FeedPlace?, limit: Int
    ) async throws -> [FeedEvent]

    /// Returns what the log says of some changes of records, by their places.
    func feedChanges(_ places: [Int]) async throws -> [Int: FeedChange]

    /// Returns up to `limit` shared records of people whom an account follows.
    func sharedByFollowed(of account: AccountID, limit: Int) async throws -> [SharedRecord]

    /// Returns up to `limit` people whom an account follows, whether or not they share anything.
    func followed(by account: AccountID, limit: Int) async throws -> [AccountID]

    /// Returns up to `limit` institutions in which an account has a record, with the time of the first one.
    func institutionsOfRecords(
        of account: AccountID, limit: Int
    ) async throws -> [(institution: InstitutionID, since: Timestamp)]

    // MARK: What an account has seen and chosen

    /// Returns the time of the latest event that an account has seen; `nil` if it has seen none.
    func feedSeen(by account: AccountID) async throws -> Timestamp?

    /// Stores the time of the latest event that an account has seen, unless a later one is stored; returns the stored
    /// one.
    func setFeedSeen(_ moment: Timestamp, by account: AccountID) async throws -> Timestamp

    /// Returns an account's choices of notices.
    func noticeChoices(of account: AccountID) async throws -> NoticeChoices

    /// Stores an account's choices of notices.
    func setNoticeChoices(_ choices: NoticeChoices, of account: AccountID, audit: AuditEntry) async throws

    // MARK: Notices by mail

    /// Returns those who wish mails of people's events: the people, and those who follow them.
    func noticeReaders(of events: [FeedEvent]) async throws -> [NoticeReader]

    /// Returns those who wish mails of an event of an institution, its registrars or a class, up to `limit` after a cursor, ordered by
    /// account; none for the event of a person.
    func noticeReaders(
        of event: FeedEvent, after cursor: AccountID?, limit: Int
    ) async throws -> [NoticeReader]

    /// Returns up to `limit` notices that are due, the earliest first, each with the numbers of the events that may
    /// belong to it.
    func dueNotices(at now: Timestamp, limit: Int) async throws -> [FeedDue]

    /// Ends a notice, and queues a mail for it, if one is to be sent. If the account has got enough mails, the notice is
    /// put off with all its events. If other events have joined it since it was read, nothing changes.
    func settle(_ due: FeedDue, mail: Mail?) async throws

    // MARK: Announcements

    /// Returns an announcement; `nil` if there is none.
    func announcement(_ id: String) async throws -> Announcement?

    /// Changes an institution's announcements by a pure function of the rows found.
    func changeAnnouncements<Value: Sendable>(
        of institution: InstitutionID, _ id: String, at moment: Timestamp,
        _ plan: @escaping @Sendable (AnnouncementRows) throws -> PeoplePlan<Value>
    ) async throws -> Value
}
