public import Cryptography
public import Shared

/// The rules of second factors, over the rows that a store has found.
public enum SecondFactorPlans {
    /// What a code was worth.
    public enum Verdict: Sendable, Equatable {
        /// It was right.
        case right
        /// It was wrong, was used before or cannot be read.
        case wrong
    }

    /// A sign-in begins to wait for its second factor; beyond ``SignInChallenge/capacity``, those of the same asker that end
    /// first are dropped, with those of the account that have ended. Those of others stay.
    ///
    /// - Parameter others: those of the account that wait already.
    /// - Throws: ``StoreError/full`` for a stranger where ``SignInChallenge/capacityOfStrangers`` wait.
    public static func issue(
        _ challenge: SignInChallenge, digest: TokenDigest, at now: Timestamp, besides others: [SignInChallenge.Waiting]
    ) throws(StoreError) -> AccountPlan<Void> {
        let waiting = others.filter { now < $0.expiresAt }.sorted { $0.expiresAt > $1.expiresAt }
        let own = waiting.filter { $0.asker == challenge.asker }
        let strangers = waiting.count { !$0.asker.isKnown }
        if own.isEmpty, !challenge.asker.isKnown, strangers >= SignInChallenge.capacityOfStrangers { throw .full }
        let dropped = own.dropFirst(SignInChallenge.capacity - 1) + others.filter { $0.expiresAt <= now }
        let drops = dropped.map { AccountRowChange.removeChallenge($0.digest) }
        return AccountPlan(drops + [.setChallenge(challenge, digest: digest)])
    }

    /// An app is being set up, in place of another that was; the one that counts goes on counting.
    static func beginning(_ enrolment: SecondFactor.Enrolment, of found: SecondFactor) -> AccountPlan<Void> {
        var factor = found
        factor.enrolment = enrolment
        return AccountPlan([.setSecondFactor(factor)])
    }

    /// The app that is being set up has shown its code: it counts from now on, in place of the one before, and with new
    /// recovery codes. All other sessions end, for none of them has shown a second factor. A wrong code changes nothing.
    ///
    /// - Parameter step: the step of the code by its seed; `nil` for a wrong one.
    static func confirmation(
        of found: SecondFactor, at now: Timestamp, recoveryCodes: [TokenDigest], among sessions: [Session],
        keeping kept: SessionID, audit: AuditEntry, step: ([UInt8]) -> Int64?
    ) throws(StoreError) -> AccountPlan<Verdict> {
        guard let enrolment = found.enrolment, now < enrolment.expiresAt else { throw .notFound }
        guard let step = step(enrolment.seed) else { return AccountPlan([], value: .wrong) }
        let app = SecondFactor.App(seed: enrolment.seed, since: now, lastStep: step)
        let factor = SecondFactor(of: found.account, app: app, recoveryCodes: recoveryCodes)
        let ended = sessions.filter { $0.id != kept }.map(\.id)
        let shown = sessions.filter { $0.id == kept }.map { AccountRowChange.updateSession($0.showing(.own)) }
        return AccountPlan(
            [.setSecondFactor(factor), .removeChallenges(of: found.account)] + shown
                + ended.map { .removeSession($0) },
            audit: [audit], voided: [.account(found.account)], events: ended.map { .sessionEnded($0) }, value: .right)
    }

    /// New recovery codes in place of those before.
    static func renewal(
        of found: SecondFactor, recoveryCodes: [TokenDigest], audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard found.isRequired else { throw .notFound }
        var factor = found
        factor.recoveryCodes = recoveryCodes
        return AccountPlan([.setSecondFactor(factor)], audit: [audit])
    }

    /// The end of an account's second factor; sign-ins that wait for it have to begin again.
    static func removal(of found: SecondFactor, audit: AuditEntry) throws(StoreError) -> AccountPlan<Void> {
        guard found.isRequired else { throw .notFound }
        return AccountPlan(
            [.setSecondFactor(SecondFactor(of: found.account)), .removeChallenges(of: found.account)], audit: [audit],
            voided: [.account(found.account)], events: [.accessChanged(found.account)])
    }

