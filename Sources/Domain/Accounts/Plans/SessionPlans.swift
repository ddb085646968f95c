public import Cryptography
public import Shared

/// The rules of sessions, and of the devices from which people sign in.
public enum SessionPlans {
    /// The devices an account may have signed in from without being a stranger; older ones are forgotten.
    public static let devicesKept = 20

    /// A device that signed in to an account.
    public struct Device: Sendable, Equatable {
        /// The digest of its token.
        public let token: TokenDigest
        /// When it signed in last.
        public let seenAt: Timestamp

        /// A device as it is stored.
        public init(token: TokenDigest, seenAt: Timestamp) {
            self.token = token
            self.seenAt = seenAt
        }
    }

    /// A sign-in, which ends the oldest sessions beyond ``Session/maximumCount`` and forgets the devices beyond
    /// ``devicesKept`` that were not seen for the longest time. Within that number it takes no permission, and no
    /// permit becomes void. A role that was given since the session's kind was chosen holds the session to its limits.
    ///
    /// - Parameters:
    ///   - proof: what was shown to sign in.
    ///   - moment: when the person was asked for it.
    ///   - account: the account, if there is one.
    ///   - password: its password; `nil` for none.
    ///   - identities: its identities.
    ///   - passkeys: its passkeys.
    ///   - secondFactor: its second factor, which may have been set up since the proof was looked at.
    ///   - isStaff: whether it is registrar or teacher anywhere.
    ///   - sessions: its sessions before this one.
    ///   - devices: those it signed in from before.
    /// - Throws: ``StoreError/notFound`` for an account that is disabled or not there, ``StoreError/moved`` when the
    ///   proof no longer holds, or is not enough.
    public static func opening(
        _ wanted: Session, by proof: SignInProof, provenAt moment: Timestamp, token: TokenDigest, device: TokenDigest,
        audit: AuditEntry,
        of account: Account?, password: PasswordHash?, identities: [LinkedIdentity], passkeys: [Passkey],
        secondFactor: SecondFactor, isStaff: Bool, besides sessions: [Session], devices: [Device]
    ) throws(StoreError) -> AccountPlan<Session> {
        guard let account, !account.isDisabled else { throw .notFound }
        guard let way = proof.way(password: password, identities: identities, passkeys: passkeys) else { throw .moved }
        guard wanted.factors > .one || !secondFactor.isRequired else { throw .moved }
        let session = wanted.held(to: SessionKind(of: account, isStaff: isStaff))
        let ended = (sessions + [session]).sorted { $0.isNewer(than: $1) }.dropFirst(Session.maximumCount)
        let forgotten = devices.filter { $0.token != device }.sorted { $0.seenAt > $1.seenAt }
            .dropFirst(devicesKept - 1)
        let act = AuditContext(by: audit.account, from: audit.source, at: audit.at)
        let isNew = !devices.isEmpty && !devices.contains { $0.token == device }
        let opened = act.entry(
            audit.action, of: audit.subject, detail: SignInParticulars(session, by: way, isNewDevice: isNew).bytes)
        // From now on it is not for a password alone to set up another factor, in sessions that are open either.
        let vouching = identities.first { $0.issuer == proof.origin?.issuer }.flatMap { identity in
            identity.change(of: session.factors == .vouched)
        }
        let origin: [AccountRowChange] = [proof.origin.map { .setOrigin($0, of: session.id) }, vouching]
            .compactMap(\.self)
        return AccountPlan(
            [.insertSession(session, token: token), .proveSession(session.id, at: moment)]
                + origin
                + [.noteDevice(device, of: account.id, at: session.createdAt)]
                + forgotten.map { .removeDevice($0.token, of: account.id) } + ended.map { .removeSession($0.id) },
            audit: [opened] + ended.map { act.entry("session.ended", of: account.id.text, detail: $0.id.auditText) },
            voided: ended.isEmpty ? [] : [.account(account.id)],
            altered: vouching == nil ? [] : [.account(account.id)], events: ended.map { .sessionEnded($0.id) },
            value: session)
    }

