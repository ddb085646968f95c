import Cryptography
public import Forms
import GradingKit
public import Institutions
public import Shared

/// The use cases of an institution's service accounts. Callers check permissions; the accounts' own use cases handle
/// secrets and tokens.
public struct ServiceAccounts: Sendable {
    private let store: any InstitutionStore
    private let identifiers: UUIDSource

    init(store: any InstitutionStore, identifiers: UUIDSource) {
        self.store = store
        self.identifiers = identifiers
    }

    /// Returns an institution's service accounts in the order of their creation.
    public func list(of institution: InstitutionID) async throws -> [ServiceAccount] {
        try await store.serviceAccounts(of: institution)
    }

    /// Returns the people who may have acted through a service account: those who created the account, or a token or
    /// secret of it, even one that has ended. A person's own account yields at most that person, who may have created
    /// tokens.
    public func makers(of id: AccountID) async throws -> Set<AccountID> { try await store.makers(of: id) }

    /// Creates a service account, which has no secret and no token yet.
    public func create(
        _ input: FormInput<ServiceAccountCreation>, in institution: InstitutionID, by act: AuditContext
    ) async throws -> ServiceAccount {
        let request = input.value
        var form = input.form
        let programs = try await programs(request.programs, of: institution, &form)
        try form.finish()
        let role = request.role ?? .teacher
        let account = ServiceAccount(
            id: AccountID(identifiers.next()), institution: institution, name: request.name ?? "",
            scopes: request.scopes,
            role: role, programs: role == .teacher ? programs : [], createdAt: act.at)
        return try await store.changeServiceAccounts(of: institution) {
            try ServiceAccountPlans.creation(of: account, besides: $0, by: act)
        }
    }

    /// Changes a service account; throws `StoreError.notFound` for any other account.
    public func edit(
        _ input: FormInput<ServiceAccountChange>, of id: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> ServiceAccount {
        let request = input.value
        var form = input.form
        let programs = try await programs(request.programs ?? [], of: institution, &form)
        try form.finish()
        return try await store.changeServiceAccounts(of: institution) {
            try ServiceAccountPlans.change(of: id, among: $0, by: act) { account in
                if let name = request.name { account.name = name }
                if let role = request.role { account.role = role }
                if let scopes = request.scopes { account.scopes = scopes }
                if request.programs != nil { account.programs = programs }
                if account.role == .registrar { account.programs = [] }
            }
        }
    }

    /// Ends a service account with its secrets and tokens; throws `StoreError.notFound` for any other account.
    public func end(_ id: AccountID, of institution: InstitutionID, by act: AuditContext) async throws {
        try await store.changeServiceAccounts(of: institution) {
            try ServiceAccountPlans.end(of: id, among: $0, by: act)
        }
    }

    /// Returns a teacher's programs, and adds a fault for each that does not belong to the institution.
    private func programs(
        _ named: [ProgramID?], of institution: InstitutionID, _ form: inout Form
    ) async throws -> [ProgramID] {
        var programs: Set<ProgramID> = []
        for (index, program) in named.enumerated() {
            if let program, try await store.program(program)?.institution == institution {
                programs.insert(program)
            } else {
                form.refuse("programs", FaultList([Fault(.programUnknown, at: JSONPointer.step(index))]))
            }
        }
        return programs.sorted()
    }
}
