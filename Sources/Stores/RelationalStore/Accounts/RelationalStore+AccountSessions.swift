public import Accounts
public import Cryptography
import Database
import Institutions
public import Shared

extension RelationalStore {
    /// Stores the session of a sign-in.
    public func insert(
        _ session: Session, by proof: SignInProof, provenAt moment: Timestamp, token: TokenDigest, device: TokenDigest,
        audit: AuditEntry, telling notice: NewDeviceNotice?
    ) async throws -> Session {
        // Sign-ins run one after another on all nodes, beside everything else but changes of accounts.
        try await write(within: .only([.trails])) { transaction in
            let connection = transaction.connection
            let devices = try connection.devices(of: session.account)
            var plan = try SessionPlans.opening(
                session, by: proof, provenAt: moment, token: token, device: device, audit: audit,
                of: try connection.account(session.account),
                password: try connection.password(of: session.account),
                identities: try connection.identities(of: session.account),
                passkeys: try connection.passkeys(of: session.account),
                secondFactor: try connection.secondFactor(of: session.account),
                isStaff: try connection.isStaff(session.account, at: session.createdAt),
                besides: try connection.sessions(of: session.account), devices: devices)
            let isKnown = devices.contains { $0.token == device }
            plan.mails = try connection.mails(notice, of: session.account, isKnown: isKnown)
            return try transaction.apply(plan, holding: .trails)
        }
    }

    /// Returns the session of a token with its account.
    public func session(_ token: TokenDigest) async throws -> SessionStanding? {
        try await read { try $0.session("token = ?", .blob(token.bytes)) }
    }

    /// Returns a session of an account.
    public func session(_ id: SessionID, of account: AccountID) async throws -> SessionStanding? {
        try await read {
            try $0.session("sessions.id = ? AND sessions.account = ?", .text(id.text), .text(account.text))
        }
    }

    /// Returns an account's sessions, newest first.
    public func sessions(of id: AccountID) async throws -> [Session] { try await read { try $0.sessions(of: id) } }

    /// Stores the time of a session's latest request.
    public func touch(_ session: SessionID, at: Timestamp) async throws {
        try await write(within: .only([.session(session)])) { transaction in
            let plan = SessionPlans.touch(try transaction.connection.session(session), at: at)
            try transaction.apply(plan, holding: .session(session))
        }
    }

    /// Ends one session of an account.
    public func end(_ session: SessionID, of id: AccountID, itself isOwn: Bool, audit: AuditEntry) async throws {
        try await write { transaction in
            let sessions = try transaction.connection.sessionIDs(of: id)
            try transaction.apply(SessionPlans.end(session, of: id, among: sessions, itself: isOwn, audit: audit))
        }
    }

    /// Ends all sessions of an account but one.
    public func endSessions(
        of id: AccountID, keeping: SessionID?, device: TokenDigest?, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            let sessions = try transaction.connection.sessionIDs(of: id)
            try transaction.apply(
                SessionPlans.endAll(
                    of: id, among: sessions, keeping: keeping, device: device, audit: audit))
        }
    }

    /// Deletes sessions, invitations, tokens, used assertions and failure counts that ended before `moment`, and
    /// service accounts that ended long before it.
    public func forgetEnded(before moment: Timestamp) async throws {
        try await write { transaction in
            for table in [
                "sessions", "one_time_tokens", "one_use_tokens", "invitations", "used_assertions", "sign_in_challenges",
                "sign_in_failures",
            ] {
                try transaction.connection.run(
                    "DELETE FROM \(table) WHERE expires_at <= ?", .integer(moment.microseconds))
            }
            try transaction.recountOneUseTokens()
            try transaction.connection.run(
                "DELETE FROM api_tokens WHERE expires_at <= ?",
                .integer(moment.adding(seconds: -APIToken.memory).microseconds))
            try transaction.forgetEndedServiceAccounts(at: moment)
            // Done here as well, because the courier may not be configured any more.
            let dayBefore = moment.adding(seconds: -Mail.lifetime)
            try transaction.endMails("expires_at <= ?", .integer(dayBefore.microseconds))
            try transaction.connection.run(
                "DELETE FROM mails WHERE due_at IS NULL AND created_at < ?", .integer(dayBefore.microseconds))
            try transaction.connection.run("DELETE FROM reset_wishes WHERE at < ?", .integer(dayBefore.microseconds))
        }
    }
}

