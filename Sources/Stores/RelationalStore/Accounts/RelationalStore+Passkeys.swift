public import Accounts
import Database
public import Shared

extension RelationalStore: PasskeyStore {
    /// Returns an account's passkeys.
    public func passkeys(of id: AccountID) async throws -> [Passkey] { try await read { try $0.passkeys(of: id) } }

    /// Returns the passkey with an authenticator's credential identifier.
    public func passkey(credential: [UInt8]) async throws -> Passkey? {
        try await read { try $0.passkey(credential: credential) }
    }

    /// Returns the user handle by which authenticators know an account; stores `fresh` if it has none.
    public func userHandle(of id: AccountID, orElse fresh: [UInt8]) async throws -> [UInt8] {
        if let handle = try await read({ try $0.userHandle(of: id) }) { return handle }
        return try await write { transaction in
            let connection = transaction.connection
            guard try connection.account(id) != nil else { throw StoreError.notFound }
            if let handle = try connection.userHandle(of: id) { return handle }
            try transaction.apply(AccountPlan([.passkey(.setUserHandle(fresh, of: id))]))
            return fresh
        }
    }

    /// Changes an account's passkeys.
    public func changePasskeys<Value: Sendable>(
        of id: AccountID, credential: [UInt8]?,
        _ plan: @escaping @Sendable (PasskeySituation) throws -> AccountPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let connection = transaction.connection
            guard try connection.account(id) != nil else { throw StoreError.notFound }
            let situation = PasskeySituation(
                account: id, passkeys: try connection.passkeys(of: id),
                sessions: try connection.sessions(of: id),
                otherWays: WaysIn(
                    hasPassword: try connection.password(of: id) != nil, hasPasskey: false,
                    identities: try connection.identities(of: id)),
                isTaken: try credential.map { try connection.passkey(credential: $0) != nil } ?? false)
            return try transaction.apply(plan(situation))
        }
    }
}

extension Connection {
    private static let columns =
        "id, account, credential, public_key, created_at, name, counter, used_at, refused_at"

    func passkeys(of account: AccountID) throws -> [Passkey] {
        try all("SELECT \(Self.columns) FROM passkeys WHERE account = ? ORDER BY id", .text(account.text)) {
            Self.passkey($0)
        }
    }

    fileprivate func passkey(credential: [UInt8]) throws -> Passkey? {
        try first("SELECT \(Self.columns) FROM passkeys WHERE credential = ?", .blob(credential)) { Self.passkey($0) }
    }

    /// Returns whether the account has a passkey.
    func hasPasskey(_ account: AccountID) throws -> Bool {
        try first("SELECT EXISTS (SELECT 1 FROM passkeys WHERE account = ?)", .text(account.text)) {
            $0.boolean(0)
        } ?? false
    }

    fileprivate func userHandle(of account: AccountID) throws -> [UInt8]? {
        try first("SELECT handle FROM user_handles WHERE account = ?", .text(account.text)) { $0.bytes(0) }
    }

    private static func passkey(_ row: borrowing Row) -> Passkey {
        Passkey(
            id: row.text(0), account: AccountID(row.text(1)), credential: row.bytes(2), key: row.bytes(3),
            createdAt: Timestamp(microseconds: Int64(row.integer(4))), name: row.text(5),
            counter: UInt32(clamping: row.integer(6)),
            usedAt: row.optionalInteger(7).map { Timestamp(microseconds: Int64($0)) },
            refusedAt: row.optionalInteger(8).map { Timestamp(microseconds: Int64($0)) })
    }
}

extension WriteTransaction {
    func apply(_ change: PasskeyRowChange) throws {
        switch change {
        case .insert(let passkey):
            try connection.run(
                """
                INSERT INTO passkeys (
                    id, account, credential, public_key, created_at, name, counter, used_at, refused_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .text(passkey.id), .text(passkey.account.text), .blob(passkey.credential), .blob(passkey.key),
                .integer(passkey.createdAt.microseconds), .text(passkey.name), .integer(Int(passkey.counter)),
                .integer(passkey.usedAt?.microseconds), .integer(passkey.refusedAt?.microseconds))
        case .update(let passkey):
            try connection.run(
                "UPDATE passkeys SET name = ?, counter = ?, used_at = ?, refused_at = ? WHERE id = ?",
                .text(passkey.name), .integer(Int(passkey.counter)), .integer(passkey.usedAt?.microseconds),
                .integer(passkey.refusedAt?.microseconds), .text(passkey.id))
        case .remove(let id): try connection.run("DELETE FROM passkeys WHERE id = ?", .text(id))
        case .setUserHandle(let handle, let account):
            try connection.run(
                """
                INSERT INTO user_handles (account, handle) VALUES (?, ?)
                ON CONFLICT (account) DO UPDATE SET handle = excluded.handle
                """,
                .text(account.text),
                .blob(handle))
        }
    }
}
