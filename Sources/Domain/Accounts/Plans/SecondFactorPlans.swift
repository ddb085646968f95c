public import Cryptography
public import Shared

/// Plans the writes of second factors from the rows that the store found.
public enum SecondFactorPlans {
    /// The result of checking a code.
    public enum Verdict: Sendable, Equatable {
        /// The code is right.
        case right
        /// The code is wrong, was used before or is unreadable.
        case wrong
    }

    /// Plans to let a sign-in wait for its second factor. Beyond ``SignInChallenge/capacity``, those of the same asker
    /// that end first are dropped. For a stranger beyond ``SignInChallenge/capacityOfStrangers``, the one that ends
    /// first of the network with the most strangers is dropped. Those of the account that have ended go too.
    ///
    /// - Parameter others: The account's sign-ins that wait already.
    public static func issue(
        _ challenge: SignInChallenge, digest: TokenDigest, at now: Timestamp, besides others: [SignInChallenge.Waiting]
    ) -> AccountPlan<Void> {
        let waiting = others.filter { now < $0.expiresAt }.sorted { $0.expiresAt > $1.expiresAt }
        let own = waiting.filter { $0.asker == challenge.asker }.dropFirst(SignInChallenge.capacity - 1)
        let isDropped = Set(own.map(\.digest))
        let strangers = waiting.filter { !$0.asker.isKnown && !isDropped.contains($0.digest) }
        let evicted =
            challenge.asker.isKnown
            ? [] : evicted(from: strangers, leaving: SignInChallenge.capacityOfStrangers - 1)
        let dropped = own + evicted + others.filter { $0.expiresAt <= now }
        let drops = dropped.map { AccountRowChange.secondFactor(.removeChallenge($0.digest)) }
        return AccountPlan(drops + [.secondFactor(.setChallenge(challenge, digest: digest))])
    }

    /// Returns those that make room until so many are left: each time the last one of the network with the most; of
    /// several such networks, of the one whose last is the oldest.
    ///
    /// - Parameter strangers: The sign-ins that wait, the newest first.
    private static func evicted(
        from strangers: [SignInChallenge.Waiting], leaving most: Int
    ) -> [SignInChallenge.Waiting] {
        var left = strangers
        var evicted: [SignInChallenge.Waiting] = []
        while left.count > most {
            let counts = left.reduce(into: [[UInt8]: Int]()) { $0[$1.asker.network, default: 0] += 1 }
            let fullest = counts.values.max()
            guard let index = left.lastIndex(where: { counts[$0.asker.network] == fullest }) else { break }
            evicted.append(left.remove(at: index))
        }
        return evicted
    }

    /// Plans to begin the setup of an app, replacing another setup; the current app stays valid until the setup is
    /// finished.
    package static func beginning(_ enrolment: SecondFactor.Enrolment, of found: SecondFactor) -> AccountPlan<Void> {
        var factor = found
        factor.enrolment = enrolment
        return AccountPlan([.secondFactor(.set(factor))])
    }

    /// Plans to finish the setup of an app that has shown its code: it replaces the previous app and brings new
    /// recovery codes. All other sessions end, since none of them has shown this second factor. A wrong code changes
    /// nothing.
    ///
    /// - Parameter step: Returns the time step of the code for a seed; `nil` if the code is wrong.
    package static func confirmation(
        of found: SecondFactor, at now: Timestamp, recoveryCodes: [TokenDigest], among sessions: [Session],
        keeping kept: SessionID, audit: AuditEntry, step: ([UInt8]) -> Int64?
    ) throws(StoreError) -> AccountPlan<Verdict> {
        guard let enrolment = found.enrolment, now < enrolment.expiresAt else { throw .notFound }
        guard let step = step(enrolment.seed) else { return AccountPlan([], value: .wrong) }
        let app = SecondFactor.App(seed: enrolment.seed, since: now, lastStep: step)
        let factor = SecondFactor(of: found.account, app: app, recoveryCodes: recoveryCodes)
        let ended = sessions.filter { $0.id != kept }.map(\.id)
        let shown = sessions.filter { $0.id == kept }.map { AccountRowChange.session(.update($0.showing(.own))) }
        return AccountPlan(
            [.secondFactor(.set(factor)), .secondFactor(.removeChallenges(of: found.account))] + shown
                + ended.map { .session(.remove($0)) },
            audit: [audit], voided: [.account(found.account)], events: ended.map { .sessionEnded($0) }, value: .right)
    }

    /// Plans to replace the recovery codes.
    package static func renewal(
        of found: SecondFactor, recoveryCodes: [TokenDigest], audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard found.isRequired else { throw .notFound }
        var factor = found
        factor.recoveryCodes = recoveryCodes
        return AccountPlan([.secondFactor(.set(factor))], audit: [audit])
    }

