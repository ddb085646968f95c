public import Accounts
public import Cryptography
import Database
public import Shared

extension RelationalStore: AccountStore {
    /// Stores a new account.
    public func insert(
        _ account: Account, password: PasswordHash?, audit: AuditEntry, keeping kept: KeptAnswer?
    ) async throws {
        try await write { transaction in
            try transaction.apply(
                AccountPlans.creation(of: account, password: password, audit: audit, keeping: kept))
        }
    }

    /// Returns the account; `nil` if it does not exist.
    public func account(_ id: AccountID) async throws -> Account? {
        try await read { try $0.account(id) }
    }

    /// Returns the account with its access version.
    public func standing(of id: AccountID) async throws -> (account: Account, accessVersion: Int)? {
        try await read { connection in
            try connection.first(
                "SELECT \(AccountRow.columns), \(AccountRow.accessVersion) FROM accounts WHERE id = ?", .text(id.text)
            ) { (AccountRow.account($0), $0.integer(AccountRow.count)) }
        }
    }

    /// Returns the names of some accounts, in one read.
    public func names(of ids: [AccountID]) async throws -> [AccountID: AccountNames] {
        let sql = "SELECT display_name, given_name, family_name FROM accounts WHERE id = ?"
        return try await read { connection in
            var names: [AccountID: AccountNames] = [:]
            for id in ids {
                names[id] = try connection.first(sql, .text(id.text)) {
                    AccountNames(displayName: $0.text(0), personName: AccountRow.personName($0, from: 1))
                }
            }
            return names
        }
    }

    /// Returns accounts in order of creation.
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
                SELECT \(AccountRow.columns) FROM accounts
                WHERE id > ?1 AND service_of IS NULL AND instr(search, ?2) > 0
                AND (?3 = 'any' OR (?3 = 'none' AND role IS NULL) OR role = ?3) AND (?4 IS NULL OR disabled = ?4)
                ORDER BY id LIMIT ?5
                """,
                .text(query.after?.text ?? ""), .text(query.text.map(Account.searchForm) ?? ""), .text(role),
                .boolean(query.isDisabled), .integer(query.limit)
            ) { AccountRow.account($0) }
        }
    }

    /// Returns what a sign-in with this login is checked against.
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

    /// Returns the password hash of an account; `nil` for none.
    public func password(of id: AccountID) async throws -> PasswordHash? {
        try await read { try $0.password(of: id) }
    }

    /// Changes an account.
    public func amend(
        _ id: AccountID, _ change: @escaping @Sendable (AccountSituation) throws -> AccountChange
    ) async throws -> Account {
        try await write { transaction in
            let connection = transaction.connection
            return try transaction.apply(
                AccountPlans.amendment(
                    try connection.situation(of: id), sessions: try connection.sessions(of: id), change))
        }
    }

    /// Sets an account's password.
    public func setPassword(
        _ hash: PasswordHash, of id: AccountID, keeping: SessionID?, device: TokenDigest?, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            try transaction.apply(
                PasswordPlans.setting(
                    hash, of: try connection.account(id), sessions: try connection.sessionIDs(of: id),
                    keeping: keeping, device: device, audit: audit))
        }
    }

    /// Replaces a password hash by a more expensive one of the same password.
    public func rehash(_ hash: PasswordHash, of id: AccountID, replacing old: PasswordHash) async throws {
        try await write { transaction in
            try transaction.apply(
                PasswordPlans.rehashing(
                    hash, of: id, replacing: old, found: try transaction.connection.password(of: id)))
        }
    }

    /// Deletes the account and erases its data.
    public func delete(
        _ id: AccountID, audit: @escaping @Sendable (AccountSituation) throws -> AuditEntry
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let plan = try AccountPlans.deletion(
                try connection.situation(of: id), sessions: try connection.sessionIDs(of: id),
                email: try connection.email(of: id), audit: audit)
            // What the account shares goes with it: announce it while it is there.
            try transaction.announceShared(by: id)
            try transaction.forgetRecords(of: id, by: plan.value)
            try transaction.tellEndOfMemberships(of: id, by: plan.value)
            _ = try transaction.apply(plan)
        }
    }

    /// How each enabled administrator can sign in.
    public func administrators() async throws -> [WaysIn] { try await read { try $0.administrators(besides: "") } }
}
