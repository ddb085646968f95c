public import Accounts
public import Cryptography
import Database
public import Shared

extension RelationalStore: SecondFactorStore {
    /// Returns an account's second factor.
    public func secondFactor(of id: AccountID) async throws -> SecondFactor {
        try await read { try $0.secondFactor(of: id) }
    }

    /// Changes an account's second factor.
    public func changeSecondFactor<Value: Sendable>(
        of id: AccountID, _ plan: @escaping @Sendable (SecondFactor, [Session]) throws -> AccountPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let connection = transaction.connection
            guard try connection.account(id) != nil else { throw StoreError.notFound }
            return try transaction.apply(plan(try connection.secondFactor(of: id), try connection.sessions(of: id)))
        }
    }

    /// Removes everything that counts as an account's second factor, and what rests on it.
    public func endLostFactors(of id: AccountID, audit: AuditEntry) async throws {
        try await write { transaction in
            let connection = transaction.connection
            guard try connection.account(id) != nil else { throw StoreError.notFound }
            try transaction.apply(
                SecondFactorPlans.loss(
                    of: try connection.secondFactor(of: id), passkeys: try connection.passkeys(of: id),
                    identities: try connection.identities(of: id), sessions: try connection.sessionIDs(of: id),
                    tokens: try connection.apiTokens(of: id), audit: audit))
        }
    }

    /// Stores a sign-in that waits for its second factor.
    public func issue(_ challenge: SignInChallenge, digest: TokenDigest, at now: Timestamp) async throws {
        try await write { transaction in
            let others = try transaction.connection.all(
                "SELECT token, expires_at, known, asker, network FROM sign_in_challenges WHERE account = ?",
                .text(challenge.account.text)
            ) { row in
                SignInChallenge.Waiting(
                    digest: TokenDigest(bytes: row.bytes(0)), expiresAt: Timestamp(microseconds: Int64(row.integer(1))),
                    asker: SignInChallenge.Asker(
                        isKnown: row.boolean(2), digest: row.bytes(3), network: row.bytes(4)))
            }
            try transaction.apply(
                SecondFactorPlans.issue(challenge, digest: digest, at: now, besides: others))
        }
    }

    /// Returns a sign-in that waits for its second factor.
    public func signInChallenge(_ digest: TokenDigest) async throws -> SignInChallenge? {
        try await read { try $0.signInChallenge(digest) }
    }

    /// Answers a challenge.
    public func answer<Value: Sendable>(
        _ digest: TokenDigest,
        _ plan: @escaping @Sendable (SignInChallenge, SecondFactor) throws -> AccountPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let connection = transaction.connection
            guard let challenge = try connection.signInChallenge(digest) else { throw StoreError.notFound }
            return try transaction.apply(plan(challenge, try connection.secondFactor(of: challenge.account)))
        }
    }
}

extension RelationalStore: ProofStore {
    /// Returns when the owner of a session last proved his or her identity.
    public func lastProof(of session: SessionID) async throws -> Timestamp? {
        try await read { connection in
            try connection.first(
                "SELECT proven_at FROM session_proofs WHERE session = ?", .text(session.text)
            ) { Timestamp(microseconds: Int64($0.integer(0))) }
        }
    }

    /// Stores that the owner of a session has proved his or her identity.
    public func prove(
        _ session: SessionID, of id: AccountID, at moment: Timestamp, showing factors: ShownFactors,
        by assertion: Assertion?, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let said = try assertion.map { (said: $0, found: try connection.rows($0)) }
            try transaction.apply(
                SecondFactorPlans.proof(
                    of: session, among: try connection.sessions(of: id), at: moment, showing: factors, by: said,
                    audit: audit))
        }
    }
}

