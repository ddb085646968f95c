public import Accounts
public import Cryptography
import SQLite
public import Shared

extension SQLiteStore {
    /// Stores a one-time token in place of those with its purpose and account.
    public func issue(_ token: OneTimeToken, digest: TokenDigest, audit: AuditEntry) async throws {
        try await write { transaction in
            try transaction.connection.run(
                "DELETE FROM one_time_tokens WHERE purpose = ? AND account IS ?",
                .text(token.purpose.rawValue), .text(token.account?.text))
            try transaction.connection.run(
                "INSERT INTO one_time_tokens (token, purpose, account, expires_at) VALUES (?, ?, ?, ?)",
                .blob(digest.bytes), .text(token.purpose.rawValue), .text(token.account?.text),
                .integer(token.expiresAt.microseconds))
            try transaction.audit(audit)
        }
    }

    /// What a one-time token is for.
    public func oneTimeToken(_ digest: TokenDigest) async throws -> OneTimeToken? {
        try await read { try $0.oneTimeToken(digest) }
    }

    /// Uses up a token that names an account, and sets its password.
    public func redeem(
        _ digest: TokenDigest, at: Timestamp, password: PasswordHash, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            let token = try transaction.use(digest, at: at)
            guard let account = token.account else { throw StoreError.notFound }
            try transaction.setPassword(password, of: account, keeping: nil)
            try transaction.audit(audit)
        }
    }

    /// Uses up a token of the first administrator, and stores the account.
    public func redeem(
        _ digest: TokenDigest, at: Timestamp, creating account: Account, password: PasswordHash, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            guard try transaction.use(digest, at: at).purpose == .firstAdministrator else { throw StoreError.notFound }
            try transaction.insert(account, password: password)
            try transaction.audit(audit)
        }
    }

    /// The account's picture.
    public func picture(of id: AccountID) async throws -> Picture? {
        try await read { connection in
            try connection.first("SELECT bytes FROM pictures WHERE account = ?", .text(id.text)) { row in
                Picture(stored: row.bytes(0))
            } ?? nil
        }
    }

    /// Sets or removes the picture and the account's name for it.
    public func setPicture(_ picture: Picture?, of id: AccountID, audit: AuditEntry) async throws {
        try await write { transaction in
            let connection = transaction.connection
            try connection.run(
                "UPDATE accounts SET picture = ? WHERE id = ?", .text(picture?.name), .text(id.text))
            guard connection.changes == 1 else { throw StoreError.notFound }
            try connection.run("DELETE FROM pictures WHERE account = ?", .text(id.text))
            if let picture {
                try connection.run(
                    "INSERT INTO pictures (account, format, bytes) VALUES (?, ?, ?)",
                    .text(id.text), .text(picture.format.rawValue), .blob(picture.bytes))
            }
            try transaction.audit(audit)
            transaction.post(.accountsChanged)
        }
    }
}

extension Connection {
    fileprivate func oneTimeToken(_ digest: TokenDigest) throws -> OneTimeToken? {
        try first(
            "SELECT purpose, account, expires_at FROM one_time_tokens WHERE token = ?", .blob(digest.bytes)
        ) { row in
            OneTimeToken.Purpose(rawValue: row.text(0)).map {
                OneTimeToken(
                    purpose: $0, account: row.optionalText(1).map { AccountID($0) },
                    expiresAt: Timestamp(microseconds: Int64(row.integer(2))))
            }
        } ?? nil
    }
}

extension WriteTransaction {
    /// Takes a token away; `notFound` when it was used up or has expired.
    fileprivate func use(_ digest: TokenDigest, at now: Timestamp) throws -> OneTimeToken {
        guard let token = try connection.oneTimeToken(digest), now < token.expiresAt else { throw StoreError.notFound }
        try connection.run("DELETE FROM one_time_tokens WHERE token = ?", .blob(digest.bytes))
        return token
    }
}
