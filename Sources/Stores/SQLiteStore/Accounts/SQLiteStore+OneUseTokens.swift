public import Accounts
public import Cryptography
import SQLite
public import Shared

extension SQLiteStore: OneUseTokenStore {
    /// Stores a token; returns whether it was accepted.
    public func issue(_ token: OneUseToken, digest: TokenDigest, at now: Timestamp) async throws -> Bool {
        try await write { transaction in
            let connection = transaction.connection
            let first = try connection.all(
                "SELECT number, token, expires_at FROM one_use_tokens WHERE kind = ? ORDER BY number LIMIT ?",
                .text(token.kind.rawValue), .integer(OneUseTokenPlans.dropped)
            ) { row in
                OneUseTokenPlans.Row(
                    number: row.integer(0), digest: TokenDigest(bytes: row.bytes(1)),
                    expiresAt: Timestamp(microseconds: Int64(row.integer(2))))
            }
            let last = try connection.first(
                "SELECT number FROM one_use_tokens WHERE kind = ? ORDER BY number DESC LIMIT 1",
                .text(token.kind.rawValue)
            ) { $0.integer(0) }
            return try transaction.apply(
                OneUseTokenPlans.issue(token, digest: digest, at: now, after: last, besides: first))
        }
    }

    /// Consumes a token and returns it; `nil` if it is unknown, expired or not wanted.
    public func redeem(
        _ digest: TokenDigest, at now: Timestamp, if isWanted: @escaping @Sendable (OneUseToken) -> Bool
    ) async throws -> OneUseToken? {
        guard try await read({ try $0.oneUseToken(digest) }) != nil else { return nil }
        return try await write { transaction in
            let token = try transaction.connection.oneUseToken(digest)
            return try transaction.apply(OneUseTokenPlans.redemption(digest, token, at: now, if: isWanted))
        }
    }
}

extension Connection {
    fileprivate func oneUseToken(_ digest: TokenDigest) throws -> OneUseToken? {
        try first(
            """
            SELECT kind, expires_at, session, account, name, begun_at, provider, purpose, verifier, nonce, return_to,
                invitation
            FROM one_use_tokens WHERE token = ?
            """,
            .blob(digest.bytes)
        ) { row in
            let meaning: OneUseToken.Meaning
            switch OneUseToken.Kind(rawValue: row.text(0)) {
            case .liveTicket?: meaning = .session(TokenDigest(bytes: row.bytes(2)))
            case .signInAttempt?, .ownAttempt?:
                guard let purpose = SignInAttempt.Purpose(rawValue: row.text(7)) else { return nil }
                meaning = .attempt(
                    SignInAttempt(
                        provider: ProviderID(stored: row.text(6)), purpose: purpose,
                        account: row.optionalText(3).map { AccountID($0) }, name: row.text(4), verifier: row.text(8),
                        nonce: row.text(9), returnTo: row.optionalText(10),
                        invitation: row.optionalBytes(11).map { TokenDigest(bytes: $0) },
                        begunAt: Timestamp(microseconds: Int64(row.integer(5)))))
            case .passkeyChallenge?, .ownChallenge?:
                guard let purpose = Passkeys.Purpose(rawValue: row.text(7)) else { return nil }
                meaning = .passkey(
                    PasskeyChallenge(purpose: purpose, account: row.optionalText(3).map { AccountID($0) }))
            case nil: return nil
            }
            return OneUseToken(meaning, expiresAt: Timestamp(microseconds: Int64(row.integer(1))))
        } ?? nil
    }
}

extension WriteTransaction {
    func insert(_ token: OneUseToken, _ digest: TokenDigest, number: Int) throws {
        var (session, attempt, passkey): (TokenDigest?, SignInAttempt?, PasskeyChallenge?) = (nil, nil, nil)
        switch token.meaning {
        case .session(let digest): session = digest
        case .attempt(let begun): attempt = begun
        case .passkey(let challenge): passkey = challenge
        }
        try connection.run(
            """
            INSERT INTO one_use_tokens (
                kind, number, token, expires_at, session, account, name, begun_at, provider, purpose, verifier, nonce,
                return_to, invitation)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(token.kind.rawValue), .integer(number), .blob(digest.bytes),
            .integer(token.expiresAt.microseconds), .blob(session?.bytes),
            .text((attempt?.account ?? passkey?.account)?.text),
            .text(attempt?.name), .integer(attempt?.begunAt.microseconds), .text(attempt?.provider.text),
            .text(attempt?.purpose.rawValue ?? passkey?.purpose.rawValue), .text(attempt?.verifier),
            .text(attempt?.nonce),
            .text(attempt?.returnTo), .blob(attempt?.invitation?.bytes))
    }
}
