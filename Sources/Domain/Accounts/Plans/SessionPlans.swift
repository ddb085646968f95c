public import Cryptography
public import Shared

/// Plans the writes of sessions and of the devices that people sign in from.
public enum SessionPlans {
    /// The maximum number of known devices of an account; older ones are removed.
    public static let devicesKept = 20

    /// A device that has signed in to an account.
    public struct Device: Sendable, Equatable {
        /// The digest of its token.
        public let token: TokenDigest
        /// When it last signed in.
        public let seenAt: Timestamp

        /// Creates a device as it is stored.
        public init(token: TokenDigest, seenAt: Timestamp) {
            self.token = token
            self.seenAt = seenAt
        }
    }

    /// Plans a sign-in. It ends the oldest sessions beyond ``Session/maximumCount``, and removes the devices beyond
    /// ``devicesKept`` that were not seen for the longest time. Unless it ends a session, no permission becomes void.
    /// If the account has got a role since the session's kind was chosen, the session gets the limits of that role.
    ///
    /// - Parameters:
    ///   - proof: What was shown to sign in.
    ///   - moment: When the person was asked for it.
    ///   - account: The account; `nil` if there is none.
    ///   - password: Its password hash; `nil` if it has none.
    ///   - identities: Its identities.
    ///   - passkeys: Its passkeys.
    ///   - secondFactor: Its second factor, which may have been set up since the proof was checked.
    ///   - isStaff: Whether it is a registrar or teacher of any institution.
    ///   - sessions: Its sessions before this one.
    ///   - devices: The devices that it has signed in from.
    /// - Throws: ``StoreError/notFound`` if the account is disabled or does not exist, ``StoreError/moved`` if the
    ///   proof no longer holds or is not enough.
    public static func opening(
        _ wanted: Session, by proof: SignInProof, provenAt moment: Timestamp, token: TokenDigest, device: TokenDigest,
        audit: AuditEntry,
        of account: Account?, password: PasswordHash?, identities: [LinkedIdentity], passkeys: [Passkey],
        secondFactor: SecondFactor, isStaff: Bool, besides sessions: [Session], devices: [Device]
    ) throws(StoreError) -> AccountPlan<Session> {
        guard let account, !account.isDisabled else { throw .notFound }
        guard let way = proof.way(password: password, identities: identities, passkeys: passkeys) else { throw .moved }
        guard wanted.factors != .one || !secondFactor.isRequired else { throw .moved }
        let session = wanted.held(to: SessionKind(of: account, isStaff: isStaff))
        let ended = (sessions + [session]).sorted { $0.isNewer(than: $1) }.dropFirst(Session.maximumCount)
        let forgotten = devices.filter { $0.token != device }.sorted { $0.seenAt > $1.seenAt }
            .dropFirst(devicesKept - 1)
        let act = AuditContext(by: audit.account, from: audit.source, at: audit.at)
        let isNew = !devices.isEmpty && !devices.contains { $0.token == device }
        let opened = act.entry(
            audit.action, of: audit.subject, detail: SignInParticulars(session, by: way, isNewDevice: isNew).bytes)
        // Once an issuer vouches for a second factor, a password alone may not set up another one, even in open
        // sessions.
        let vouching = identities.first { $0.issuer == proof.origin?.issuer }.flatMap { identity in
            identity.change(of: session.factors.voucher == identity.issuer)
        }
        let origin: [AccountRowChange] = [proof.origin.map { .session(.setOrigin($0, of: session.id)) }, vouching]
            .compactMap(\.self)
        return AccountPlan(
            [.session(.insert(session, token: token)), .session(.prove(session.id, at: moment))]
                + origin
                + [.session(.noteDevice(device, of: account.id, at: session.createdAt))]
                + forgotten.map { .session(.removeDevice($0.token, of: account.id)) }
                + ended.map { .session(.remove($0.id)) },
            audit: [opened] + ended.map { act.entry("session.ended", of: account.id.text, detail: $0.id.auditText) },
            voided: ended.isEmpty ? [] : [.account(account.id)],
            altered: vouching == nil ? [] : [.account(account.id)], events: ended.map { .sessionEnded($0.id) },
            value: session)
    }

    /// Plans to store when a session made a request. The time never goes back, and a session that has ended stays so.
    public static func touch(_ session: Session?, at moment: Timestamp) -> AccountPlan<Void> {
        guard let session, session.lastSeenAt < moment else { return AccountPlan([]) }
        return AccountPlan([.session(.update(session.seen(at: moment)))])
    }

    /// The end of one session of an account. One that another session or an administrator ends may be a thief's: an
    /// address that waits to be confirmed, which it may have entered, goes with it.
    ///
    /// - Parameters:
    ///   - sessions: the account's sessions.
    ///   - isOwn: whether the session ends itself.
    public static func end(
        _ session: SessionID, of account: AccountID, among sessions: [SessionID], itself isOwn: Bool, audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard sessions.contains(session) else { throw .notFound }
        return AccountPlan(
            [.session(.remove(session))] + (isOwn ? [] : pending(of: account)), audit: [audit],
            voided: [.account(account)], events: [.sessionEnded(session)])
    }

