public import Cryptography
import Database
public import People
public import Shared

extension RelationalStore {
    /// Returns the relation of an account to another.
    public func relation(of account: AccountID, to other: AccountID) async throws -> Relation {
        try await read { try $0.relation(of: account, to: other) }
    }

    /// Changes the relation of an account to another.
    public func changeRelation<Value: Sendable>(
        of account: AccountID, to other: AccountID, at moment: Timestamp,
        _ plan: @escaping @Sendable (RelationRows) throws -> PeoplePlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            try transaction.apply(plan(try transaction.connection.relationRows(of: account, to: other, at: moment)))
        }
    }

    /// Returns a page of one of an account's lists.
    public func people(
        in list: PeopleList, of account: AccountID, after cursor: AccountID?, limit: Int
    ) async throws -> [ListedPerson] {
        try await read { connection in
            try connection.all(
                """
                SELECT other, state, since\(list == .blocks ? ", seen" : "") FROM (\(list.sql)) AS list JOIN accounts ON accounts.id = other
                WHERE disabled = 0 AND other > ?2 ORDER BY other LIMIT ?3
                """,
                .text(account.text), .text(cursor?.text ?? ""), .integer(limit)
            ) { row in
                ListedPerson(
                    account: AccountID(row.text(0)), state: FollowState(rawValue: row.text(1)) ?? .requested,
                    since: Timestamp(microseconds: Int64(row.integer(2))),
                    isSeen: list != .blocks || row.boolean(3))
            }
        }
    }

    /// Returns those friends of an account whom the viewer may see.
    public func friends(of account: AccountID, seenBy viewer: AccountID, limit: Int) async throws -> [AccountID] {
        try await read { connection in
            try connection.all(
                """
                SELECT other FROM (\(PeopleList.friends.sql)) AS list JOIN accounts ON accounts.id = other
                WHERE disabled = 0 AND other <> ?2
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = other AND blocked = ?2)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = ?2 AND blocked = other)
                AND (discoverable <> 0
                    OR EXISTS (SELECT 1 FROM follows WHERE follower = ?2 AND followed = other AND state = 'following')
                    OR EXISTS (SELECT 1 FROM follows WHERE follower = other AND followed = ?2))
                ORDER BY other LIMIT ?3
                """,
                .text(account.text), .text(viewer.text), .integer(limit)
            ) { AccountID($0.text(0)) }
        }
    }

    /// Returns how many people follow an account, and how many it follows.
    public func followCounts(of account: AccountID) async throws -> FollowCounts {
        try await read { connection in
            func count(_ list: PeopleList) throws -> Int {
                try connection.first(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM (\(list.sql)) AS list JOIN accounts ON accounts.id = other
                    WHERE disabled = 0 AND state = 'following' LIMIT ?2) AS counted
                    """,
                    .text(account.text), .integer(FollowCounts.limit)
                ) { $0.integer(0) } ?? 0
            }
            return FollowCounts(
                followers: try count(.followers), following: try count(.following), friends: try count(.friends))
        }
    }

    /// Replaces the link through which an account can be followed.
    public func setLink(_ digest: TokenDigest, of account: AccountID, audit: AuditEntry) async throws {
        try await write { transaction in
            try transaction.apply(PeoplePlan([.relation(.setLink(digest, of: account))], audit: [audit]))
        }
    }
}

extension PeopleList {
    /// SQL that selects `other`, `state` and `since` for the account `?1`.
    fileprivate var sql: String {
        switch self {
        case .following: "SELECT followed AS other, state, since FROM follows WHERE follower = ?1"
        case .followers:
            "SELECT follower AS other, state, since FROM follows WHERE followed = ?1 AND state = 'following'"
        case .requests:
            "SELECT follower AS other, state, since FROM follows WHERE followed = ?1 AND state = 'requested'"
        case .friends:
            """
            SELECT mine.followed AS other, mine.state, max(mine.since, theirs.since) AS since FROM follows AS mine
            JOIN follows AS theirs ON theirs.follower = mine.followed AND theirs.followed = mine.follower
            WHERE mine.follower = ?1 AND mine.state = 'following' AND theirs.state = 'following'
            """
        case .blocks: "SELECT blocked AS other, 'following' AS state, since, seen FROM blocks WHERE blocker = ?1"
        }
    }
}

extension Connection {
    fileprivate func relation(of account: AccountID, to other: AccountID) throws -> Relation {
        func state(_ follower: AccountID, _ followed: AccountID) throws -> FollowState {
            let text = try first(
                "SELECT state FROM follows WHERE follower = ? AND followed = ?", .text(follower.text),
                .text(followed.text)
            ) { $0.text(0) }
            // An unknown state counts as the weakest one.
            return text.map { FollowState(rawValue: $0) ?? .requested } ?? .none
        }
        func blocks(_ blocker: AccountID, _ blocked: AccountID) throws -> Bool {
            try first(
                "SELECT 1 FROM blocks WHERE blocker = ? AND blocked = ?", .text(blocker.text), .text(blocked.text)
            ) { $0.boolean(0) } ?? false
        }
        return Relation(
            following: try state(account, other), follower: try state(other, account),
            blocks: try blocks(account, other), isBlocked: try blocks(other, account))
    }

    fileprivate func relationRows(
        of account: AccountID, to other: AccountID, at moment: Timestamp
    ) throws -> RelationRows {
        let person = try first(
            "SELECT followers FROM accounts WHERE id = ? AND disabled = 0 AND service_of IS NULL", .text(other.text)
        ) { $0.text(0) }
        let link = try first("SELECT token FROM follow_links WHERE account = ?", .text(other.text)) { $0.bytes(0) }
        let follows = try first("SELECT count(*) FROM follows WHERE follower = ?", .text(account.text)) {
            $0.integer(0)
        }
        let asked = try first(
            "SELECT count(*) FROM follow_requests WHERE account = ? AND at > ?", .text(account.text),
            .integer(moment.adding(seconds: -FriendPlans.askedWithin).microseconds)
        ) { $0.integer(0) }
        return RelationRows(
            account: account, other: other, isThere: person != nil, relation: try relation(of: account, to: other),
            isOpen: person == "open", link: link.map { TokenDigest(bytes: $0) }, follows: follows ?? 0,
            asked: asked ?? 0)
    }
}

extension WriteTransaction {
    func apply(_ change: RelationRowChange) throws {
        switch change {
        case .setFollow(let follow):
            try connection.run(
                """
                INSERT INTO follows (follower, followed, state, since) VALUES (?, ?, ?, ?)
                ON CONFLICT (follower, followed) DO UPDATE SET state = excluded.state, since = excluded.since
                """,
                .text(follow.follower.text), .text(follow.followed.text), .text(follow.state.rawValue),
                .integer(follow.since.microseconds))
        case .removeFollow(let follower, let followed):
            try connection.run(
                "DELETE FROM follows WHERE follower = ? AND followed = ?", .text(follower.text), .text(followed.text))
        case .setBlock(let blocker, let blocked, let moment, let isSeen):
            try connection.run(
                """
                INSERT INTO blocks (blocker, blocked, since, seen) VALUES (?, ?, ?, ?)
                ON CONFLICT (blocker, blocked) DO UPDATE SET since = excluded.since, seen = excluded.seen
                """,
                .text(blocker.text), .text(blocked.text), .integer(moment.microseconds), .boolean(isSeen))
        case .removeBlock(let blocker, let blocked):
            try connection.run(
                "DELETE FROM blocks WHERE blocker = ? AND blocked = ?", .text(blocker.text), .text(blocked.text))
        case .noteAsked(let account, let moment):
            try connection.run(
                "DELETE FROM follow_requests WHERE account = ? AND at <= ?", .text(account.text),
                .integer(moment.adding(seconds: -FriendPlans.askedWithin).microseconds))
            try connection.run(
                "INSERT INTO follow_requests (account, at) VALUES (?, ?)", .text(account.text),
                .integer(moment.microseconds))
        case .setLink(let digest, let account):
            try connection.run(
                """
                INSERT INTO follow_links (account, token) VALUES (?, ?)
                ON CONFLICT (account) DO UPDATE SET token = excluded.token
                """,
                .text(account.text),
                .blob(digest.bytes))
        }
    }
}
