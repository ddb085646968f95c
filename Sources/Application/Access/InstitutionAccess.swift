public import Accounts
public import Institutions
import Shared

/// Lets callers through to institutions and programs, or refuses as if there were none.
public struct InstitutionAccess: Sendable {
    private let institutions: InstitutionServices

    /// Looks up institutions, programs and memberships in these services.
    public init(institutions: InstitutionServices) { self.institutions = institutions }

    /// Who asks, with the memberships that count.
    ///
    /// - Parameter bypassingCache: whether the memberships are read from the store even if they are remembered.
    public func requester(_ principal: Principal, bypassingCache: Bool = false) async throws -> Requester {
        guard let account = principal.account else { return .guest }
        let places = try await institutions.members.places(of: account, bypassingCache: bypassingCache)
        // Principal and memberships may have been read at two moments: a permit rests on the earlier one.
        let accessVersion = min(principal.accessVersion ?? places.accessVersion, places.accessVersion)
        return Requester(principal: principal, memberships: places.memberships, accessVersion: accessVersion)
    }

    /// The institution of that id or slug, for a caller who may do `action` to it.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    public func institution(_ action: Action, _ name: String, for principal: Principal) async throws -> Institution {
        try await admit(principal, action, name).institution
    }

    /// The institution, for a caller who may do `action` to it, with what decided.
    func admit(
        _ principal: Principal, _ action: Action, _ name: String
    ) async throws -> (institution: Institution, requester: Requester) {
        guard let institution = try await institutions.tenants.find(name) else { throw UseCaseError.notFound }
        let requester = try await requester(principal)
        let decision = authorize(requester, action, on: .institution(institution))
        guard case .allowed = decision else { throw UseCaseError(decision) }
        return (institution, requester)
    }

    /// The institution, for a caller who may see its members, and whether that is all of them.
    public func members(
        of name: String, for principal: Principal
    ) async throws -> (institution: Institution, seesAll: Bool) {
        let (institution, requester) = try await admit(principal, .readMembers, name)
        let decision = authorize(requester, .readMembers, on: .institution(institution))
        return (institution, decision == .allowed(staff: true))
    }

    /// Those of some accounts that belong to a program's institution: an administrator who once acted in it does not.
    func members(among accounts: [AccountID?], of program: Program) async throws -> Set<AccountID> {
        var members: Set<AccountID> = []
        for account in Set(accounts.compactMap(\.self)) {
            let memberships = try await institutions.members.memberships(of: account)
            if memberships.contains(where: { $0.institution == program.institution }) { members.insert(account) }
        }
        return members
    }

    /// The program, for a caller who may do `action` to it, whether the caller is of its staff, and what decided.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    func program(
        _ action: Action, _ id: ProgramID, for principal: Principal
    ) async throws -> (program: Program, isStaff: Bool, institution: Institution, requester: Requester) {
        guard let program = try await institutions.programs.find(id),
            let institution = try await institutions.tenants.find(program.institution.text)
        else { throw UseCaseError.notFound }
        let requester = try await requester(principal)
        let decision = authorize(requester, action, on: .program(program, in: institution))
        guard case .allowed(let isStaff) = decision else { throw UseCaseError(decision) }
        return (program, isStaff, institution, requester)
    }
}
