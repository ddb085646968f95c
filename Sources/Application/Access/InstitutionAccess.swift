import Accounts
import Institutions
import Shared

/// The check of callers' access to institutions and programs. Refusals may look as if the resource did not exist.
struct InstitutionAccess: Sendable {
    private let institutions: InstitutionServices

    /// Creates a check over the given services.
    init(institutions: InstitutionServices) { self.institutions = institutions }

    /// Returns the caller with the memberships that count.
    ///
    /// - Parameter bypassingCache: whether to read the memberships from the store even if they are cached.
    func requester(_ principal: Principal, bypassingCache: Bool = false) async throws -> Requester {
        guard let account = principal.account else { return .guest }
        let places = try await institutions.members.places(of: account, bypassingCache: bypassingCache)
        // Principal and memberships may have been read at different moments; the permit rests on the older version.
        let accessVersion = min(principal.accessVersion ?? places.accessVersion, places.accessVersion)
        return Requester(principal: principal, memberships: places.memberships, accessVersion: accessVersion)
    }

    /// Returns the institution with that id or slug if the caller may do `action` to it.
    ///
    /// - Throws: `not_found`; `forbidden` where the caller may know that the institution exists.
    func institution(_ action: Action, _ name: String, for principal: Principal) async throws -> Institution {
        try await admit(principal, action, name).institution
    }

    /// Returns the institution if the caller may do `action` to it, together with the requester on whom the decision
    /// rests.
    func admit(
        _ principal: Principal, _ action: Action, _ name: String
    ) async throws -> (institution: Institution, requester: Requester) {
        guard let institution = try await institutions.tenants.find(name) else { throw UseCaseError.notFound }
        let requester = try await requester(principal)
        let decision = authorize(requester, action, on: .institution(institution))
        guard case .allowed = decision else { throw UseCaseError(decision) }
        return (institution, requester)
    }

    /// Returns the day in the time zone of a program's institution at a moment.
    func today(in program: Program, at moment: Timestamp) async throws -> CalendarDay {
        try await institutions.tenants.today(in: program.institution, at: moment)
    }

    /// Returns the institution if the caller may see its members, and whether the caller sees all of them.
    func members(
        of name: String, for principal: Principal
    ) async throws -> (institution: Institution, seesAll: Bool) {
        let (institution, requester) = try await admit(principal, .readMembers, name)
        let decision = authorize(requester, .readMembers, on: .institution(institution))
        return (institution, decision == .allowed(staff: true))
    }

    /// Returns the accounts that belong to the program's institution. This leaves out an administrator who once acted
    /// in it.
    func members(among accounts: [AccountID?], of program: Program) async throws -> Set<AccountID> {
        var members: Set<AccountID> = []
        for account in Set(accounts.compactMap(\.self)) {
            let memberships = try await institutions.members.memberships(of: account)
            if memberships.contains(where: { $0.institution == program.institution }) { members.insert(account) }
        }
        return members
    }

    /// Returns the program if the caller may do `action` to it: with whether the caller is on its staff, its
    /// institution, and the requester on whom the decision rests.
    ///
    /// - Throws: `not_found`; `forbidden` where the caller may know that the program exists.
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