    /// The end of all sessions of an account but one; where none is kept, also of an address that waits to be confirmed. All
    /// devices but one are strangers again.
    ///
    /// - Parameters:
    ///   - sessions: the account's sessions.
    ///   - device: the device that is in use.
    public static func endAll(
        of account: AccountID, among sessions: [SessionID], keeping kept: SessionID?, device: TokenDigest? = nil,
        audit: AuditEntry
    ) -> AccountPlan<Void> {
        let ended = sessions.filter { $0 != kept }
        return AccountPlan(
            ended.map { .session(.remove($0)) } + (kept == nil ? pending(of: account) : [])
                + [.session(.removeDevices(of: account, besides: device))], audit: [audit], voided: [.account(account)],
            events: ended.map { .sessionEnded($0) })
    }

    private static func pending(of account: AccountID) -> [AccountRowChange] {
        [.email(.dropPending(of: account)), .email(.takeBackMails(.confirmation, of: account))]
    }

    /// What a store has found of the sessions that a provider's notice may mean.
    public struct Opened: Sendable {
        /// Whether the notice was used before.
        public let isUsed: Bool
        /// The sessions that were opened through the issuer, with their accounts and origins.
        public let sessions: [(session: SessionID, account: AccountID, origin: SessionOrigin)]
        /// The sign-ins through the issuer that wait for a second factor.
        public let challenges: [(digest: TokenDigest, origin: SessionOrigin)]

        /// Creates the rows that were found.
        public init(
            isUsed: Bool, sessions: [(session: SessionID, account: AccountID, origin: SessionOrigin)],
            challenges: [(digest: TokenDigest, origin: SessionOrigin)]
        ) {
            self.isUsed = isUsed
            self.sessions = sessions
            self.challenges = challenges
        }
    }

    /// Plans to end the sessions in a provider's logout notice.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `digest` if the notice was used before.
    public static func logout(
        _ notice: LogoutNotice, found: Opened, as act: AuditContext
    ) throws(StoreError) -> AccountPlan<Void> {
        if found.isUsed { throw .taken(field: "digest") }
        let ended = found.sessions.filter { notice.ends($0.origin) }
        let waiting = found.challenges.filter { notice.ends($0.origin) }
        let accounts = Set(ended.map(\.account)).sorted()
        return AccountPlan(
            (notice.once.map { [.identity(.useNotice($0.digest, until: $0.until))] } ?? [])
                + ended.map { .session(.remove($0.session)) }
                + waiting.map { .secondFactor(.removeChallenge($0.digest)) },
            audit: ended.map { act.entry("session.loggedOut", of: $0.account.text) },
            voided: accounts.map { .account($0) }, events: ended.map { .sessionEnded($0.session) })
    }

    /// Plans to apply the limits of staff to the sessions of a person who becomes staff.
    public static func tightening(_ sessions: [Session], at moment: Timestamp) -> AccountPlan<Void> {
        AccountPlan(held(sessions, to: .staff, at: moment))
    }

    /// Returns the changes that apply the limits of a kind to sessions whose own limits are wider: none lasts longer
    /// than a session of that kind that began at the moment.
    static func held(_ sessions: [Session], to kind: SessionKind, at moment: Timestamp) -> [AccountRowChange] {
        let end = moment.adding(seconds: kind.lifetime)
        return sessions.filter { kind.lifetime < $0.kind.lifetime }.map { session in
            .session(
                .update(
                    session.seen(at: max(session.lastSeenAt, moment))
                        .lasting(until: min(session.expiresAt, end), as: kind)))
        }
    }
}

extension LinkedIdentity {
    /// Returns the change of what the issuer vouches for after a sign-in through it; `nil` if it stays the same.
    fileprivate func change(of vouches: Bool) -> AccountRowChange? {
        switch (vouching, vouches) {
        case (.none, true), (.presumed, true): .identity(.noteVouching(issuer: issuer, of: account))
        case (.presumed, false): .identity(.dropPresumedVouching(issuer: issuer, of: account))
        case (.none, false), (.given, _): nil
        }
    }
}

extension Session {
    /// Returns whether the sign-in was later; of two at the same moment, the one with the greater identifier counts as
    /// later.
    fileprivate func isNewer(than other: Session) -> Bool { (createdAt, id) > (other.createdAt, other.id) }

    fileprivate func seen(at moment: Timestamp) -> Session {
        var session = self
        session.lastSeenAt = moment
        return session
    }

    /// Returns the same session with the limits of a kind, if those are stricter than its own.
    fileprivate func held(to kind: SessionKind) -> Session {
        guard kind.lifetime < self.kind.lifetime else { return self }
        return lasting(until: min(expiresAt, createdAt.adding(seconds: kind.lifetime)), as: kind)
    }

    fileprivate func lasting(until end: Timestamp, as kind: SessionKind) -> Session {
        var session = self
        (session.kind, session.expiresAt) = (kind, end)
        return session
    }

    /// Returns the same session after its owner has shown some factors; factors shown before still count.
    func showing(_ factors: ShownFactors) -> Session {
        var session = self
        session.factors = self.factors.adding(factors)
        return session
    }
}