    /// The end of everything that counts as a second factor, passkeys and what providers vouched for included, for an owner
    /// who has lost it. Every session and API token ends: one of them may be another person's.
    ///
    /// - Throws: ``StoreError/notFound`` where nothing counts as one.
    public static func loss(
        of found: SecondFactor, passkeys: [Passkey], identities: [LinkedIdentity], sessions: [SessionID],
        tokens: [APIToken], audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard found.isRequired || !passkeys.isEmpty || identities.contains(where: { $0.vouching != .none }) else {
            throw .notFound
        }
        return AccountPlan(
            [
                .setSecondFactor(SecondFactor(of: found.account)), .removeChallenges(of: found.account),
                .forgetVouching(of: found.account),
            ]
                + passkeys.map { .removePasskey($0.id) } + sessions.map { .removeSession($0) }
                + tokens.map { .removeAPIToken($0.id) },
            audit: [audit], voided: [.account(found.account)],
            events: sessions.map { .sessionEnded($0) } + tokens.map { .tokenEnded($0.id) })
    }

    /// The owner of a session has shown who he or she is, and with it so many factors.
    ///
    /// - Parameters:
    ///   - sessions: the account's sessions.
    ///   - assertion: what a provider said, with what the store has found of it; `nil` where no provider did.
    public static func proof(
        of session: SessionID, among sessions: [Session], at moment: Timestamp, showing factors: ShownFactors,
        by assertion: (said: Assertion, found: IdentityPlans.Rows)? = nil, audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard let before = sessions.first(where: { $0.id == session }) else { throw .notFound }
        let after = before.showing(factors)
        var changes: [AccountRowChange] = before == after ? [] : [.updateSession(after)]
        let alters = !changes.isEmpty || assertion != nil
        if let assertion {
            changes.append(
                try IdentityPlans.proving(assertion.said, of: before.account, found: assertion.found))
            let issuer = assertion.said.issuer
            changes.append(
                factors == .vouched
                    ? .noteVouching(issuer: issuer, of: before.account)
                    : .dropPresumedVouching(issuer: issuer, of: before.account))
        }
        return AccountPlan(
            [.proveSession(session, at: moment)] + changes, audit: [audit],
            altered: alters ? [.account(before.account)] : [])
    }

    /// What a code is worth, which uses it up.
    ///
    /// - Parameters:
    ///   - act: who shows it, for the line of the trail about a recovery code.
    ///   - step: the step of a code of an app by its seed, after the last one used; `nil` for a wrong one.
    static func use(
        _ code: TypedCode, of found: SecondFactor, by act: AuditContext,
        step: (_ code: String, _ app: SecondFactor.App) -> Int64?
    ) -> AccountPlan<Verdict> {
        var factor = found
        switch code {
        case .app(let text):
            guard let app = found.app, let step = step(text, app), step > app.lastStep else { break }
            factor.app?.lastStep = step
            return AccountPlan([.setSecondFactor(factor)], value: .right)
        case .recovery(let code):
            guard found.isRequired, let index = found.recoveryCodes.firstIndex(of: code.digest) else { break }
            factor.recoveryCodes.remove(at: index)
            return AccountPlan(
                [.setSecondFactor(factor)], audit: [act.entry("recovery-code.used", of: found.account.text)],
                value: .right)
        case .unreadable: break
        }
        return AccountPlan([], value: .wrong)
    }

    /// The answer to a challenge: a right code uses it up, and so does the last of the wrong ones, which the owner finds
    /// in the trail: somebody knows the password.
    ///
    /// - Parameter use: what the code does to the second factor.
    static func answer(
        to challenge: SignInChallenge, digest: TokenDigest, at now: Timestamp, by act: AuditContext,
        use: AccountPlan<Verdict>
    ) throws(StoreError) -> AccountPlan<Verdict> {
        guard now < challenge.expiresAt else { throw .notFound }
        var plan = use
        if plan.value == .right {
            plan.changes.append(.removeChallenge(digest))
        } else if challenge.failures + 1 >= SignInChallenge.tries {
            plan.changes.append(.removeChallenge(digest))
            plan.audit.append(act.entry("second-factor.refused", of: challenge.account.text))
        } else {
            let tried = SignInChallenge(
                account: challenge.account, proof: challenge.proof, asker: challenge.asker,
                expiresAt: challenge.expiresAt, failures: challenge.failures + 1)
            plan.changes.append(.setChallenge(tried, digest: digest))
        }
        return plan
    }
}
