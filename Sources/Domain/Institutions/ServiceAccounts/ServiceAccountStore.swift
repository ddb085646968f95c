public import Shared

/// The store of service accounts.
public protocol ServiceAccountStore: Sendable {
    /// Returns an institution's service accounts that have not ended, in the order of their creation.
    func serviceAccounts(of institution: InstitutionID) async throws -> [ServiceAccount]

    /// Returns the people who can have acted through a service account: those who made the account, or a token or secret of
    /// it, also one that has ended. A person's own account yields at most that person, who may have made tokens.
    func makers(of serviceAccount: AccountID) async throws -> Set<AccountID>

    /// Changes an institution's service accounts by a plan, which must be a pure function of them.
    func changeServiceAccounts<Value: Sendable>(
        of institution: InstitutionID, _ plan: @escaping @Sendable ([ServiceAccount]) throws -> InstitutionPlan<Value>
    ) async throws -> Value
}