extension Connection {
    /// The staff roles, as a list in SQL.
    static let staff = MemberRole.allCases.filter(\.isStaff).map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Returns whether the account is a registrar or teacher of any institution at the given moment.
    fileprivate func isStaff(_ id: AccountID, at moment: Timestamp) throws -> Bool {
        try first(
            """
            SELECT EXISTS (SELECT 1 FROM memberships WHERE account = ?1 AND role IN (\(Self.staff)))
            OR EXISTS (SELECT 1 FROM grants WHERE account = ?1 AND role IN (\(Self.staff)) AND until > ?2)
            """,
            .text(id.text), .integer(moment.microseconds)
        ) { $0.boolean(0) } ?? false
    }

    fileprivate func session(_ condition: String, _ values: SQLValue...) throws -> SessionStanding? {
        try all(
            """
            SELECT \(AccountRow.columns), \(SessionRow.columns), \(AccountRow.accessVersion), \(FactorColumns.sql)
            FROM sessions JOIN accounts ON accounts.id = sessions.account WHERE \(condition)
            """,
            values
        ) { row in
            let rest = AccountRow.count + SessionRow.count
            return SessionStanding(
                session: SessionRow.session(row, from: AccountRow.count), account: AccountRow.account(row),
                accessVersion: row.integer(rest), factors: FactorColumns.standing(row, from: rest + 1))
        }.first
    }

    /// Returns the mail that notifies an account's owner of a sign-in, if one is due.
    fileprivate func mails(_ notice: NewDeviceNotice?, of id: AccountID, isKnown: Bool) throws -> [Mail] {
        guard let notice, !isKnown, let account = try account(id) else { return [] }
        let email = try email(of: id)
        let earlier = try earlierMails(.newDevice, to: email.address, about: id, at: notice.at)
        let situation = EmailSituation(account: account, email: email, earlier: earlier)
        return EmailPlans.newDevice(notice, in: situation, isKnown: isKnown).map { [$0] } ?? []
    }

    fileprivate func session(_ id: SessionID) throws -> Session? {
        try first("SELECT \(SessionRow.columns) FROM sessions WHERE id = ?", .text(id.text)) {
            SessionRow.session($0)
        }
    }

    fileprivate func devices(of account: AccountID) throws -> [SessionPlans.Device] {
        try all("SELECT token, seen_at FROM devices WHERE account = ?", .text(account.text)) { row in
            SessionPlans.Device(
                token: TokenDigest(bytes: row.bytes(0)), seenAt: Timestamp(microseconds: Int64(row.integer(1))))
        }
    }
}

/// The second-factor facts of an account in a query over `accounts`. A lapsed grant still asks for a second factor
/// until its end is stored, which at worst inconveniences the owner.
enum FactorColumns {
    static let sql = """
        EXISTS (SELECT 1 FROM second_factors WHERE account = accounts.id AND seed IS NOT NULL),
        EXISTS (SELECT 1 FROM passkeys WHERE account = accounts.id),
        EXISTS (
            SELECT 1 FROM (
                SELECT institution FROM memberships
                WHERE account = accounts.id AND role IN (\(Connection.staff))
                UNION ALL SELECT institution FROM grants
                WHERE account = accounts.id AND role IN (\(Connection.staff))) AS places
            JOIN institutions ON institutions.id = institution
            WHERE institutions.second_factor = '\(SecondFactorDemand.staff.rawValue)'),
        (SELECT group_concat(issuer, '\n') FROM identities WHERE account = accounts.id AND vouches <> 0)
        """

    /// Reads the facts from the columns that start at `first`.
    static func standing(_ row: borrowing Row, from first: Int32) -> FactorStanding {
        FactorStanding(
            hasApp: row.boolean(first), hasPasskey: row.boolean(first + 1), isWanted: row.boolean(first + 2),
            vouchers: Set((row.optionalText(first + 3) ?? "").split(separator: "\n").map { String($0) }))
    }
}