    /// A request was made; the moment of the last one never goes back. A session that has ended stays so.
    public static func touch(_ session: Session?, at moment: Timestamp) -> AccountPlan<Void> {
        guard let session, session.lastSeenAt < moment else { return AccountPlan([]) }
        return AccountPlan([.updateSession(session.seen(at: moment))])
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
            [.removeSession(session)] + (isOwn ? [] : pending(of: account)), audit: [audit],
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
            ended.map { .removeSession($0) } + (kept == nil ? pending(of: account) : [])
                + [.removeDevices(of: account, besides: device)], audit: [audit], voided: [.account(account)],
            events: ended.map { .sessionEnded($0) })
    }

    private static func pending(of account: AccountID) -> [AccountRowChange] {
        [.dropPendingEmail(of: account), .takeBackMails(.confirmation, of: account)]
    }

    /// What a store has found of the sessions that a provider's notice may mean.
    public struct Opened: Sendable {
        /// Whether the notice was used before.
        public let isUsed: Bool
        /// The sessions that were opened through the issuer, by whose they are.
        public let sessions: [(session: SessionID, account: AccountID, origin: SessionOrigin)]
        /// The sign-ins through the issuer that wait for their second factor.
        public let challenges: [(digest: TokenDigest, origin: SessionOrigin)]

        /// What was found.
        public init(
            isUsed: Bool, sessions: [(session: SessionID, account: AccountID, origin: SessionOrigin)],
            challenges: [(digest: TokenDigest, origin: SessionOrigin)]
        ) {
            self.isUsed = isUsed
            self.sessions = sessions
            self.challenges = challenges
        }
    }

    /// A person has signed out at a provider.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `digest` for a notice that was used before.
    public static func logout(
        _ notice: LogoutNotice, found: Opened, as act: AuditContext
    ) throws(StoreError) -> AccountPlan<Void> {
        if found.isUsed { throw .taken(field: "digest") }
        let ended = found.sessions.filter { notice.ends($0.origin) }
        let waiting = found.challenges.filter { notice.ends($0.origin) }
        let accounts = Set(ended.map(\.account)).sorted()
        return AccountPlan(
            (notice.once.map { [.useNotice($0.digest, until: $0.until)] } ?? [])
                + ended.map { .removeSession($0.session) } + waiting.map { .removeChallenge($0.digest) },
            audit: ended.map { act.entry("session.loggedOut", of: $0.account.text) },
            voided: accounts.map { .account($0) }, events: ended.map { .sessionEnded($0.session) })
    }

    /// Holds the sessions of a person who becomes staff to the limits of staff.
    public static func tightening(_ sessions: [Session], at moment: Timestamp) -> AccountPlan<Void> {
        AccountPlan(held(sessions, to: .staff, at: moment))
    }

    /// Holds sessions to the limits of a kind, where those are stricter than their own: each goes on, for no longer
    /// than a session of that kind that began at that moment.
    static func held(_ sessions: [Session], to kind: SessionKind, at moment: Timestamp) -> [AccountRowChange] {
        let end = moment.adding(seconds: kind.lifetime)
        return sessions.filter { kind.lifetime < $0.kind.lifetime }.map { session in
            .updateSession(
                session.seen(at: max(session.lastSeenAt, moment))
                    .lasting(until: min(session.expiresAt, end), as: kind))
        }
    }
}

extension LinkedIdentity {
    /// What a sign-in through the issuer changes about its word on second factors; `nil` for nothing.
    fileprivate func change(of vouches: Bool) -> AccountRowChange? {
        switch (vouching, vouches) {
        case (.none, true), (.presumed, true): .noteVouching(issuer: issuer, of: account)
        case (.presumed, false): .dropPresumedVouching(issuer: issuer, of: account)
        case (.none, false), (.given, _): nil
        }
    }
}

extension Session {
    /// Whether the sign-in was later; of two at the same moment the one whose identifier is greater.
    fileprivate func isNewer(than other: Session) -> Bool { (createdAt, id) > (other.createdAt, other.id) }

    fileprivate func seen(at moment: Timestamp) -> Session {
        var session = self
        session.lastSeenAt = moment
        return session
    }

    /// The same sign-in under the limits of a kind, where those are stricter than its own.
    fileprivate func held(to kind: SessionKind) -> Session {
        guard kind.lifetime < self.kind.lifetime else { return self }
        return lasting(until: min(expiresAt, createdAt.adding(seconds: kind.lifetime)), as: kind)
    }

    fileprivate func lasting(until end: Timestamp, as kind: SessionKind) -> Session {
        var session = self
        (session.kind, session.expiresAt) = (kind, end)
        return session
    }

    /// The same sign-in, whose owner has shown more; what was shown before counts on.
    func showing(_ factors: ShownFactors) -> Session {
        var session = self
        session.factors = max(self.factors, factors)
        return session
    }
}
