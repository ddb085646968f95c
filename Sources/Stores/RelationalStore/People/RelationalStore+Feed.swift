import Database
public import People
public import Shared

extension RelationalStore {
    /// Returns events of some sources before a place, the latest first.
    public func feedEvents(
        from sources: [FeedSource], before place: FeedPlace?, limit: Int
    ) async throws -> [FeedEvent] {
        try await read { connection in
            // One event of each source is at hand, a few more behind it; the latest of them is always the next.
            var heads = try sources.flatMap { source in
                try source.parts.compactMap {
                    try FeedHead(source, shown: $0, before: place, on: connection)
                }
            }
            heads.sort { $0.next.place < $1.next.place }
            var found: [FeedEvent] = []
            while found.count < limit, var head = heads.popLast() {
                found.append(head.next)
                guard try head.advance(on: connection) else { continue }
                let index = heads.partitioningIndex { head.next.place < $0.next.place }
                heads.insert(head, at: index)
            }
            return found
        }
    }

    /// Returns what the log says of changes of records.
    public func feedChanges(_ places: [Int]) async throws -> [Int: FeedChange] {
        guard !places.isEmpty else { return [:] }
        return try await read { connection in
            var found: [Int: FeedChange] = [:]
            for place in places {
                found[place] = try connection.first(
                    """
                    SELECT accounts.id, accounts.display_name,
                        iif(changes.released_operation IS NULL, changes.figures, changes.released_figures)
                    FROM changes LEFT JOIN accounts ON accounts.id = changes.account WHERE changes.seq = ?
                    """, .integer(place)
                ) { row in
                    FeedChange(
                        author: row.optionalText(0).map { AccountID($0) }, displayName: row.optionalText(1),
                        figures: row.optionalBytes(2))
                }
            }
            return found
        }
    }

    /// Returns shared records of people whom an account follows.
    public func sharedByFollowed(of account: AccountID, limit: Int) async throws -> [SharedRecord] {
        try await read { connection in
            try connection.all(
                """
                SELECT record, institution, owner, what, audiences, shared_records.since FROM follows
                JOIN shared_records ON shared_records.owner = follows.followed
                WHERE follows.follower = ? AND follows.state = 'following' LIMIT ?
                """, .text(account.text), .integer(limit)
            ) { SharedRecord($0) }
        }
    }

    /// Returns the people whom an account follows.
    public func followed(by account: AccountID, limit: Int) async throws -> [AccountID] {
        try await read { connection in
            try connection.all(
                "SELECT followed FROM follows WHERE follower = ? AND state = 'following' LIMIT ?", .text(account.text),
                .integer(limit)
            ) { AccountID($0.text(0)) }
        }
    }

    /// Returns the institutions in which an account has a record.
    public func institutionsOfRecords(
        of account: AccountID, limit: Int
    ) async throws -> [(institution: InstitutionID, since: Timestamp)] {
        try await read { connection in
            try connection.all(
                "SELECT institution, min(created_at) FROM records WHERE student = ? GROUP BY institution LIMIT ?",
                .text(account.text), .integer(limit)
            ) { (InstitutionID($0.text(0)), Timestamp(microseconds: Int64($0.integer(1)))) }
        }
    }

    /// Returns the time of the latest event that an account has seen.
    public func feedSeen(by account: AccountID) async throws -> Timestamp? {
        try await read { try $0.feedSeen(by: account) }
    }

    /// Stores the time of the latest event that an account has seen.
    public func setFeedSeen(_ moment: Timestamp, by account: AccountID) async throws -> Timestamp {
        try await write { transaction in
            try transaction.connection.run(
                """
                INSERT INTO feed_seen (account, at) SELECT id, ?2 FROM accounts WHERE id = ?1
                ON CONFLICT (account) DO UPDATE SET at = max(feed_seen.at, excluded.at)
                """, .text(account.text), .integer(moment.microseconds))
            return try transaction.connection.feedSeen(by: account) ?? moment
        }
    }

    /// Returns an announcement.
    public func announcement(_ id: String) async throws -> Announcement? {
        try await read { try $0.announcement(id) }
    }