    /// Plans to remove an account's second factor; sign-ins that wait for it must begin again.
    package static func removal(of found: SecondFactor, audit: AuditEntry) throws(StoreError) -> AccountPlan<Void> {
        guard found.isRequired else { throw .notFound }
        return AccountPlan(
            [
                .secondFactor(.set(SecondFactor(of: found.account))),
                .secondFactor(.removeChallenges(of: found.account)),
            ], audit: [audit],
            voided: [.account(found.account)], events: [.accessChanged(found.account)])
    }

    /// Plans to remove everything that counts as a second factor, including passkeys and what providers vouched for,
    /// for an owner who has lost it. Every session and API token ends, since another person may use one of them.
    ///
    /// - Throws: ``StoreError/notFound`` if nothing counts as a second factor.
    public static func loss(
        of found: SecondFactor, passkeys: [Passkey], identities: [LinkedIdentity], sessions: [SessionID],
        tokens: [APIToken], audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard found.isRequired || !passkeys.isEmpty || identities.contains(where: { $0.vouching != .none }) else {
            throw .notFound
        }
        return AccountPlan(
            [
                .secondFactor(.set(SecondFactor(of: found.account))),
                .secondFactor(.removeChallenges(of: found.account)),
                .identity(.forgetVouching(of: found.account)),
            ]
                + passkeys.map { .passkey(.remove($0.id)) } + sessions.map { .session(.remove($0)) }
                + tokens.map { .apiToken(.remove($0.id)) },
            audit: [audit], voided: [.account(found.account)],
            events: sessions.map { .sessionEnded($0) } + tokens.map { .tokenEnded($0.id) })
    }

    /// Plans to store that a session's owner proved their identity and showed some factors.
    ///
    /// - Parameters:
    ///   - sessions: The account's sessions.
    ///   - assertion: A provider's assertion with the rows that the store found for it; `nil` if no provider was asked.
    public static func proof(
        of session: SessionID, among sessions: [Session], at moment: Timestamp, showing factors: ShownFactors,
        by assertion: (said: Assertion, found: IdentityPlans.Rows)? = nil, audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard let before = sessions.first(where: { $0.id == session }) else { throw .notFound }
        let after = before.showing(factors)
        var changes: [AccountRowChange] = before == after ? [] : [.session(.update(after))]
        let alters = !changes.isEmpty || assertion != nil
        if let assertion {
            changes.append(
                try IdentityPlans.proving(assertion.said, of: before.account, found: assertion.found))
            let issuer = assertion.said.issuer
            changes.append(
                factors.voucher == issuer
                    ? .identity(.noteVouching(issuer: issuer, of: before.account))
                    : .identity(.dropPresumedVouching(issuer: issuer, of: before.account)))
        }
        return AccountPlan(
            [.session(.prove(session, at: moment))] + changes, audit: [audit],
            altered: alters ? [.account(before.account)] : [])
    }

    /// Plans to check a code and to use it up; the value is the result.
    ///
    /// - Parameters:
    ///   - act: The context of the request, for the audit row about a recovery code.
    ///   - step: Returns the time step of a code of the app; `nil` if the code is wrong.
    package static func use(
        _ code: TypedCode, of found: SecondFactor, by act: AuditContext,
        step: (_ code: String, _ app: SecondFactor.App) -> Int64?
    ) -> AccountPlan<Verdict> {
        var factor = found
        switch code {
        case .app(let text):
            guard let app = found.app, let step = step(text, app), step > app.lastStep else { break }
            factor.app?.lastStep = step
            return AccountPlan([.secondFactor(.set(factor))], value: .right)
        case .recovery(let code):
            guard found.isRequired, let index = found.recoveryCodes.firstIndex(of: code.digest) else { break }
            factor.recoveryCodes.remove(at: index)
            return AccountPlan(
                [.secondFactor(.set(factor))], audit: [act.entry("recovery-code.used", of: found.account.text)],
                value: .right)
        case .unreadable: break
        }
        return AccountPlan([], value: .wrong)
    }

    /// Plans the answer to a challenge. A right code uses up the challenge, and so does the last wrong one allowed,
    /// which the audit trail reports to the owner: another person knows the password.
    ///
    /// - Parameter use: The plan of ``use(_:of:by:step:)`` for the code.
    package static func answer(
        to challenge: SignInChallenge, digest: TokenDigest, at now: Timestamp, by act: AuditContext,
        use: AccountPlan<Verdict>
    ) throws(StoreError) -> AccountPlan<Verdict> {
        guard now < challenge.expiresAt else { throw .notFound }
        var plan = use
        if plan.value == .right {
            plan.changes.append(.secondFactor(.removeChallenge(digest)))
        } else if challenge.failures + 1 >= SignInChallenge.tries {
            plan.changes.append(.secondFactor(.removeChallenge(digest)))
            plan.audit.append(act.entry("second-factor.refused", of: challenge.account.text))
        } else {
            let tried = SignInChallenge(
                account: challenge.account, proof: challenge.proof, asker: challenge.asker,
                expiresAt: challenge.expiresAt, failures: challenge.failures + 1)
            plan.changes.append(.secondFactor(.setChallenge(tried, digest: digest)))
        }
        return plan
    }
}
