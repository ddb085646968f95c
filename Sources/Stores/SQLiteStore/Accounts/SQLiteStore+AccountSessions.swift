public import Accounts
public import Cryptography
import SQLite
public import Shared

extension SQLiteStore {
    /// The devices an account may have signed in from without being a stranger; older ones are forgotten.
    private static let devicesKept = 20

    /// Stores a sign-in, remembers the device and ends the oldest sessions beyond what an account may have.
    public func insert(
        _ session: Session, token: TokenDigest, device: TokenDigest, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            guard try connection.account(session.account)?.isDisabled == false else { throw StoreError.notFound }
            try connection.run(
                """
                INSERT INTO sessions (
                    token, id, account, kind, created_at, expires_at, last_seen_at, source, client, device)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .blob(token.bytes), .text(session.id.text), .text(session.account.text), .text(session.kind.rawValue),
                .integer(session.createdAt.microseconds), .integer(session.expiresAt.microseconds),
                .integer(session.lastSeenAt.microseconds), .text(session.source), .text(session.client),
                .text(session.device))
            try connection.run(
                "INSERT OR REPLACE INTO devices (account, token, seen_at) VALUES (?, ?, ?)",
                .text(session.account.text), .blob(device.bytes), .integer(session.createdAt.microseconds))
            try connection.run(
                """
                DELETE FROM devices WHERE account = ?1 AND token NOT IN
                (SELECT token FROM devices WHERE account = ?1 ORDER BY seen_at DESC LIMIT ?2)
                """,
                .text(session.account.text), .integer(SQLiteStore.devicesKept))
            try transaction.audit(audit)
            try transaction.endOldestSessions(of: session.account, in: audit)
        }
    }

    /// The session of a token with its account.
    public func session(_ token: TokenDigest) async throws -> (session: Session, account: Account)? {
        try await read { connection in
            try connection.first(
                """
                SELECT \(AccountRow.columns), \(SessionRow.columns) FROM sessions
                JOIN accounts ON accounts.id = sessions.account WHERE token = ?
                """,
                .blob(token.bytes)
            ) { (SessionRow.session($0, from: AccountRow.count), AccountRow.account($0)) }
        }
    }

    /// An account's sessions, newest first.
    public func sessions(of id: AccountID) async throws -> [Session] {
        try await read { connection in
            try connection.all(
                "SELECT \(SessionRow.columns) FROM sessions WHERE account = ? ORDER BY id DESC", .text(id.text)
            ) { SessionRow.session($0) }
        }
    }

    /// Notes a request.
    public func touch(_ session: SessionID, at: Timestamp) async throws {
        try await write { transaction in
            try transaction.connection.run(
                "UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?",
                .integer(at.microseconds), .text(session.text))
        }
    }

    /// Ends one session of an account.
    public func end(_ session: SessionID, of id: AccountID, audit: AuditEntry) async throws {
        try await write { transaction in
            try transaction.connection.run(
                "DELETE FROM sessions WHERE id = ? AND account = ?", .text(session.text), .text(id.text))
            guard transaction.connection.changes == 1 else { throw StoreError.notFound }
            try transaction.audit(audit)
            try transaction.bumpAccess(voiding: .account(id))
            transaction.post(.sessionEnded(session))
        }
    }

    /// Ends all sessions of an account but one.
    public func endSessions(of id: AccountID, keeping: SessionID?, audit: AuditEntry) async throws {
        try await write { transaction in
            try transaction.endSessions(of: id, keeping: keeping)
            try transaction.audit(audit)
        }
    }

    /// Drops sessions, one-time tokens and used assertions that ended before `moment`.
    public func forgetEnded(before moment: Timestamp) async throws {
        try await write { transaction in
            for table in ["sessions", "one_time_tokens", "invitations", "used_assertions"] {
                try transaction.connection.run(
                    "DELETE FROM \(table) WHERE expires_at <= ?", .integer(moment.microseconds))
            }
        }
    }
}

extension WriteTransaction {
    /// Ends the oldest sessions beyond what an account may have. A sign-in within that number takes no permission: no
    /// permit becomes void.
    fileprivate func endOldestSessions(of id: AccountID, in act: AuditEntry) throws {
        let ended = try connection.all(
            "SELECT id FROM sessions WHERE account = ? ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?",
            .text(id.text), .integer(Session.maximumCount)
        ) { SessionID($0.text(0)) }
        for session in ended {
            try connection.run("DELETE FROM sessions WHERE id = ?", .text(session.text))
            try audit(
                AuditEntry(
                    institution: nil, at: act.at, account: act.account, source: act.source, action: "session.ended",
                    subject: session.text))
            post(.sessionEnded(session))
        }
        if !ended.isEmpty { try bumpAccess(voiding: .account(id)) }
    }
}
