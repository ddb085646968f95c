import Accounts
public import Classes
public import Gradebook
import GradingKit
import Institutions
import Records
public import Shared

extension ClassService {
    /// Changes a class's properties. Only a registrar opens a closed class again.
    public func settle(
        _ id: ClassID, _ patch: ClassPatch, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassSnapshot>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassSnapshot> {
        var calendar: ClassCalendar?
        if let term = patch.term ?? nil {
            let institution = try await permit(.write, id, for: context).snapshot.head.institution
            calendar = try await self.calendar(term, of: institution)
        }
        return try await act(.write, in: id, .rows([]), by: context, keeping: keep) {
            [calendar] permit, gradebook, ground in
            if ground.snapshot.head.state == .closed, patch.state == .open, !permit.isRegistrar {
                throw UseCaseError.forbidden
            }
            return try gradebook.settle(patch, to: calendar, in: ground)
        }
    }

    /// The institution's term for a class, with the periods in it.
    func calendar(_ term: TermID, of institution: InstitutionID) async throws -> ClassCalendar {
        let terms = try await records.institutions.terms.list(of: institution)
        guard let calendar = ClassCalendar(of: term, among: terms) else {
            throw FaultList([Fault("term_unknown", at: "/term")])
        }
        return calendar
    }

    /// Gives a member of the institution's staff a role in the class, or changes it.
    ///
    /// - Parameters:
    ///   - lines: the lines in which a grader enters results; `nil` for all.
    ///   - groups: the groups of a grader, who reads their rows and enters results for their students; `nil` for all.
    public func appoint(
        _ account: AccountID, as role: ClassRole, in lines: [LineID]?, for groups: [GroupID]?, of id: ClassID,
        by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassSnapshot>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassSnapshot> {
        let snapshot = try await permit(.manageMembers, id, for: context).snapshot
        try await checkStaff(account, of: snapshot.head.institution, at: "/account")
        let member = ClassStaff(account, as: role, in: lines, groups: groups)
        let people = try await records.people(among: snapshot.staff.map(\.account) + [account])
        return try await act(.manageMembers, in: id, .rows([]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.appoint(member, among: people, in: ground)
        }
    }

    /// Checks that an account is of the institution's staff: only these can be staff of its classes.
    func checkStaff(_ account: AccountID, of institution: InstitutionID, at path: String) async throws {
        let memberships = try await records.institutions.members.memberships(of: account)
        guard memberships.contains(where: { $0.institution == institution && $0.role.isStaff }) else {
            throw FaultList([Fault("account_unknown", at: path)])
        }
    }

    /// Removes an account from the class's staff; throws `not_found` if it has no role in the class.
    public func dismiss(
        _ account: AccountID, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassSnapshot>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassSnapshot> {
        let staff = try await permit(.manageMembers, id, for: context).snapshot.staff
        let people = try await records.people(among: staff.map(\.account))
        return try await act(.manageMembers, in: id, .rows([]), by: context, keeping: keep) { _, gradebook, ground in
            guard ground.snapshot.member(account) != nil else { throw UseCaseError.notFound }
            return try gradebook.dismiss(account, among: people, in: ground)
        }
    }
}
