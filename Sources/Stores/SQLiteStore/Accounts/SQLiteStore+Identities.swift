public import Accounts
import Cryptography
import SQLite
public import Shared

extension SQLiteStore {
    /// Uses up an assertion and answers whose it is, or makes the newcomer's account.
    public func admit(_ assertion: Assertion, or newcomer: NewAccount?) async throws -> Account? {
        try await write { transaction in
            try transaction.use(assertion)
            if let known = try transaction.connection.account(vouchedForBy: assertion) { return known }
            guard let newcomer else { return nil }
            try transaction.insert(newcomer.account, password: nil)
            try transaction.audit(newcomer.audit)
            let act = AuditContext(by: newcomer.account.id, from: newcomer.audit.source, at: newcomer.audit.at)
            _ = try transaction.link(assertion, to: newcomer.account.id, by: act)
            return newcomer.account
        }
    }

    /// Uses up an assertion and links it to an account.
    public func link(_ assertion: Assertion, to account: AccountID, by act: AuditContext) async throws -> LinkedIdentity
    {
        try await write { transaction in
            try transaction.use(assertion)
            let there = try transaction.connection.identities(of: account).first { $0.names(assertion) }
            return try there ?? transaction.link(assertion, to: account, by: act)
        }
    }

    /// Ends a link.
    public func unlink(
        issuer: String, from account: AccountID, by act: AuditContext, check: @escaping @Sendable (Bool) throws -> Void
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            guard let identity = try connection.identities(of: account).first(where: { $0.issuer == issuer }) else {
                throw StoreError.notFound
            }
            try connection.run(
                "DELETE FROM identities WHERE account = ? AND issuer = ?", .text(account.text), .text(issuer))
            try check(connection.hasWayIn(account))
            try transaction.audit(act.entry("identity.unlinked", of: account.text, detail: identity.auditText))
        }
    }

    /// An account's identities in the order of their issuers.
    public func identities(of account: AccountID) async throws -> [LinkedIdentity] {
        try await read { try $0.identities(of: account) }
    }
}

extension Connection {
    fileprivate func account(vouchedForBy assertion: Assertion) throws -> Account? {
        try first(
            """
            SELECT \(AccountRow.columns) FROM identities JOIN accounts ON accounts.id = identities.account
            WHERE issuer = ? AND subject = ?
            """,
            .text(assertion.issuer), .text(assertion.subject)
        ) { AccountRow.account($0) }
    }

    fileprivate func identities(of account: AccountID) throws -> [LinkedIdentity] {
        try all(
            "SELECT issuer, subject, linked_at FROM identities WHERE account = ? ORDER BY issuer", .text(account.text)
        ) { row in
            LinkedIdentity(
                issuer: row.text(0), subject: row.text(1), account: account,
                linkedAt: Timestamp(microseconds: Int64(row.integer(2))))
        }
    }

    /// Whether the account has a password or somebody who vouches for it.
    fileprivate func hasWayIn(_ account: AccountID) throws -> Bool {
        try first(
            """
            SELECT password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE account = accounts.id)
            FROM accounts WHERE id = ?
            """,
            .text(account.text)
        ) { $0.boolean(0) } ?? false
    }
}

extension LinkedIdentity {
    fileprivate func names(_ assertion: Assertion) -> Bool {
        issuer == assertion.issuer && subject == assertion.subject
    }
}

extension WriteTransaction {
    /// Keeps an assertion's hash for as long as it could be believed; a second one of the same hash is refused.
    fileprivate func use(_ assertion: Assertion) throws {
        try connection.run(
            "INSERT INTO used_assertions (digest, expires_at) VALUES (?, ?)", .blob(assertion.digest.bytes),
            .integer(assertion.expiresAt.microseconds))
    }

    fileprivate func link(_ assertion: Assertion, to account: AccountID, by act: AuditContext) throws -> LinkedIdentity
    {
        let identity = LinkedIdentity(
            issuer: assertion.issuer, subject: assertion.subject, account: account, linkedAt: act.at)
        try connection.run(
            "INSERT INTO identities (issuer, subject, account, linked_at) VALUES (?, ?, ?, ?)",
            .text(identity.issuer), .text(identity.subject), .text(account.text), .integer(act.at.microseconds))
        try audit(act.entry("identity.linked", of: account.text, detail: identity.auditText))
        return identity
    }
}
