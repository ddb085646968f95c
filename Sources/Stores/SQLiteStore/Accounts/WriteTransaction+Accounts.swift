import Accounts
import Cryptography
import GradingKit
import SQLite
import Shared

extension Connection {
    func account(_ id: AccountID) throws -> Account? {
        try first("SELECT \(AccountRow.columns) FROM accounts WHERE id = ?", .text(id.text)) { AccountRow.account($0) }
    }

    /// Administrators who can sign in, but for one.
    func administrators(besides id: String) throws -> Int {
        try first(
            """
            SELECT count(*) FROM accounts
            WHERE role = 'administrator' AND disabled = 0 AND password IS NOT NULL AND id <> ?
            """,
            .text(id)
        ) { $0.integer(0) } ?? 0
    }
}

extension WriteTransaction {
    func insert(_ account: Account, password: PasswordHash?) throws {
        try connection.run(
            """
            INSERT INTO accounts (
                login, display_name, description, gender, hue, locale, sharing, role, disabled, picture, search, id,
                created_at, password)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(account.login.text), .text(account.profile.displayName), .text(account.profile.description),
            .text(account.profile.gender.rawValue), .integer(account.profile.hue.tenths),
            .text(account.profile.locale?.rawValue ?? ""), .text(account.profile.sharing.rawValue),
            .text(account.role?.rawValue), .boolean(account.isDisabled), .text(account.picture),
            .text(account.searchText), .text(account.id.text), .integer(account.createdAt.microseconds),
            .text(password?.text))
        post(.accountsChanged)
    }

    func update(_ account: Account) throws {
        try connection.run(
            """
            UPDATE accounts SET login = ?, display_name = ?, description = ?, gender = ?, hue = ?, locale = ?,
            sharing = ?, role = ?, disabled = ?, picture = ?, search = ? WHERE id = ?
            """,
            .text(account.login.text), .text(account.profile.displayName), .text(account.profile.description),
            .text(account.profile.gender.rawValue), .integer(account.profile.hue.tenths),
            .text(account.profile.locale?.rawValue ?? ""), .text(account.profile.sharing.rawValue),
            .text(account.role?.rawValue), .boolean(account.isDisabled), .text(account.picture),
            .text(account.searchText), .text(account.id.text))
    }

    func situation(of id: AccountID) throws -> AccountSituation {
        guard let account = try connection.account(id) else { throw StoreError.notFound }
        return AccountSituation(
            account: account, otherAdministrators: try connection.administrators(besides: id.text))
    }

    func setPassword(_ hash: PasswordHash, of id: AccountID, keeping session: SessionID?) throws {
        try connection.run("UPDATE accounts SET password = ? WHERE id = ?", .text(hash.text), .text(id.text))
        guard connection.changes == 1 else { throw StoreError.notFound }
        try connection.run("DELETE FROM one_time_tokens WHERE account = ?", .text(id.text))
        try endSessions(of: id, keeping: session)
    }

    /// Ends all sessions of an account but one, and voids every permit that rested on them.
    func endSessions(of id: AccountID, keeping session: SessionID?) throws {
        let ended = try connection.all(
            "SELECT id FROM sessions WHERE account = ? AND id <> ?", .text(id.text), .text(session?.text ?? "")
        ) { SessionID($0.text(0)) }
        try connection.run(
            "DELETE FROM sessions WHERE account = ? AND id <> ?", .text(id.text), .text(session?.text ?? ""))
        for session in ended { post(.sessionEnded(session)) }
        try bumpAccess(voiding: .account(id))
    }

    /// Holds an account's sessions to the limits of staff from a moment on: each goes on, for no longer than a session
    /// of staff that began at that moment.
    func tightenSessions(of id: AccountID, at moment: Timestamp) throws {
        let end = moment.adding(seconds: SessionKind.staff.lifetime)
        try connection.run(
            """
            UPDATE sessions SET kind = ?, expires_at = min(expires_at, ?), last_seen_at = max(last_seen_at, ?)
            WHERE account = ? AND kind = ?
            """,
            .text(SessionKind.staff.rawValue), .integer(end.microseconds), .integer(moment.microseconds),
            .text(id.text), .text(SessionKind.student.rawValue))
    }

    /// Says that an account may do something else than before, or is called otherwise.
    func changedAccess(of id: AccountID) throws {
        try bumpAccess(voiding: .account(id))
        post(.accessChanged(id))
        post(.accountsChanged)
    }
}
