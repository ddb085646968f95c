public import Cryptography
import Forms
import JSON
import Messages
public import Shared

/// Step-up: the owner of a session shows again who he or she is, before something that a thief of the session could do
/// much harm with.
public struct Proofs: Sendable {
    /// Seconds for which a proof holds; signing in counts as one.
    public static let lifetime: Int64 = 900

    /// A way to show who one is.
    public enum Way: String, Sendable, CaseIterable {
        /// The password.
        case password
        /// A code of the second factor.
        case totp
        /// A passkey.
        case passkey
        /// A provider that asks again.
        case provider
    }

    let store: any AccountStore
    let hasher: PasswordHasher
    let throttle: SignInThrottle
    let codes: SecondFactorCodes
    let passkeys: Passkeys?
    let providers: ProviderSignIn
    let clock: WallClock

    /// Until when the last proof of a session holds; `nil` when it holds no more.
    public func end(of signedIn: SignedIn) async throws -> Timestamp? {
        guard let proof = try await store.lastProof(of: signedIn.session) else { return nil }
        let end = proof.adding(seconds: Self.lifetime)
        return clock.now < end ? end : nil
    }

    /// Throws ``StepUpRequired`` unless the session's last proof holds.
    ///
    /// - Parameter isFirst: whether it is to add a way to show who one is. Where there is none yet, a sign-in of the last
    ///   quarter of an hour is enough for that: a provider that never asks again would leave its people without any.
    public func require(of signedIn: SignedIn, toAddWay isFirst: Bool = false) async throws {
        guard try await end(of: signedIn) == nil else { return }
        let (ways, providers) = try await ways(of: signedIn)
        if isFirst, ways.isEmpty, try await isNew(signedIn) { return }
        throw StepUpRequired(ways: ways, providers: providers)
    }

    /// Makes a change that may be dangerous, which only its transaction can tell: without a proof at first, and
    /// with one if the change throws `ProofNeeded`.
    ///
    /// - Parameter owner: whose session it is; throws where there is none.
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

    /// How the owner of a session can show who he or she is. Whose second factor a provider vouches for, and has to be
    /// shown, shows it there.
    public func ways(of signedIn: SignedIn) async throws -> (ways: [Way], providers: [ProviderID]) {
        if let enrolment = signedIn.enrolment, !enrolment.providers.isEmpty {
            return (enrolment.ways, enrolment.providers)
        }
        return try await ways(of: signedIn.account)
    }

    /// How an account's owner can show who he or she is, and the providers with which; none where a passkey has to be added
    /// first.
    public func ways(of account: AccountID) async throws -> (ways: [Way], providers: [ProviderID]) {
        let hasPassword = try await store.password(of: account) != nil
        let hasCodes = try await store.secondFactor(of: account).isRequired
        let hasPasskeys = try await passkeys?.list(of: account).isEmpty == false
        let passkey = hasPasskeys ? [Way.passkey] : []
        // Neither a password nor a provider alone may take a second factor away.
        if hasCodes { return (passkey + [.totp], []) }
        let asking = try await providers.asking(of: account)
        return (passkey + (hasPassword ? [.password] : []) + (asking.isEmpty ? [] : [.provider]), asking)
    }

    /// Takes what ``form`` reads; from now on the session is proven.
    ///
    /// Throws a `FaultList` — `password_wrong`, `code_refused`, `passkey_refused` or `sign_in_refused`, which count for this
    /// session alone, `sign_in_expired` of a provider, or `missing_field` for anything else where a code is needed — or
    /// `AccountError.throttled`, `.busy` or `.providerUnavailable`.
    ///
    /// - Parameter attempt: what the browser shows of a visit to a provider.
    public func prove(
        _ request: ProofRequest, of signedIn: SignedIn, attempt: SecretToken? = nil, from client: Client
    ) async throws {
        let act = AuditContext(by: signedIn.account, from: client.source, at: clock.now)
        let waiting = try await throttle.admit(.session(signedIn.session), from: nil, at: clock.now)
        do {
            try await settle(request.shown, of: signedIn, attempt: attempt, from: client, by: act)
        } catch let refusal as FaultList where refusal != ProviderSignIn.expired && refusal != Self.missingCode {
            // The owner finds it among what happened lately; what was not looked at is no attempt.
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
            // The provider knows another person, or said it before.
            throw Self.wrongPerson
        }
    }

    /// What is shown, and how many factors that is; refuses by throwing.
    private func shown(
        _ shown: ProofRequest.Shown, of signedIn: SignedIn, attempt: SecretToken?, from client: Client,
        by act: AuditContext
    ) async throws -> (factors: ShownFactors, assertion: Assertion?) {
        switch shown {
        case .passkey(let assertion):
            guard let passkeys else { throw Passkeys.refused }
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

    /// What is one factor does not do where an authenticator app counts.
    private func refuseWithoutCode(_ signedIn: SignedIn) async throws {
        guard try await !store.secondFactor(of: signedIn.account).isRequired else { throw Self.missingCode }
    }

    private static let missingCode = FaultList([Fault(.missingField, at: "/totp")])
    private static let wrongPerson = FaultList([Fault(.signInRefused, at: "/provider")])
    private static let wrongPassword = FaultList([Fault(.passwordWrong, at: "/password")])
    private static let wrongCode = FaultList([Fault(.codeRefused, at: "/totp")])
}

/// The owner of the session has to show again who he or she is.
public struct StepUpRequired: Error, Equatable, Sendable {
    /// How; none where a passkey has to be added first.
    public let ways: [Proofs.Way]
    /// The providers with which, where that is a way.
    public let providers: [ProviderID]

    /// What is asked for.
    public init(ways: [Proofs.Way], providers: [ProviderID] = []) {
        self.ways = ways
        self.providers = providers
    }
}

/// What step-up needs of a store.
public protocol ProofStore: Sendable {
    /// Writes a line of the trail by itself.
    func append(_ entry: AuditEntry) async throws

    /// When the owner of a session last showed who he or she is, as far as is known, signing in included; `nil` without such
    /// a session.
    func lastProof(of session: SessionID) async throws -> Timestamp?

    /// Notes that the owner of a session has shown who he or she is, and with it so many factors; an assertion by which that
    /// was shown is used up.
    ///
    /// - Throws: `StoreError.notFound` without such a session; of an assertion, `.taken(field: "digest")` for one that was
    ///   used and `.moved` for one of a person who is not linked to the account.
    func prove(
        _ session: SessionID, of id: AccountID, at: Timestamp, showing factors: ShownFactors, by assertion: Assertion?,
        audit: AuditEntry
    ) async throws
}
