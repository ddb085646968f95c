public import Accounts
public import Cryptography
public import Forms
import GradingKit
public import Shared

/// What administrators and the command line do with accounts. Callers check permissions.
public struct Administration: Sendable {
    let store: any AccountStore
    let drafts: AccountDrafts
    let hasher: PasswordHasher
    let passwords: Passwords
    let sessions: Sessions
    /// The open ways to sign in, which decide whether an administrator remains and whether the first may be created.
    let ways: OpenWays
    let clock: WallClock
    let identifiers: UUIDSource

    /// Returns the accounts that match a search, in the order of their creation.
    public func search(_ query: AccountQuery) async throws -> [Account] { try await store.accounts(query) }

    /// Returns the account with a login as it was typed; `nil` if there is none.
    public func find(login typed: String) async throws -> Account? {
        guard let login = Login(searching: typed) else { return nil }
        return try await store.credentials(of: login, device: nil)?.account
    }

    /// Returns rows of the audit trails, newest first.
    public func audit(_ query: AuditQuery) async throws -> [AuditItem] { try await store.auditItems(query) }

    /// Creates an account for another person.
    ///
    /// Without a password, it also issues the token of a link with which the account's owner sets one.
    public func create(
        _ input: FormInput<AccountCreation>, by act: AuditContext
    ) async throws -> (account: Account, invitation: SecretToken?) {
        let draft = try drafts.check(input.value.request, in: input.form)
        let account = Account(
            id: AccountID(identifiers.next()), createdAt: act.at, login: draft.login, profile: draft.profile,
            role: input.value.role
        )
        let hash =
            if let password = draft.password {
                try await hasher.hash(password, for: .login(draft.login, from: act.source))
            } else { nil as PasswordHash? }
        try await refusingTakenLogin {
            try await store.insert(
                account, password: hash,
                audit: act.entry("account.created", of: account.id.text, detail: account.auditText), keeping: nil)
        }
        let invitation = hash == nil ? try await passwords.issue(.invitation, for: account.id, by: act) : nil
        return (account, invitation)
    }

    /// Changes an account. Disabling it ends its sessions; a new role ends none and applies from the next request on.
    /// The last administrator who can sign in must remain one.
    public func edit(_ edit: AdministrativeEdit, of id: AccountID, by act: AuditContext) async throws -> Account {
        return try await refusingTakenLogin {
            try await store.amend(id) { [ways] situation in
                guard situation.account.service == nil else { throw StoreError.notFound }
                let account = edit.applied(to: situation.account)
                if account.role != .administrator || account.isDisabled {
                    try situation.checkAdministratorStays(through: ways)
                }
                return AccountChange(
                    account: account, endsSessions: account.isDisabled,
                    audit: act.entry(
                        "account.changed", of: id.text,
                        detail: auditDetail(before: situation.account, after: account, reason: act.reason)))
            }
        }
    }

    /// Throws `StoreError.notFound` unless the account is a person's: institutions manage their service accounts.
    private func requirePerson(_ id: AccountID) async throws {
        guard let account = try await store.account(id), account.service == nil else { throw StoreError.notFound }
    }

    /// Returns an account's valid sessions, newest first.
    public func sessions(of id: AccountID) async throws -> [Session] {
        try await requirePerson(id)
        return try await sessions.list(of: id)
    }

    /// Ends one session of an account; throws `StoreError.notFound` if the account has no such session.
    public func end(_ session: SessionID, of id: AccountID, by act: AuditContext) async throws {
        try await store.end(
            session, of: id, audit: act.entry("session.ended", of: id.text, detail: session.auditText))
    }

    /// Ends all sessions of an account.
    public func endSessions(of id: AccountID, by act: AuditContext) async throws {
        try await requirePerson(id)
        try await store.endSessions(of: id, keeping: nil, audit: act.entry("sessions.ended", of: id.text))
    }

    /// Issues the token of a link with which the account's owner sets a new password.
    public func reset(_ id: AccountID, by act: AuditContext) async throws -> SecretToken {
        try await requirePerson(id)
        return try await passwords.issue(.reset, for: id, by: act)
    }

    /// Returns the token of the link to print if no administrator can sign in; `nil` if one can. A token printed
    /// earlier becomes void in either case.
    public func firstAdministratorToken() async throws -> SecretToken? {
        if try await store.administrators().contains(where: { ways.open($0) }) {
            try await store.dropTokens(of: .firstAdministrator)
            return nil
        }
        return try await passwords.issue(
            .firstAdministrator, for: nil, by: AuditContext(by: nil, from: "server", at: clock.now))
    }

    /// Creates the first administrator and opens a session. The link's token is checked first: without it, the answer
    /// reveals nothing else.
    public func createFirst(
        _ input: FormInput<FirstAdministrator>, from client: Client
    ) async throws -> NewSession {
        let secret = input.value.token
        let token = if let secret { try await store.oneTimeToken(secret.digest) } else { nil as OneTimeToken? }
        guard let secret, let token, token.purpose == .firstAdministrator, clock.now < token.expiresAt else {
            throw Passwords.refusedToken
        }
        let draft = try drafts.check(input.value.request, in: input.form)
        guard let password = draft.password else { throw FaultList([Fault(.missingField, at: "/password")]) }
        let hash = try await hasher.hash(password, for: .login(draft.login, from: client.source))
        let now = clock.now
        let account = Account(
            id: AccountID(identifiers.next()), createdAt: now, login: draft.login, profile: draft.profile,
            role: .administrator)
        let act = AuditContext(by: account.id, from: client.source, at: now)
        let isFirst = try await refusingUsedToken {
            try await refusingTakenLogin {
                try await store.redeem(
                    secret.digest, at: now, creating: account, password: hash,
                    audit: act.entry("account.created", of: account.id.text, detail: account.auditText), unless: ways)
            }
        }
        // An administrator was created in another way after the link was printed.
        guard isFirst else { throw Passwords.refusedToken }
        return try await sessions.open(account, by: .password(hash), from: client)
    }

    /// Deletes sessions, one-time tokens and other rows that have ended.
    public func tidy() async throws { try await store.forgetEnded(before: clock.now) }
}
