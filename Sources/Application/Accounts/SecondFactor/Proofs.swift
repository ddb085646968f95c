public import Accounts
public import Cryptography
import Forms
import GradingKit
public import Shared

/// Step-up: the owner of a session proves their identity again before an action with which the thief of a session could
/// do much harm.
public struct Proofs: Sendable {
    /// The time that a proof is valid, in seconds. Signing in counts as a proof.
    public static let lifetime: Int64 = 900

    let store: any AccountStore
    let hasher: PasswordHasher
    let throttle: SignInThrottle
    let codes: SecondFactorCodes
    let passkeys: Passkeys?
    let providers: ProviderSignIn
    let clock: WallClock

    /// Returns when a session's last proof expires; `nil` if it has expired or there is none.
    public func end(of signedIn: SignedIn) async throws -> Timestamp? {
        guard let proof = try await store.lastProof(of: signedIn.session) else { return nil }
        let end = proof.adding(seconds: Self.lifetime)
        return clock.now < end ? end : nil
    }

    /// Throws ``StepUpRequired`` unless a session's last proof is valid.
    ///
    /// - Parameter isFirst: Whether the action adds a way to prove one's identity. If there is none yet, a sign-in
    ///   within the last 15 minutes suffices: people whose provider never authenticates them again could otherwise
    ///   never add one.
    public func require(of signedIn: SignedIn, toAddWay isFirst: Bool = false) async throws {
        guard try await end(of: signedIn) == nil else { return }
        let (ways, providers) = try await ways(of: signedIn)
        if isFirst, ways.isEmpty, try await isNew(signedIn) { return }
        throw StepUpRequired(ways: ways, providers: providers)
    }

    /// Makes a change that may need a proof, which only its transaction can decide: first without one, then, if the
    /// change throws `ProofNeeded`, again after requiring one.
    ///
    /// - Parameter owner: Returns the session's owner; throws if there is no session.
    public func whereNeeded<Value>(
        by owner: () throws -> SignedIn, _ change: (_ isProven: Bool) async throws -> Value
    ) async throws -> Value {
        do {
            return try await change(false)
        } catch is ProofNeeded {
            try await require(of: owner())
            return try await change(true)
        }
    }

    private func isNew(_ signedIn: SignedIn) async throws -> Bool {
        let session = try await store.sessions(of: signedIn.account).first { $0.id == signedIn.session }
        return session.map { clock.now < $0.createdAt.adding(seconds: Self.lifetime) } ?? false
    }

    /// Returns the ways in which a session's owner can prove their identity. If the required second factor is one that
    /// a provider vouches for, this provider is the only way.
    public func ways(of signedIn: SignedIn) async throws -> (ways: [ProofWay], providers: [ProviderID]) {
        if let enrolment = signedIn.enrolment, !enrolment.providers.isEmpty {
            return (enrolment.ways, enrolment.providers)
        }
        return try await ways(of: signedIn.account)
    }

    /// Returns the ways in which an account's owner can prove their identity, and the providers for it; none if the
    /// owner must add a passkey first.
    public func ways(of account: AccountID) async throws -> (ways: [ProofWay], providers: [ProviderID]) {
        let hasPassword = try await store.password(of: account) != nil
        let hasCodes = try await store.secondFactor(of: account).isRequired
        let hasPasskeys = try await passkeys?.list(of: account).isEmpty == false
        let passkey = hasPasskeys ? [ProofWay.passkey] : []
        // Neither a password nor a provider alone may remove a second factor.
        if hasCodes { return (passkey + [.totp], []) }
        let asking = try await providers.asking(of: account)
        return (passkey + (hasPassword ? [.password] : []) + (asking.isEmpty ? [] : [.provider]), asking)
    }

