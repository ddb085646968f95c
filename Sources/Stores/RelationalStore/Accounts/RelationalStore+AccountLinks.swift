public import Accounts
public import Cryptography
import Database
public import Shared

extension RelationalStore {
    /// Stores a one-time token, which replaces earlier ones with the same purpose and account.
    public func issue(_ token: OneTimeToken, digest: TokenDigest, audit: AuditEntry) async throws {
        try await write { transaction in
            let earlier = try transaction.connection.all(
                "SELECT token FROM one_time_tokens WHERE purpose = ? AND account IS NOT DISTINCT FROM ?",
                .text(token.purpose.rawValue), .text(token.account?.text)
            ) { TokenDigest(bytes: $0.bytes(0)) }
            try transaction.apply(PasswordPlans.issue(token, digest: digest, inPlaceOf: earlier, audit: audit))
        }
    }

    /// Returns the one-time token with that digest.
    public func oneTimeToken(_ digest: TokenDigest) async throws -> OneTimeToken? {
        try await read { try $0.oneTimeToken(digest) }
    }

    /// Consumes a token that names an account, and sets the account's password.
    public func redeem(
        _ digest: TokenDigest, at: Timestamp, password: PasswordHash, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let token = try connection.oneTimeToken(digest)
            let account = try token?.account.flatMap { try connection.account($0) }
            try transaction.apply(
                PasswordPlans.redemption(
                    digest, token, at: at, password: password, of: account,
                    sessions: try account.map { try connection.sessionIDs(of: $0.id) } ?? [], audit: audit))
        }
    }

    /// Consumes the token for the first administrator, and stores the account.
    public func redeem(
        _ digest: TokenDigest, at: Timestamp, creating account: Account, password: PasswordHash, audit: AuditEntry,
        unless ways: OpenWays
    ) async throws -> Bool {
        try await write { transaction in
            let connection = transaction.connection
            return try transaction.apply(
                PasswordPlans.redemption(
                    digest, try connection.oneTimeToken(digest), at: at, creating: account, password: password,
                    audit: audit, besides: try connection.administrators(besides: ""), through: ways))
        }
    }

    /// Drops the one-time tokens of a purpose.
    public func dropTokens(of purpose: OneTimeToken.Purpose) async throws {
        let found = "SELECT token FROM one_time_tokens WHERE purpose = ?"
        let isNone = try await read { try $0.first(found, .text(purpose.rawValue)) { _ in true } == nil }
        if isNone { return }
        try await write { transaction in
            let tokens = try transaction.connection.all(found, .text(purpose.rawValue)) {
                TokenDigest(bytes: $0.bytes(0))
            }
            try transaction.apply(AccountPlan(tokens.map { .token(.remove($0)) }))
        }
    }

    /// Returns the account's picture.
    public func picture(of id: AccountID) async throws -> Picture? {
        try await read { connection in
            try connection.first("SELECT bytes FROM pictures WHERE account = ?", .text(id.text)) { row in
                Picture(stored: row.bytes(0))
            } ?? nil
        }
    }

    /// Sets or removes the account's picture, together with the picture's name in the account.
    public func setPicture(_ picture: Picture?, of id: AccountID, audit: AuditEntry) async throws {
        try await write { transaction in
            try transaction.apply(
                AccountPlans.picture(picture, of: try transaction.connection.account(id), audit: audit))
        }
    }
}

extension Connection {
    fileprivate func oneTimeToken(_ digest: TokenDigest) throws -> OneTimeToken? {
        try first(
            "SELECT purpose, account, expires_at, maker FROM one_time_tokens WHERE token = ?", .blob(digest.bytes)
        ) { row in
            OneTimeToken.Purpose(rawValue: row.text(0)).map {
                OneTimeToken(
                    purpose: $0, account: row.optionalText(1).map { AccountID($0) },
                    maker: row.optionalText(3).map { AccountID($0) },
                    expiresAt: Timestamp(microseconds: Int64(row.integer(2))))
            }
        } ?? nil
    }
}
