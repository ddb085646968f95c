public import Accounts
import Cryptography
import Forms
import GradingKit
import Shared

/// The use case of signing up: creates an account for the person who asks, and signs in to it.
public struct SignUp: Sendable {
    let store: any AccountStore
    let drafts: AccountDrafts
    let hasher: PasswordHasher
    let sessions: Sessions
    let signIn: SignIn
    let clock: WallClock
    let identifiers: UUIDSource
    let isOpen: Bool

    /// Creates an account and signs in to it.
    ///
    /// With an idempotency key, a client that is unsure of the result may repeat the request: it is then signed in to
    /// the account that the first one created. What is stored for this reveals nothing about the password, which must
    /// be correct.
    ///
    /// A person who chooses a login must learn that it is taken. Nothing else reveals this: only a request that is
    /// otherwise valid gets this answer, after the same work as creating an account, and each such request counts
    /// against the sign-up limit of its source.
    ///
    /// - Throws: `AccountError.signUpClosed`, `FaultList` with all faults of the body at once, or `AccountError.busy`.
    public func callAsFunction(_ request: SignUpRequest, from client: Client) async throws -> NewSession {
        guard isOpen else { throw AccountError.signUpClosed }
        do {
            return try await makeAccount(request, from: client)
        } catch let faults as FaultList {
            guard let session = try await comeBack(request, from: client) else { throw faults }
            return session
        }
    }

    private func makeAccount(_ request: SignUpRequest, from client: Client) async throws -> NewSession {
        let draft = try drafts.check(request.input.value, in: request.input.form)
        guard let password = draft.password else { throw FaultList([Fault(.missingField, at: "/password")]) }
        let hash = try await hasher.hash(password, for: .login(draft.login, from: client.source))
        let now = clock.now
        let account = Account(
            id: AccountID(identifiers.next()), createdAt: now, login: draft.login, profile: draft.profile)
        let act = AuditContext(by: account.id, from: client.source, at: now)
        let kept = request.key.map { key in
            KeptAnswer(key: key, account: account.id, at: now, answer: StoredAnswer(.created, body: []))
        }
        try await refusingTakenLogin {
            try await store.insert(
                account, password: hash,
                audit: act.entry("account.created", of: account.id.text, detail: account.auditText), keeping: kept)
        }
        return try await sessions.open(account, by: .password(hash), from: client)
    }

    /// Signs in to the account that an earlier request with the key created; `nil` if there is none, or if the password
    /// is another one.
    private func comeBack(_ request: SignUpRequest, from client: Client) async throws -> NewSession? {
        let wanted = request.input.value
        guard let key = request.key, let login = wanted.login, let password = wanted.password,
            let account = try await store.credentials(of: login, device: nil)?.account,
            try await store.answer(under: key, of: account.id, at: clock.now) != nil
        else { return nil }
        do {
            return try await signIn(Credentials(login: login.text, password: password), from: client)
        } catch AccountError.refused {
            return nil
        }
    }
}