extension Connection {
    func secondFactor(of id: AccountID) throws -> SecondFactor {
        try first(
            """
            SELECT seed, since, last_step, enrolment, enrolment_ends, recovery FROM second_factors WHERE account = ?
            """,
            .text(id.text)
        ) { row in
            let app = row.optionalBytes(0).map { seed in
                SecondFactor.App(
                    seed: seed, since: Timestamp(microseconds: Int64(row.integer(1))),
                    lastStep: Int64(row.integer(2)))
            }
            let enrolment = row.optionalBytes(3).map { seed in
                SecondFactor.Enrolment(seed: seed, expiresAt: Timestamp(microseconds: Int64(row.integer(4))))
            }
            let recovery = row.bytes(5)
            let digests = stride(from: 0, to: recovery.count, by: SHA256.byteCount).map {
                TokenDigest(bytes: Array(recovery[$0..<min($0 + SHA256.byteCount, recovery.count)]))
            }
            return SecondFactor(of: id, app: app, enrolment: enrolment, recoveryCodes: digests)
        } ?? SecondFactor(of: id)
    }

    fileprivate func signInChallenge(_ digest: TokenDigest) throws -> SignInChallenge? {
        try first(
            """
            SELECT account, expires_at, failures, proof, issuer, subject, name, known, asker, network
            FROM sign_in_challenges WHERE token = ?
            """,
            .blob(digest.bytes)
        ) { row in
            let origin = row.optionalText(4).map { _ in SessionOriginRow.origin(row, from: 4) }
            return SignInChallenge(
                account: AccountID(row.text(0)), proof: SignInProof(stored: row.bytes(3), origin: origin),
                asker: SignInChallenge.Asker(
                    isKnown: row.boolean(7), digest: row.bytes(8), network: row.bytes(9)),
                expiresAt: Timestamp(microseconds: Int64(row.integer(1))), failures: row.integer(2))
        }
    }
}

extension WriteTransaction {
    func apply(_ change: SecondFactorRowChange) throws {
        switch change {
        case .set(let factor): try set(factor)
        case .setChallenge(let challenge, let digest):
            try connection.run(
                """
                INSERT INTO sign_in_challenges (
                    token, account, expires_at, failures, proof, issuer, subject, name, known, asker, network)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (token) DO UPDATE SET account = excluded.account, expires_at = excluded.expires_at,
                failures = excluded.failures, proof = excluded.proof, issuer = excluded.issuer,
                subject = excluded.subject, name = excluded.name, known = excluded.known, asker = excluded.asker,
                network = excluded.network
                """,
                .blob(digest.bytes), .text(challenge.account.text), .integer(challenge.expiresAt.microseconds),
                .integer(challenge.failures), .blob(challenge.proof.digest), .text(challenge.proof.origin?.issuer),
                .blob(challenge.proof.origin?.subject), .blob(challenge.proof.origin?.session),
                .boolean(challenge.asker.isKnown), .blob(challenge.asker.digest), .blob(challenge.asker.network))
        case .removeChallenge(let digest):
            try connection.run("DELETE FROM sign_in_challenges WHERE token = ?", .blob(digest.bytes))
        case .removeChallenges(let account):
            try connection.run("DELETE FROM sign_in_challenges WHERE account = ?", .text(account.text))
        }
    }

    private func set(_ factor: SecondFactor) throws {
        guard factor != SecondFactor(of: factor.account) else {
            try connection.run("DELETE FROM second_factors WHERE account = ?", .text(factor.account.text))
            return
        }
        try connection.run(
            """
            INSERT INTO second_factors (
                account, seed, since, last_step, enrolment, enrolment_ends, recovery)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET seed = excluded.seed, since = excluded.since,
            last_step = excluded.last_step, enrolment = excluded.enrolment, enrolment_ends = excluded.enrolment_ends,
            recovery = excluded.recovery
            """,
            .text(factor.account.text), .blob(factor.app?.seed), .integer(factor.app?.since.microseconds),
            .integer(factor.app?.lastStep), .blob(factor.enrolment?.seed),
            .integer(factor.enrolment?.expiresAt.microseconds), .blob(factor.recoveryCodes.flatMap(\.bytes)))
    }
}
