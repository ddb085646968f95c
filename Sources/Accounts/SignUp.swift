import Cryptography
public import GradingKit
import Storage

/// Makes an account for whoever asks, and signs in to it.
public struct SignUp: Sendable {
    let store: any AccountStore
    let drafts: AccountDrafts
    let hasher: PasswordHasher
    let sessions: Sessions
    let clock: WallClock
    let identifiers: UUIDSource
    let isOpen: Bool

    /// Takes `{login,password,displayName,locale?}`.
    ///
    /// Throws `AccountError.signUpClosed`, everything wrong with the body at once as a `FaultList`, or
    /// `AccountError.busy`.
    public func callAsFunction(_ body: JSON, from client: Client) async throws -> Admission {
        guard isOpen else { throw AccountError.signUpClosed }
        let draft = try await drafts.read(body, needsPassword: true)
        guard let password = draft.password else { throw FaultList([Fault(.missingField, at: "/password")]) }
        let hash = try await hasher.hash(password)
        let now = clock.now
        let account = Account(
            id: AccountID(identifiers.next()), createdAt: now, login: draft.login, profile: draft.profile)
        let act = Act(by: account.id, from: client.source, at: now)
        try await refusingTakenLogin {
            try await store.insert(
                account, password: hash,
                audit: act.entry("account.created", of: account.id.text, detail: account.auditText))
        }
        return try await sessions.open(account, from: client, device: nil)
    }
}
