import Accounts
import Database
public import Institutions
public import Shared

extension RelationalStore {
    /// Returns an institution's service accounts.
    public func serviceAccounts(of institution: InstitutionID) async throws -> [ServiceAccount] {
        try await read { try $0.serviceAccounts(of: institution) }
    }

    /// Returns who made a service account, or a token or secret of it, as the audit trail says, which keeps what ended.
    public func makers(of serviceAccount: AccountID) async throws -> Set<AccountID> {
        try await read { connection in
            Set(
                try connection.all(
                    """
                    SELECT DISTINCT account FROM audit WHERE subject = ? AND account IS NOT NULL
                    AND action IN ('service-account.created', 'secret.created', 'token.created')
                    """,
                    .text(serviceAccount.text)
                ) { AccountID($0.text(0)) })
        }
    }

    /// Changes an institution's service accounts.
    public func changeServiceAccounts<Value: Sendable>(
        of institution: InstitutionID, _ plan: @escaping @Sendable ([ServiceAccount]) throws -> InstitutionPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            try transaction.apply(plan(try transaction.connection.serviceAccounts(of: institution)))
        }
    }
}

extension Connection {
    /// Returns those that have not ended, in order of creation.
    fileprivate func serviceAccounts(of institution: InstitutionID) throws -> [ServiceAccount] {
        try all(
            """
            SELECT id, display_name, service_scopes, created_at, role_there, programs_there FROM accounts
            JOIN (SELECT account, role AS role_there, programs AS programs_there FROM memberships WHERE institution = ?1)
                AS members ON account = id
            WHERE service_of = ?1 AND disabled = 0 ORDER BY id
            """,
            .text(institution.text)
        ) { row in
            ServiceAccount(
                id: AccountID(row.text(0)), institution: institution, name: row.text(1),
                scopes: APITokenRow.scopes(row.text(2)), role: ServiceAccount.Role(rawValue: row.text(4)) ?? .teacher,
                programs: MembershipRow.programs(row.text(5)),
                createdAt: Timestamp(microseconds: Int64(row.integer(3))))
        }
    }
}

extension WriteTransaction {
    /// Deletes service accounts that ended long ago and, for each institution, the oldest ended ones above the limit.
    func forgetEndedServiceAccounts(at now: Timestamp) throws {
        try connection.run(
            """
            DELETE FROM accounts WHERE id IN (
                SELECT id FROM (
                    SELECT id, service_ended_at,
                    row_number() OVER (PARTITION BY service_of ORDER BY service_ended_at DESC, id DESC) AS number
                    FROM accounts WHERE service_ended_at IS NOT NULL) AS ended
                WHERE service_ended_at <= ? OR number > ?)
            """,
            .integer(now.adding(seconds: -ServiceAccount.memory).microseconds),
            .integer(ServiceAccount.mostRemembered))
    }

    func apply(_ change: ServiceAccountRowChange) throws {
        switch change {
        case .insert(let account):
            // No one can type this login, because it is not a valid one.
            let row = Account(
                id: account.id, createdAt: account.createdAt, login: Login(stored: "service:\(account.id)"),
                profile: Profile(displayName: account.name),
                service: Account.Service(institution: account.institution, scopes: account.scopes))
            try apply(AccountPlan([.insert(row, password: nil)]))
        case .update(let account):
            try connection.run(
                "UPDATE accounts SET display_name = ?, service_scopes = ? WHERE id = ?", .text(account.name),
                .text(APITokenRow.text(account.scopes)), .text(account.id.text))
        case .end(let id, let moment):
            try connection.run(
                "UPDATE accounts SET disabled = 1, service_ended_at = ? WHERE id = ?", .integer(moment.microseconds),
                .text(id.text))
            try connection.run("DELETE FROM api_tokens WHERE account = ?", .text(id.text))
        }
    }
}
