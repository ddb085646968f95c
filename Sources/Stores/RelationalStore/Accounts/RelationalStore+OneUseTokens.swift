public import Accounts
public import Cryptography
import Database
public import Shared

extension RelationalStore: OneUseTokenStore {
    /// Stores a token.
    public func issue(_ token: OneUseToken, digest: TokenDigest, at now: Timestamp, keeping most: Int) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let first = try connection.all(
                "SELECT token, expires_at FROM one_use_tokens WHERE kind = ? ORDER BY number LIMIT ?",
                .text(token.kind.rawValue), .integer(OneUseTokenPlans.dropped)
            ) { row in
                OneUseTokenPlans.Row(
                    digest: TokenDigest(bytes: row.bytes(0)),
                    expiresAt: Timestamp(microseconds: Int64(row.integer(1))))
            }
            let last = try connection.first(
                "SELECT number FROM one_use_tokens WHERE kind = ? ORDER BY number DESC LIMIT 1",
                .text(token.kind.rawValue)
            ) { $0.integer(0) }
            let stored = try connection.oneUseCount(of: token.kind)
            try transaction.apply(
                OneUseTokenPlans.issue(
                    token, digest: digest, at: now, after: last, stored: stored, besides: first, keeping: most
                ) { try connection.oldestOneUseToken(ofFullest: token.kind) })
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
                invitation, network, source
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
                guard let purpose = PasskeyChallenge.Purpose(rawValue: row.text(7)) else { return nil }
                meaning = .passkey(
                    PasskeyChallenge(purpose: purpose, account: row.optionalText(3).map { AccountID($0) }))
            case nil: return nil
            }
            return OneUseToken(
                meaning, of: OneUseToken.Holder(network: row.bytes(12), source: row.bytes(13)),
                expiresAt: Timestamp(microseconds: Int64(row.integer(1))))
        } ?? nil
    }

    fileprivate func oneUseCount(of kind: OneUseToken.Kind) throws -> Int {
        try first(
            "SELECT count FROM one_use_counts WHERE kind = ? AND network = \(dialect.noBytes) AND source = \(dialect.noBytes)",
            .text(kind.rawValue)
        ) { $0.integer(0) } ?? 0
    }

    /// Returns the oldest token of the fullest source in the fullest network; if none has two, the oldest of all.
    fileprivate func oldestOneUseToken(ofFullest kind: OneUseToken.Kind) throws -> TokenDigest? {
        let network = try first(
            """
            SELECT network, count FROM one_use_counts
            WHERE kind = ? AND source = \(dialect.noBytes) AND network <> \(dialect.noBytes) ORDER BY count DESC LIMIT 1
            """, .text(kind.rawValue)
        ) { (name: $0.bytes(0), count: $0.integer(1)) }
        guard let network, network.count > 1 else {
            return try first(
                "SELECT token FROM one_use_tokens WHERE kind = ? ORDER BY number LIMIT 1", .text(kind.rawValue)
            ) { TokenDigest(bytes: $0.bytes(0)) }
        }
        return try first(
            """
            SELECT token FROM one_use_tokens WHERE kind = ?1 AND network = ?2 AND source = (
                SELECT source FROM one_use_counts
                WHERE kind = ?1 AND network = ?2 AND source <> \(dialect.noBytes) ORDER BY count DESC LIMIT 1)
            ORDER BY number LIMIT 1
            """, .text(kind.rawValue), .blob(network.name)
        ) { TokenDigest(bytes: $0.bytes(0)) }
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
                return_to, invitation, network, source)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(token.kind.rawValue), .integer(number), .blob(digest.bytes),
            .integer(token.expiresAt.microseconds), .blob(session?.bytes),
            .text((attempt?.account ?? passkey?.account)?.text),
            .text(attempt?.name), .integer(attempt?.begunAt.microseconds), .text(attempt?.provider.text),
            .text(attempt?.purpose.rawValue ?? passkey?.purpose.rawValue), .text(attempt?.verifier),
            .text(attempt?.nonce),
            .text(attempt?.returnTo), .blob(attempt?.invitation?.bytes), .blob(token.holder.network),
            .blob(token.holder.source))
        for (network, source) in Self.levels(of: token.holder) {
            try connection.run(
                """
                INSERT INTO one_use_counts (kind, network, source, count) VALUES (?, ?, ?, 1)
                ON CONFLICT (kind, network, source) DO UPDATE SET count = one_use_counts.count + 1
                """,
                .text(token.kind.rawValue), .blob(network), .blob(source))
        }
    }

    func removeOneUseToken(_ digest: TokenDigest) throws {
        let removed = try connection.all(
            "DELETE FROM one_use_tokens WHERE token = ? RETURNING kind, network, source", .blob(digest.bytes)
        ) { row in (kind: row.text(0), holder: OneUseToken.Holder(network: row.bytes(1), source: row.bytes(2))) }
        for (kind, holder) in removed {
            for (network, source) in Self.levels(of: holder) {
                let key: [SQLValue] = [.text(kind), .blob(network), .blob(source)]
                let condition = "kind = ? AND network = ? AND source = ?"
                try connection.run("UPDATE one_use_counts SET count = count - 1 WHERE \(condition)", key)
                try connection.run("DELETE FROM one_use_counts WHERE \(condition) AND count < 1", key)
            }
        }
    }

    /// Counts the stored tokens again, after many were deleted at once.
    func recountOneUseTokens() throws {
        try connection.run("DELETE FROM one_use_counts")
        let none = connection.dialect.noBytes
        for (network, source) in [(none, none), ("network", none), ("network", "source")] {
            try connection.run(
                """
                INSERT INTO one_use_counts (kind, network, source, count)
                SELECT kind, \(network), \(source), count(*) FROM one_use_tokens GROUP BY 1, 2, 3
                """)
        }
    }

    /// The counts to which a token adds: of its kind, its holder's network and its holder's source.
    private static func levels(of holder: OneUseToken.Holder) -> [(network: [UInt8], source: [UInt8])] {
        [([], []), (holder.network, []), (holder.network, holder.source)]
    }
}
