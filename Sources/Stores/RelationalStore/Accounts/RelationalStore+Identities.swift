public import Accounts
import Cryptography
import Database
import Institutions
public import Shared

extension RelationalStore {
    /// Consumes an assertion and returns the account of its identity, or creates the newcomer's account.
    public func admit(_ assertion: Assertion, or newcomer: NewAccount?) async throws -> Account? {
        try await write { transaction in
            let connection = transaction.connection
            let account = try transaction.apply(
                IdentityPlans.admission(assertion, or: newcomer, found: try connection.rows(assertion)))
            if let newcomer, let token = newcomer.invitation, account?.id == newcomer.account.id {
                let invitation = try connection.invitation(.token(token), to: nil)
                let rows = try invitation.map { try connection.rows(newcomer.account.id, in: $0.institution) }
                let act = AuditContext(
                    by: newcomer.account.id, from: newcomer.audit.source, at: newcomer.audit.at)
                let maker = try invitation.flatMap { try connection.maker(of: $0, at: act.at) }
                _ = try transaction.apply(
                    MembershipPlans.joining(invitation, madeBy: maker, found: rows, by: act))
            }
            return account
        }
    }

    /// Consumes an assertion and links its identity to an account.
    public func link(_ assertion: Assertion, to account: AccountID, by act: AuditContext) async throws -> LinkedIdentity
    {
        try await write { transaction in
            let connection = transaction.connection
            return try transaction.apply(
                IdentityPlans.linking(
                    assertion, to: account, identities: try connection.identities(of: account), by: act,
                    found: try connection.rows(assertion)))
        }
    }

    /// Removes a link, and ends the sessions and grants that rest on it.
    public func unlink(
        issuer: String, from account: AccountID, keeping session: SessionID?, by act: AuditContext,
        check: @escaping @Sendable (WaysIn) throws -> Void
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            try transaction.apply(
                IdentityPlans.unlinking(
                    issuer: issuer, from: account, ways: try connection.waysIn(to: account),
                    sessions: try connection.sessions(openedThrough: issuer, of: account), keeping: session, by: act,
                    check: check))
            try transaction.apply(
                GrantPlans.revocation(
                    of: try connection.grantRows(of: account), by: issuer,
                    as: AuditContext(by: nil, from: act.source, at: act.at)))
        }
    }

    /// Returns an account's identities, ordered by issuer.
    public func identities(of account: AccountID) async throws -> [LinkedIdentity] {
        try await read { try $0.identities(of: account) }
    }
}

extension Connection {
    func rows(_ assertion: Assertion) throws -> IdentityPlans.Rows {
        let isUsed = try first(
            "SELECT 1 FROM used_assertions WHERE digest = ?", .blob(assertion.digest.bytes)
        ) { $0.boolean(0) }
        let holder = try first(
            """
            SELECT \(AccountRow.columns) FROM identities JOIN accounts ON accounts.id = identities.account
            WHERE issuer = ? AND subject = ?
            """,
            .text(assertion.issuer), .text(assertion.subject)
        ) { AccountRow.account($0) }
        return IdentityPlans.Rows(isUsed: isUsed ?? false, holder: holder)
    }

    fileprivate func sessions(openedThrough issuer: String, of account: AccountID) throws -> [SessionID] {
        try all(
            """
            SELECT sessions.id FROM sessions JOIN session_origins ON session = sessions.id
            WHERE account = ? AND issuer = ? ORDER BY sessions.id
            """,
            .text(account.text), .text(issuer)
        ) { SessionID($0.text(0)) }
    }

    func identities(of account: AccountID) throws -> [LinkedIdentity] {
        try all(
            "SELECT issuer, subject, linked_at, vouches FROM identities WHERE account = ? ORDER BY issuer",
            .text(account.text)
        ) { row in
            LinkedIdentity(
                issuer: row.text(0), subject: row.text(1), account: account,
                linkedAt: Timestamp(microseconds: Int64(row.integer(2))),
                vouching: Vouching(rawValue: row.integer(3)) ?? .presumed)
        }
    }
}