    /// Changes an institution's announcements.
    public func changeAnnouncements<Value: Sendable>(
        of institution: InstitutionID, _ id: String, at moment: Timestamp,
        _ plan: @escaping @Sendable (AnnouncementRows) throws -> PeoplePlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let connection = transaction.connection
            // The trail keeps what was withdrawn since. The condition on the action is that of the index.
            let recent = try connection.first(
                "SELECT count(*) FROM audit WHERE scope = ? AND action = 'announcement.made' AND at > ?",
                .text(institution.text), .integer(moment.adding(seconds: -AnnouncementPlans.period).microseconds)
            ) { $0.integer(0) }
            let rows = AnnouncementRows(found: try connection.announcement(id), recent: recent ?? 0)
            return try transaction.apply(plan(rows))
        }
    }
}

extension FeedSource {
    /// Whether events that are shown to others are taken, and those that are not.
    fileprivate var parts: [Bool] {
        switch stream {
        case .account: isShown ? [true] : [false, true]
        case .institution, .taughtClass, .registrars: [false]
        }
    }
}

/// The next event of a source, of those that are shown to others or of those that are not, with some that follow it.
private struct FeedHead {
    private static let read = 16
    private let source: FeedSource
    private let isShown: Bool
    private(set) var next: FeedEvent
    private var rest: ArraySlice<FeedEvent>
    private var isAtEnd: Bool

    init?(_ source: FeedSource, shown: Bool, before place: FeedPlace?, on connection: Connection) throws {
        (self.source, isShown) = (source, shown)
        // Most sources have nothing for a page, so one event is read at first.
        let found = try connection.feedEvents(of: source, shown: shown, before: place, limit: 1)
        guard let first = found.first else { return nil }
        (next, rest, isAtEnd) = (first, [], false)
    }

    /// Moves on to the event before; returns `false` at the end.
    mutating func advance(on connection: Connection) throws -> Bool {
        if rest.isEmpty, !isAtEnd {
            let found = try connection.feedEvents(of: source, shown: isShown, before: next.place, limit: Self.read)
            (rest, isAtEnd) = (found[...], found.count < Self.read)
        }
        guard let event = rest.popFirst() else { return false }
        next = event
        return true
    }
}

extension Array {
    /// Returns the first index whose element belongs to the second part of an array, which `isSecond` divides.
    fileprivate func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Connection {
    private static let feedColumns =
        "at, id, types, actor, object, institution, program, version, change, former, job, act, count"

    /// Reads a stream's events before a place, the latest first: those that are shown to others, or the rest.
    static func feedQuery(isNumbered: Bool) -> String {
        """
        SELECT \(feedColumns) FROM feed_events
        WHERE stream = ?1 AND shown = ?2 AND (at, id) < (?3, ?4) AND at >= ?5
        \(isNumbered ? "AND number >= ?7 AND number < ?8" : "") ORDER BY at DESC, id DESC LIMIT ?6
        """
    }

    fileprivate func feedEvents(
        of source: FeedSource, shown: Bool, before place: FeedPlace?, limit: Int
    ) throws -> [FeedEvent] {
        var values: [SQLValue] = [
            .text(source.stream.text), .boolean(shown), .integer(place?.at.microseconds ?? .max),
            .text(place?.id ?? ""), .integer(source.since?.microseconds ?? .min), .integer(limit),
        ]
        if let numbers = source.numbers {
            values += [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        }
        return try all(Self.feedQuery(isNumbered: source.numbers != nil), values) { row in
            FeedEvent(
                id: row.text(1), in: source.stream, FeedTypes(rawValue: row.integer(2)),
                at: Timestamp(microseconds: Int64(row.integer(0))), actor: row.optionalText(3).map { AccountID($0) },
                object: row.optionalText(4), institution: row.optionalText(5).map { InstitutionID($0) },
                program: row.optionalText(6).map { ProgramID($0) }, version: row.optionalInteger(7),
                change: row.optionalInteger(8), former: row.optionalInteger(9), isJob: row.boolean(10),
                act: row.optionalText(11).map { ClassAct(text: $0) }, count: row.integer(12))
        }
    }

    fileprivate func feedSeen(by account: AccountID) throws -> Timestamp? {
        try first("SELECT at FROM feed_seen WHERE account = ?", .text(account.text)) {
            Timestamp(microseconds: Int64($0.integer(0)))
        }
    }

    fileprivate func announcement(_ id: String) throws -> Announcement? {
        try first("SELECT id, institution, text, at FROM announcements WHERE id = ?", .text(id)) { row in
            Announcement(
                id: row.text(0), institution: InstitutionID(row.text(1)), text: row.text(2),
                at: Timestamp(microseconds: Int64(row.integer(3))))
        }
    }
}
