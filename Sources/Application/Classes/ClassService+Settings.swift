import Accounts
public import Classes
public import Gradebook
import GradingKit
import Institutions
import Records
public import Shared

extension ClassService {
    /// Changes what a class says of itself. A closed class is opened again by a registrar.
    public func settle(
        _ id: ClassID, _ patch: ClassPatch, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassSnapshot>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassSnapshot> {
        try await act(.write, in: id, .rows([]), by: context, keeping: keep) { permit, gradebook, ground in
            if ground.snapshot.head.state == .closed, patch.state == .open, !permit.isRegistrar {
                throw UseCaseError.forbidden
            }
            return try gradebook.settle(patch, in: ground)
        }
    }

    /// Gives a member of the institution's staff a role in the class, or another one.
    ///
    /// - Parameter lines: the lines in which a grader enters results; `nil` for all.
    public func appoint(
        _ account: AccountID, as role: ClassRole, in lines: [LineID]?, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassSnapshot>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassSnapshot> {
        let institution = try await permit(.manageMembers, id, for: context).snapshot.head.institution
        let memberships = try await records.institutions.members.memberships(of: account)
        guard memberships.contains(where: { $0.institution == institution && $0.role.isStaff }) else {
            throw FaultList([Fault("account_unknown", at: "/account")])
        }
        return try await act(.manageMembers, in: id, .rows([]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.appoint(ClassStaff(account, as: role, in: lines), in: ground)
        }
    }

    /// Takes an account off the class's staff; throws `not_found` for one that has no role in it.
    public func dismiss(
        _ account: AccountID, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassSnapshot>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassSnapshot> {
        try await act(.manageMembers, in: id, .rows([]), by: context, keeping: keep) { _, gradebook, ground in
            guard ground.snapshot.member(account) != nil else { throw UseCaseError.notFound }
            return try gradebook.dismiss(account, in: ground)
        }
    }
}
