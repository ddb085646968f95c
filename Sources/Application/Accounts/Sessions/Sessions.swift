public import Accounts
public import Cryptography
public import Shared

/// The use cases of sessions: identifying the sender of a request, and managing the sessions of an account.
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

    /// Returns the cached owner of a session without asking the store; if it is `nil`, call `authenticate`. Never
    /// returns the owner of a session that ended on this node.
    public func recent(_ token: SecretToken) -> SignedIn? {
        cache.signedIn(token.digest, at: clock.now)
    }

    /// Returns the owner of a session; `nil` if the token is not valid (any more).
    ///
    /// - Parameter renews: Whether this counts as a request of the session's owner, which moves the session's idle end.
    public func authenticate(_ token: SecretToken, renewing renews: Bool = true) async throws -> SignedIn? {
        try await authenticate(token.digest, renewing: renews)
    }

    /// Returns the owner of a session, given its token's digest; `nil` if the token is not valid (any more).
    func authenticate(_ digest: TokenDigest, renewing renews: Bool = true) async throws -> SignedIn? {
        let now = clock.now
        if let signedIn = cache.signedIn(digest, at: now) { return signedIn }
        // Taken before the session is read: a change in between makes the entry useless, but not wrong.
        let moment = cache.moment
        guard var standing = try await store.session(digest), now < standing.session.endsAt,
            !standing.account.isDisabled
        else { return nil }
        let interval = standing.session.kind.touchInterval
        if standing.session.lastSeenAt.adding(seconds: interval) <= now {
            guard renews else { return SignedIn(standing, under: duty) }
            // If the store can be read but not written, the request continues; the session may then end early.
            try? await store.touch(standing.session.id, at: now)
            standing.session.lastSeenAt = now
        }
        let signedIn = SignedIn(standing, under: duty)
        let session = standing.session
        let until = min(session.expiresAt, session.lastSeenAt.adding(seconds: interval))
        cache.keep(signedIn, for: digest, until: until, readAt: moment)
        return signedIn
    }

    /// Returns the owner of a session as currently stored; `nil` if the session is not valid (any more).
    public func signedIn(by id: SessionID, of account: AccountID) async throws -> SignedIn? {
        guard let standing = try await store.session(id, of: account), clock.now < standing.session.endsAt,
            !standing.account.isDisabled
        else { return nil }
        return SignedIn(standing, under: duty)
    }

    /// Returns the current state of an account that ordered background work, whose session or token may have ended
    /// since; `nil` if the account may no longer act.
    public func goesOn(_ owner: AccountID) async throws -> ActingAccount? {
        guard let (account, accessVersion) = try await store.standing(of: owner), !account.isDisabled else {
            return nil
        }
        return ActingAccount(account, asOf: accessVersion)
    }

    /// Returns an account's valid sessions, newest first.
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
    ///   - factors: The factors that the person has shown.
    ///   - askedAt: When the person was asked for them, possibly long ago; `nil` for the current moment.
    /// - Throws: `StoreError.notFound` if the account is disabled or deleted, `.moved` if the proof no longer holds or
    ///   no longer suffices.
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
