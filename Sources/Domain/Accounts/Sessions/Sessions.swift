public import Cryptography
public import Shared

/// Who makes a request, and the sign-ins of an account.
public struct Sessions: Sendable {
    private let store: any AccountStore
    private let clock: WallClock
    private let random: RandomSource
    private let identifiers: UUIDSource
    private let duty: SecondFactorDuty
    private let isStaff: @Sendable (AccountID) async throws -> Bool
    private let emails: Emails?
    private let cache: SessionCache

    init(
        store: any AccountStore, clock: WallClock, random: RandomSource, identifiers: UUIDSource,
        duty: SecondFactorDuty, emails: Emails? = nil, isStaff: @escaping @Sendable (AccountID) async throws -> Bool
    ) {
        self.store = store
        self.clock = clock
        self.random = random
        self.identifiers = identifiers
        self.duty = duty
        self.isStaff = isStaff
        self.emails = emails
        cache = SessionCache(news: store.accessNews)
    }

    /// The owner of a session seen a moment ago, without asking the store; `nil` says nothing: ask
    /// `authenticate`. Never answers for a session that ended on this node.
    public func recent(_ token: SecretToken) -> SignedIn? {
        cache.signedIn(token.digest, at: clock.now)
    }

    /// The owner of a session, or `nil` when the token opens nothing (any more).
    public func authenticate(_ token: SecretToken) async throws -> SignedIn? { try await authenticate(token.digest) }

    /// The owner of a session, or `nil` when a token of that digest opens nothing (any more).
    func authenticate(_ digest: TokenDigest) async throws -> SignedIn? {
        let now = clock.now
        if let signedIn = cache.signedIn(digest, at: now) { return signedIn }
        // Before the session is read: a change in between makes the entry worthless rather than wrong.
        let moment = cache.moment
        guard let standing = try await store.session(digest), now < standing.session.endsAt,
            !standing.account.isDisabled
        else { return nil }
        let session = standing.session
        let signedIn = SignedIn(standing, under: duty)
        var seen = session.lastSeenAt
        if seen.adding(seconds: session.kind.touchInterval) <= now {
            // A store that cannot write can still be read: the session then ends early rather than the request.
            try? await store.touch(session.id, at: now)
            seen = now
        }
        let until = min(session.expiresAt, seen.adding(seconds: session.kind.touchInterval))
        cache.keep(signedIn, for: digest, until: until, readAt: moment)
        return signedIn
    }

    /// The owner of a session as the store has it now, or `nil` when it does not hold (any more).
    public func signedIn(by id: SessionID, of account: AccountID) async throws -> SignedIn? {
        guard let standing = try await store.session(id, of: account), clock.now < standing.session.endsAt,
            !standing.account.isDisabled
        else { return nil }
        return SignedIn(standing, under: duty)
    }

    /// The account that ordered work, whose session or token may have ended since, as it stands now; `nil` when it may
    /// not act any more.
    public func goesOn(_ owner: AccountID) async throws -> ActingAccount? {
        guard let (account, accessVersion) = try await store.standing(of: owner), !account.isDisabled else {
            return nil
        }
        return ActingAccount(account, asOf: accessVersion)
    }

    /// An account's sessions that still hold, newest first.
    public func list(of account: AccountID) async throws -> [Session] {
        let now = clock.now
        return try await store.sessions(of: account).filter { now < $0.endsAt }
    }

    /// Ends a session of one's own; `StoreError.notFound` for any other.
    ///
    /// - Parameter isOwn: whether the session that asks is to end.
    public func end(
        _ session: SessionID, of account: AccountID, itself isOwn: Bool = false, from source: String
    ) async throws {
        let act = AuditContext(by: account, from: source, at: clock.now)
        try await store.end(
            session, of: account, itself: isOwn,
            audit: act.entry("session.ended", of: account.text, detail: session.auditText))
    }

    /// Ends all sessions of one's own but, if named, one.
    ///
    /// - Parameter device: what the browser shows of an earlier sign-in: all other devices are strangers again.
    public func endAll(
        of account: AccountID, keeping session: SessionID? = nil, device: SecretToken? = nil, from source: String
    ) async throws {
        let act = AuditContext(by: account, from: source, at: clock.now)
        try await store.endSessions(
            of: account, keeping: session, device: device?.digest,
            audit: act.entry("sessions.ended", of: account.text))
    }

    /// Opens a session for a person who has shown a proof.
    ///
    /// - Parameters:
    ///   - factors: how much the person has shown.
    ///   - askedAt: when the person was asked who it is, which may be long ago; `nil` for just now.
    /// - Throws: `StoreError.notFound` for an account that is disabled or gone, `.moved` when the proof no longer holds, or
    ///   is not enough any more.
    public func open(
        _ account: Account, by proof: SignInProof, showing factors: ShownFactors = .one, askedAt: Timestamp? = nil,
        from client: Client, device: SecretToken? = nil
    ) async throws -> NewSession {
        let now = clock.now
        let kind = try await kind(of: account)
        let session = Session(
            id: SessionID(identifiers.next()), account: account.id, kind: kind, createdAt: now,
            expiresAt: now.adding(seconds: kind.lifetime), lastSeenAt: now, source: client.source,
            client: client.description, device: client.device, factors: factors)
        let token = SecretToken(random: random)
        let device = device ?? SecretToken(random: random)
        let act = AuditContext(by: account.id, from: client.source, at: now)
        let stored = try await store.insert(
            session, by: proof, provenAt: min(askedAt ?? now, now), token: token.digest, device: device.digest,
            audit: act.entry("session.opened", of: account.id.text), telling: emails?.notice(of: session))
        return NewSession(account: account, session: stored, token: token, device: device)
    }

    private func kind(of account: Account) async throws -> SessionKind {
        SessionKind(of: account, isStaff: try await isStaff(account.id))
    }
}
