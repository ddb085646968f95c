public import Accounts
import Cryptography
public import GradingKit
public import Shared

/// The use cases of one's own account.
public struct Profiles: Sendable {
    let store: any AccountStore
    /// The open ways to sign in, which decide whether an administrator remains.
    let ways: OpenWays
    let clock: WallClock

    /// Returns an account; `nil` if there is none.
    public func account(_ id: AccountID) async throws -> Account? { try await store.account(id) }

    /// Returns the display names of some accounts, without deleted ones, for callers who may see them.
    public func displayNames(of accounts: some Sequence<AccountID>) async throws -> [AccountID: String] {
        try await names(of: accounts).mapValues(\.displayName)
    }

    /// Returns all names of some accounts, without deleted ones, for staff who know the people by them.
    ///
    /// Reads in slices, so that a long list does not block other readers.
    public func names(of accounts: some Sequence<AccountID>) async throws -> [AccountID: AccountNames] {
        var names: [AccountID: AccountNames] = [:]
        var rest = Array(Set(accounts))[...]
        while !rest.isEmpty {
            names.merge(try await store.names(of: Array(rest.prefix(500)))) { _, new in new }
            rest = rest.dropFirst(500)
        }
        return names
    }

    /// Changes one's own profile.
    public func edit(_ edit: ProfileEdit, of id: AccountID, from source: String) async throws -> Account {
        let act = AuditContext(by: id, from: source, at: clock.now)
        return try await store.amend(id) { situation in
            var account = situation.account
            account.profile = edit.applied(to: account.profile)
            return AccountChange(
                account: account, endsSessions: false,
                audit: act.entry(
                    "profile.changed", of: id.text,
                    detail: auditDetail(before: situation.account, after: account, reason: nil)))
        }
    }

    /// Returns the account's picture; `nil` if it has none.
    public func picture(of id: AccountID) async throws -> Picture? { try await store.picture(of: id) }

    /// Sets one's own picture, or removes it if `picture` is `nil`.
    public func setPicture(_ picture: Picture?, of id: AccountID, from source: String) async throws {
        let act = AuditContext(by: id, from: source, at: clock.now)
        let action = picture == nil ? "picture.removed" : "picture.changed"
        try await store.setPicture(picture, of: id, audit: act.entry(action, of: id.text))
    }

    /// Deletes an account: one's own, or another person's as an administrator with a reason. Throws a `FaultList` for
    /// the last administrator, and `StoreError.notFound` for an unknown account.
    public func delete(_ id: AccountID, by act: AuditContext) async throws {
        try await store.delete(id) { [ways] situation in
            guard situation.account.service == nil else { throw StoreError.notFound }
            try situation.checkAdministratorStays(through: ways)
            return act.entry("account.deleted", of: id.text, detail: act.reasonText)
        }
    }

    /// Returns the audit row for an administrator's export of another person's account; throws `StoreError.notFound` if
    /// there is no such account.
    public func exportEntry(of id: AccountID, by act: AuditContext) async throws -> AuditEntry {
        guard let account = try await store.account(id), account.service == nil else { throw StoreError.notFound }
        return act.entry("account.exported", of: id.text, detail: act.reasonText)
    }

    /// Writes everything stored about an account as members of the export's object: the account, the picture in Base64,
    /// the sessions, the linked identities, the e-mail address, whether there is a second factor, the passkeys, and the
    /// API tokens without their secrets. The audit trail is read separately.
    public func writeExport(of id: AccountID, to writer: inout JSONWriter) async throws {
        guard let account = try await store.account(id) else { throw StoreError.notFound }
        let picture = try await store.picture(of: id)
        let sessions = try await store.sessions(of: id)
        let identities = try await store.identities(of: id)
        writer.member("account") { account.write(to: &$0) }
        writer.member("picture") { writer in
            guard let picture else { return writer.null() }
            writer.object {
                $0.member("type", picture.format.rawValue)
                let text = Base64.standard.encode(picture.bytes)
                $0.member("base64", text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
            }
        }
        writer.member("sessions") { writer in
            writer.array {
                let language = account.profile.locale ?? .english
                for session in sessions { session.write(to: &$0, isCurrent: false, in: language) }
            }
        }
        writer.member("identities") { writer in
            writer.array { for identity in identities { identity.write(to: &$0) } }
        }
        let (email, now) = (try await store.email(of: id), clock.now)
        writer.member("email") { email.write(to: &$0, at: now) }
        let factor = try await store.secondFactor(of: id)
        writer.member("secondFactor") { factor.write(to: &$0) }
        let passkeys = try await store.passkeys(of: id)
        writer.member("passkeys") { writer in
            writer.array { for passkey in passkeys { passkey.write(to: &$0) } }
        }
        let tokens = try await store.apiTokens(of: id)
        writer.member("tokens") { writer in
            writer.array { for token in tokens { token.write(to: &$0) } }
        }
    }

    /// Returns up to `limit` audit rows about an account before a number, newest first.
    public func audit(about id: AccountID, before number: Int?, limit: Int) async throws -> [AuditItem] {
        try await store.auditItems(AuditQuery(subject: id.text, before: number, limit: limit))
    }
}
