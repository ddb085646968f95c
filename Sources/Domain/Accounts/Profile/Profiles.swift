import Cryptography
public import JSON
import Messages
public import Shared

/// What owners do with their accounts.
public struct Profiles: Sendable {
    let store: any AccountStore
    /// Which ways in are open, so that an administrator stays.
    let ways: OpenWays
    let clock: WallClock

    /// The account; `nil` when there is none.
    public func account(_ id: AccountID) async throws -> Account? { try await store.account(id) }

    /// The displayed names of some accounts, for callers who may see them; accounts that are gone are absent.
    ///
    /// Reads in slices, so that a long list holds up no other reader.
    public func displayNames(of accounts: some Sequence<AccountID>) async throws -> [AccountID: String] {
        var names: [AccountID: String] = [:]
        var rest = Array(Set(accounts))[...]
        while !rest.isEmpty {
            names.merge(try await store.displayNames(of: Array(rest.prefix(500)))) { _, new in new }
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

    /// The account's picture; `nil` for none.
    public func picture(of id: AccountID) async throws -> Picture? { try await store.picture(of: id) }

    /// Sets or, with `nil`, removes one's own picture.
    public func setPicture(_ picture: Picture?, of id: AccountID, from source: String) async throws {
        let act = AuditContext(by: id, from: source, at: clock.now)
        let action = picture == nil ? "picture.removed" : "picture.changed"
        try await store.setPicture(picture, of: id, audit: act.entry(action, of: id.text))
    }

    /// Deletes an account: one's own, or as an administrator with a reason. The last administrator must stay, which is
    /// a `FaultList`; an unknown account is `StoreError.notFound`.
    public func delete(_ id: AccountID, by act: AuditContext) async throws {
        try await store.delete(id) { [ways] situation in
            guard situation.account.service == nil else { throw StoreError.notFound }
            try situation.checkAdministratorStays(through: ways)
            return act.entry("account.deleted", of: id.text, detail: act.reasonText)
        }
    }

    /// The line of the trail that says that another person erases everything held about an account; throws
    /// `StoreError.notFound` when there is none.
    public func exportEntry(of id: AccountID, by act: AuditContext) async throws -> AuditEntry {
        guard let account = try await store.account(id), account.service == nil else { throw StoreError.notFound }
        return act.entry("account.exported", of: id.text, detail: act.reasonText)
    }

    /// Writes what is held about an account, as members of the object that the export is: the account, the picture in
    /// Base64, the sessions, the linked identities, the e-mail address, whether there is a second factor, the passkeys, and
    /// the API tokens without their secrets. The trail is read apart.
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

    /// What the trail says about an account, newest first: up to `limit` lines before a number.
    public func audit(about id: AccountID, before number: Int?, limit: Int) async throws -> [AuditItem] {
        try await store.auditItems(AuditQuery(subject: id.text, before: number, limit: limit))
    }
}

extension AccountSituation {
    /// Throws when the account is the only administrator who can sign in.
    func checkAdministratorStays(through ways: OpenWays) throws(FaultList) {
        guard account.role == .administrator, !account.isDisabled,
            !otherAdministrators.contains(where: { ways.open($0) })
        else { return }
        throw FaultList([Fault(.lastAdministrator)])
    }
}
