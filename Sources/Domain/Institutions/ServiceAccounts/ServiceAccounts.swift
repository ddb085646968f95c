import Cryptography
public import Forms
public import GradingKit
public import Shared

/// An institution's service accounts. Who may change them is decided outside; their secrets and tokens are the accounts'.
public struct ServiceAccounts: Sendable {
    private let store: any InstitutionStore
    private let identifiers: UUIDSource

    init(store: any InstitutionStore, identifiers: UUIDSource) {
        self.store = store
        self.identifiers = identifiers
    }

    private static let scope = JSONSchema.choice(ServiceAccount.scopes.map(\.rawValue))

    /// A request that makes a service account.
    public static let creation = RequestForm(
        "ServiceAccountInput", example: ["name": "Timetables", "role": "registrar", "scopes": ["programs:read"]]
    ) { form in
        (
            name: form.line("name", max: ServiceAccount.longestName, required: true),
            role: form.choice("role", of: ServiceAccount.Role.self, required: true),
            programs: form.array("programs", of: .text, most: ServiceAccount.mostPrograms),
            scopes: form.array("scopes", of: scope, most: Scope.allCases.count, required: true)
        )
    }

    /// A request that changes one; what it leaves out stays.
    public static let change = RequestForm("ServiceAccountChange", example: ["name": "Timetables"]) { form in
        (
            name: form.line("name", max: ServiceAccount.longestName, required: form.ifPresent("name")),
            role: form.choice("role", of: ServiceAccount.Role.self, required: form.ifPresent("role")),
            programs: form.array(
                "programs", of: .text, most: ServiceAccount.mostPrograms, required: form.ifPresent("programs")),
            scopes: form.array(
                "scopes", of: scope, most: Scope.allCases.count, required: form.ifPresent("scopes"))
        )
    }

    /// An institution's service accounts, in the order in which they were made.
    public func list(of institution: InstitutionID) async throws -> [ServiceAccount] {
        try await store.serviceAccounts(of: institution)
    }

    /// Makes a service account from what ``creation`` reads. It has no secret and no token yet.
    public func create(
        _ body: JSON, in institution: InstitutionID, by act: AuditContext
    ) async throws -> ServiceAccount {
        var (form, request) = Self.creation.open(body)
        let programs = try await programs(request.programs, of: institution, &form)
        let scopes = Self.scopes(request.scopes, &form)
        try form.finish()
        let role = request.role ?? .teacher
        let account = ServiceAccount(
            id: AccountID(identifiers.next()), institution: institution, name: request.name ?? "", scopes: scopes,
            role: role, programs: role == .teacher ? programs : [], createdAt: act.at)
        return try await store.changeServiceAccounts(of: institution) {
            try ServiceAccountPlans.creation(of: account, besides: $0, by: act)
        }
    }

    /// Changes a service account by what ``change`` reads; `StoreError.notFound` for any other account.
    public func edit(
        _ body: JSON, of id: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> ServiceAccount {
        var (form, request) = Self.change.open(body)
        let programs = try await programs(request.programs, of: institution, &form)
        let scopes = Self.scopes(request.scopes, &form)
        try form.finish()
        let (name, role) = (request.name, request.role)
        let (changesPrograms, changesScopes) = (request.programs != nil, request.scopes != nil)
        return try await store.changeServiceAccounts(of: institution) {
            try ServiceAccountPlans.change(of: id, among: $0, by: act) { account in
                if let name { account.name = name }
                if let role { account.role = role }
                if changesScopes { account.scopes = scopes }
                if changesPrograms { account.programs = programs }
                if account.role == .registrar { account.programs = [] }
            }
        }
    }

    /// Ends a service account with its secrets and tokens; `StoreError.notFound` for any other account.
    public func end(_ id: AccountID, of institution: InstitutionID, by act: AuditContext) async throws {
        try await store.changeServiceAccounts(of: institution) {
            try ServiceAccountPlans.end(of: id, among: $0, by: act)
        }
    }

    private static func scopes(_ elements: [JSON]?, _ form: inout Form) -> Set<Scope> {
        var scopes: Set<Scope> = []
        for (index, element) in (elements ?? []).enumerated() {
            if let scope = element.string.flatMap({ Scope(rawValue: $0) }), ServiceAccount.scopes.contains(scope) {
                scopes.insert(scope)
            } else {
                let allowed = JSONObject.allowing(ServiceAccount.scopes.map(\.rawValue))
                form.refuse("scopes", FaultList([Fault(.outOfRange, at: JSONPointer.step(index), allowed)]))
            }
        }
        if elements?.isEmpty == true { form.refuse("scopes", .missingField) }
        return scopes
    }

    /// A teacher's programs, which must be the institution's own.
    private func programs(
        _ elements: [JSON]?, of institution: InstitutionID, _ form: inout Form
    ) async throws -> [ProgramID] {
        var programs: Set<ProgramID> = []
        for (index, element) in (elements ?? []).enumerated() {
            if let program = element.string.map({ ProgramID($0) }),
                try await store.program(program)?.institution == institution
            {
                programs.insert(program)
            } else {
                form.refuse("programs", FaultList([Fault(.programUnknown, at: JSONPointer.step(index))]))
            }
        }
        return programs.sorted()
    }
}
