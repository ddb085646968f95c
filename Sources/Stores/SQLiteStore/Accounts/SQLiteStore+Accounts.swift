public import Accounts
public import Cryptography
import SQLite
public import Shared

extension SQLiteStore: AccountStore {
    /// Stores a new account.
    public func insert(
        _ account: Account, password: PasswordHash?, audit: AuditEntry, keeping kept: KeptAnswer?
    ) async throws {
        try await write { transaction in
            try transaction.keep(kept)
            try transaction.insert(account, password: password)
            try transaction.audit(audit)
        }
    }

    /// The account; `nil` when there is none.
    public func account(_ id: AccountID) async throws -> Account? {
        try await read { try $0.account(id) }
    }

    /// The displayed names of some accounts, in one read.
    public func displayNames(of ids: [AccountID]) async throws -> [AccountID: String] {
        try await read { connection in
            var names: [AccountID: String] = [:]
            for id in ids {
                names[id] = try connection.first("SELECT display_name FROM accounts WHERE id = ?", .text(id.text)) {
                    $0.text(0)
                }
            }
            return names
        }
    }

    /// Accounts in the order they were made.
    public func accounts(_ query: AccountQuery) async throws -> [Account] {
        let role =
            switch query.role {
            case .any: "any"
            case .none: "none"
            case .administrator: ServerRole.administrator.rawValue
            }
        return try await read { connection in
            try connection.all(
                """
                SELECT \(AccountRow.columns) FROM accounts WHERE id > ?1 AND instr(search, ?2) > 0
                AND (?3 = 'any' OR (?3 = 'none' AND role IS NULL) OR role = ?3) AND (?4 IS NULL OR disabled = ?4)
                ORDER BY id LIMIT ?5
                """,
                .text(query.after?.text ?? ""), .text(query.text.map(Account.searchForm) ?? ""), .text(role),
                .boolean(query.isDisabled), .integer(query.limit)
            ) { AccountRow.account($0) }
        }
    }

    /// What a sign-in compares.
    public func credentials(of login: Login, device: TokenDigest?) async throws -> StoredCredentials? {
        try await read { connection in
            try connection.first(
                """
                SELECT \(AccountRow.columns), password,
                EXISTS (SELECT 1 FROM devices WHERE account = accounts.id AND token = ?) FROM accounts WHERE login = ?
                """,
                .blob(device?.bytes), .text(login.text)
            ) { row in
                StoredCredentials(
                    account: AccountRow.account(row),
                    password: AccountRow.password(row.optionalText(AccountRow.count)),
                    knowsDevice: row.boolean(AccountRow.count + 1))
            }
        }
    }

    /// The password of an account; `nil` for none.
    public func password(of id: AccountID) async throws -> PasswordHash? {
        try await read { connection in
            try connection.first("SELECT password FROM accounts WHERE id = ?", .text(id.text)) { row in
                AccountRow.password(row.optionalText(0))
            } ?? nil
        }
    }

    /// Changes the account's truth.
    public func amend(
        _ id: AccountID, _ change: @escaping @Sendable (AccountSituation) throws -> AccountChange
    ) async throws -> Account {
        try await write { transaction in
            let change = try change(try transaction.situation(of: id))
            try transaction.update(change.account)
            try transaction.audit(change.audit)
            if change.endsSessions { try transaction.endSessions(of: id, keeping: nil) }
            try transaction.changedAccess(of: id)
            return change.account
        }
    }

    /// Sets a password.
    public func setPassword(
        _ hash: PasswordHash, of id: AccountID, keeping: SessionID?, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            try transaction.setPassword(hash, of: id, keeping: keeping)
            try transaction.audit(audit)
        }
    }

    /// Replaces a hash by a costlier one.
    public func rehash(_ hash: PasswordHash, of id: AccountID, replacing old: PasswordHash) async throws {
        try await write { transaction in
            try transaction.connection.run(
                "UPDATE accounts SET password = ? WHERE id = ? AND password = ?",
                .text(hash.text), .text(id.text), .text(old.text))
        }
    }

    /// Erases the account.
    public func delete(
        _ id: AccountID, audit: @escaping @Sendable (AccountSituation) throws -> AuditEntry
    ) async throws {
        try await write { transaction in
            let entry = try audit(try transaction.situation(of: id))
            try transaction.endSessions(of: id, keeping: nil)
            _ = try transaction.forgetRecords(of: id, by: entry.account ?? id, from: entry.source, at: entry.at)
            try transaction.connection.run("DELETE FROM accounts WHERE id = ?", .text(id.text))
            try transaction.connection.run("DELETE FROM idempotency WHERE account = ?", .text(id.text))
            try transaction.eraseAuditDetails(about: id.text)
            try transaction.audit(entry)
            try transaction.changedAccess(of: id)
        }
    }

    /// Whether an enabled administrator with a password exists.
    public func hasAdministrator() async throws -> Bool {
        try await read { try $0.administrators(besides: "") > 0 }
    }
}