    /// Checks a proof and marks the session as proven.
    ///
    /// - Parameter attempt: The secret of the browser's attempt with a provider.
    /// - Throws: `FaultList` with `password_wrong`, `code_refused`, `passkey_refused` or `sign_in_refused`, which count
    ///   for this session only, `sign_in_expired` for an attempt with a provider, or `missing_field` for another proof
    ///   where a code is required; `AccountError.throttled`, `.busy` or `.providerUnavailable`.
    public func prove(
        _ request: ProofRequest, of signedIn: SignedIn, attempt: SecretToken? = nil, from client: Client
    ) async throws {
        let act = AuditContext(by: signedIn.account, from: client.source, at: clock.now)
        let waiting = try await throttle.admit(.session(signedIn.session), from: nil, at: clock.now)
        do {
            try await settle(request.shown, of: signedIn, attempt: attempt, from: client, by: act)
        } catch let refusal as FaultList where refusal != ProviderSignIn.expired && refusal != Self.missingCode {
            // The owner sees the refusal in the account's activity. A proof that was not checked is not an attempt.
            await throttle.fail(waiting, at: clock.now)
            try await store.append(act.entry("proof.refused", of: signedIn.account.text))
            throw refusal
        } catch {
            throttle.abandon(waiting)
            throw error
        }
        await throttle.succeed(waiting)
    }

    private func settle(
        _ shown: ProofRequest.Shown, of signedIn: SignedIn, attempt: SecretToken?, from client: Client,
        by act: AuditContext
    ) async throws {
        let (factors, assertion) = try await self.shown(shown, of: signedIn, attempt: attempt, from: client, by: act)
        do {
            try await store.prove(
                signedIn.session, of: signedIn.account, at: act.at, showing: factors, by: assertion,
                audit: act.entry("session.proven", of: signedIn.session.text))
        } catch StoreError.taken, StoreError.moved {
            // The assertion is about another person, or was used before.
            throw Self.wrongPerson
        }
    }

    /// Checks the proof, and returns the factors that it shows, with the assertion if a provider gave one.
    ///
    /// - Throws: The refusal, or the error of the check.
    private func shown(
        _ shown: ProofRequest.Shown, of signedIn: SignedIn, attempt: SecretToken?, from client: Client,
        by act: AuditContext
    ) async throws -> (factors: ShownFactors, assertion: Assertion?) {
        switch shown {
        case .passkey(let assertion):
            guard let passkeys else { throw PasskeyPlans.refused }
            _ = try await passkeys.use(
                try assertion.finished(), for: .proof, of: signedIn.account, from: client)
        case .provider(let provider):
            let said = try await providers.proof(provider, attempt: attempt, of: signedIn.account)
            if said.factors == .one { try await refuseWithoutCode(signedIn) }
            return (said.factors, said)
        case .password(let password):
            try await refuseWithoutCode(signedIn)
            let hash = try await store.password(of: signedIn.account)
            let payer = PasswordPayer.account(signedIn.account, from: client.source)
            guard try await hasher.verify(password, against: hash, for: payer) else {
                throw Self.wrongPassword
            }
            return (.one, nil)
        case .code(let code):
            let typed = TypedCode(code)
            let verdict = try await store.changeSecondFactor(of: signedIn.account) { [codes] found, _ in
                codes.use(typed, of: found, by: act)
            }
            guard verdict == .right else { throw Self.wrongCode }
        }
        return (.own, nil)
    }

    /// Refuses a proof of one factor if the account has an authenticator app.
    private func refuseWithoutCode(_ signedIn: SignedIn) async throws {
        guard try await !store.secondFactor(of: signedIn.account).isRequired else { throw Self.missingCode }
    }

    private static let missingCode = FaultList([Fault(.missingField, at: "/totp")])
    private static let wrongPerson = FaultList([Fault(.signInRefused, at: "/provider")])
    private static let wrongPassword = FaultList([Fault(.passwordWrong, at: "/password")])
    private static let wrongCode = FaultList([Fault(.codeRefused, at: "/totp")])
}
