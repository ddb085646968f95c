public import Accounts
public import Cryptography
import Database
public import Shared

extension RelationalStore: APITokenStore {
    /// Returns a token with the account for which it acts.
    public func apiToken(_ digest: TokenDigest) async throws -> TokenStanding? {
        try await read { try $0.apiToken("api_tokens.token = ?", .blob(digest.bytes)) }
    }

    /// Returns a token of an account.
    public func apiToken(_ id: APITokenID, of account: AccountID) async throws -> TokenStanding? {
        try await read {
            try $0.apiToken("api_tokens.id = ? AND api_tokens.account = ?", .text(id.text), .text(account.text))
        }
    }

    /// Returns an account's tokens.
    public func apiTokens(of id: AccountID) async throws -> [APIToken] { try await read { try $0.apiTokens(of: id) } }

    /// Changes an account's tokens.
    public func changeAPITokens<Value: Sendable>(
        of id: AccountID, _ plan: @escaping @Sendable (TokenSituation) throws -> AccountPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let connection = transaction.connection
            guard let account = try connection.account(id) else { throw StoreError.notFound }
            let situation = TokenSituation(
                account: account, tokens: try connection.apiTokens(of: id), sessions: try connection.sessions(of: id))
            return try transaction.apply(plan(situation))
        }
    }
}

/// The form of API tokens in the table.
enum APITokenRow {
    static let columns = [
        "id", "account", "kind", "name", "scopes", "networks", "created_at", "expires_at", "used_at",
        "factors", "voucher", "granted_by",
    ].map { "api_tokens.\($0)" }.joined(separator: ", ")
    static let count: Int32 = 12

    /// Reads a token from the columns that start at `first`.
    static func token(_ row: borrowing Row, from first: Int32 = 0) -> APIToken {
        APIToken(
            id: APITokenID(row.text(first)), account: AccountID(row.text(first + 1)),
            // A token of an unknown kind grants nothing.
            kind: APIToken.Kind(rawValue: row.text(first + 2)) ?? .secret, name: row.text(first + 3),
            scopes: scopes(row.text(first + 4)),
            networks: row.text(first + 5).split(separator: " ").map(String.init),
            granter: row.optionalText(first + 11).map { APITokenID($0) },
            factors: ShownFactors(kind: row.text(first + 9), voucher: row.optionalText(first + 10)) ?? .one,
            createdAt: Timestamp(microseconds: Int64(row.integer(first + 6))),
            expiresAt: Timestamp(microseconds: Int64(row.integer(first + 7))),
            usedAt: row.optionalInteger(first + 8).map { Timestamp(microseconds: Int64($0)) })
    }

    /// Reads scopes; an unknown scope is left out and therefore grants nothing.
    static func scopes(_ text: String) -> Set<Scope> {
        Set(text.split(separator: " ").compactMap { Scope(rawValue: String($0)) })
    }

    static func text(_ scopes: Set<Scope>) -> String { scopes.sorted().map(\.rawValue).joined(separator: " ") }
}

extension Connection {
    func apiTokens(of account: AccountID) throws -> [APIToken] {
        try all("SELECT \(APITokenRow.columns) FROM api_tokens WHERE account = ? ORDER BY id", .text(account.text)) {
            APITokenRow.token($0)
        }
    }

    fileprivate func apiToken(_ condition: String, _ values: SQLValue...) throws -> TokenStanding? {
        try all(
            """
            SELECT \(AccountRow.columns), \(APITokenRow.columns), \(AccountRow.accessVersion), \(FactorColumns.sql)
            FROM api_tokens JOIN accounts ON accounts.id = api_tokens.account WHERE \(condition)
            """,
            values
        ) { row in
            let rest = AccountRow.count + APITokenRow.count
            return TokenStanding(
                token: APITokenRow.token(row, from: AccountRow.count), account: AccountRow.account(row),
                accessVersion: row.integer(rest), factors: FactorColumns.standing(row, from: rest + 1))
        }.first
    }
}

extension WriteTransaction {
    func apply(_ change: APITokenRowChange) throws {
        switch change {
        case .insert(let token, let digest):
            try connection.run(
                """
                INSERT INTO api_tokens (
                    token, id, account, kind, name, scopes, networks, created_at, expires_at, used_at, factors,
                    voucher, granted_by)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .blob(digest.bytes), .text(token.id.text), .text(token.account.text), .text(token.kind.rawValue),
                .text(token.name), .text(APITokenRow.text(token.scopes)),
                .text(token.networks.joined(separator: " ")), .integer(token.createdAt.microseconds),
                .integer(token.expiresAt.microseconds), .integer(token.usedAt?.microseconds),
                .text(token.factors.kind), .text(token.factors.voucher), .text(token.granter?.text))
        case .noteUse(let id, let moment):
            try connection.run(
                "UPDATE api_tokens SET used_at = ? WHERE id = ?", .integer(moment.microseconds), .text(id.text))
        case .remove(let id): try connection.run("DELETE FROM api_tokens WHERE id = ?", .text(id.text))
        }
    }
}
