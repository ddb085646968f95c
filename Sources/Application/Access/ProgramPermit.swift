import Accounts
import Institutions
import Shared

/// An action that a permit allows, as a type.
protocol PermittedAction: Sendable {
    /// The action on which ``authorize(_:_:on:)`` decides.
    static var action: Action { get }
}

/// The actions that permits name. A use case that writes takes a `ProgramPermit<May.Write>`, so that no other permit
/// compiles.
enum May {
    /// Read the content.
    enum Read: PermittedAction {
        /// The action to authorize.
        static var action: Action { .read }
    }
    /// Read what is not open to everyone: drafts, cohorts, running work.
    enum Oversee: PermittedAction {
        /// The action to authorize.
        static var action: Action { .oversee }
    }
    /// Change the content.
    enum Write: PermittedAction {
        /// The action to authorize.
        static var action: Action { .write }
    }
    /// Enter or release scores in many records at once.
    enum Grade: PermittedAction {
        /// The action to authorize.
        static var action: Action { .grade }
    }
    /// Create something in it.
    enum Create: PermittedAction {
        /// The action to authorize.
        static var action: Action { .create }
    }
    /// Manage the members.
    enum ManageMembers: PermittedAction {
        /// The action to authorize.
        static var action: Action { .manageMembers }
    }
}

/// The proof that a caller may do something. Only ``InstitutionAccess`` creates permits, because only it can create the
/// grounds that every permit needs.
protocol Permit: Sendable {
    /// What the permit rests on.
    var grounds: PermitGrounds { get }
}

/// The accounts, institutions and programs on which a permit rests. The store refuses a write under the permit once one
/// of them has another access version.
struct PermitGrounds: Sendable {
    /// The grounds with their access versions.
    let list: [AccessGround]

    fileprivate init(_ list: [AccessGround]) { self.list = list }

    /// Collects the grounds of a requester's permission.
    fileprivate init(_ requester: Requester, in institution: Institution, _ program: Program? = nil) {
        list =
            (requester.account.map { [AccessGround(.account($0), at: requester.accessVersion)] } ?? [])
            + [AccessGround(.institution(institution.id), at: institution.accessVersion)]
            + (program.map { [AccessGround(.program($0.id), at: $0.accessVersion)] } ?? [])
    }
}

/// The right to do something with one program.
struct ProgramPermit<Granted: PermittedAction>: Permit {
    /// The program at the moment the permit was granted.
    let program: Program
    /// Whether the caller is on the program's staff.
    let isStaff: Bool
    /// The grounds of the permit.
    let grounds: PermitGrounds

    fileprivate init(_ program: Program, isStaff: Bool, on grounds: PermitGrounds) {
        self.program = program
        self.isStaff = isStaff
        self.grounds = grounds
    }
}

/// The right to do something with one institution.
struct InstitutionPermit<Granted: PermittedAction>: Permit {
    /// The institution at the moment the permit was granted.
    let institution: Institution
    /// The grounds of the permit.
    let grounds: PermitGrounds

    fileprivate init(_ institution: Institution, on grounds: PermitGrounds) {
        self.institution = institution
        self.grounds = grounds
    }
}

/// The right to decide on memberships in one institution.
struct AppointmentPermit: Permit {
    /// The institution at the moment the permit was granted.
    let institution: Institution
    /// The only role on which the caller may decide; `nil` for all roles.
    let only: MemberRole?
    /// The grounds of the permit.
    let grounds: PermitGrounds

    fileprivate init(_ institution: Institution, only role: MemberRole?, on grounds: PermitGrounds) {
        self.institution = institution
        only = role
        self.grounds = grounds
    }
}

/// The rights of a server administrator.
struct AdministratorPermit: Permit {
    /// The grounds of the permit: the account alone.
    let grounds: PermitGrounds

    fileprivate init(on grounds: PermitGrounds) { self.grounds = grounds }
}

extension InstitutionAccess {
    /// Returns a permit for the program.
    ///
    /// - Throws: `not_found`; `forbidden` where the caller may know that the program exists.
    func permit<Granted: PermittedAction>(
        to _: Granted.Type, in id: ProgramID, for principal: Principal
    ) async throws -> ProgramPermit<Granted> {
        let found = try await program(Granted.action, id, for: principal)
        return ProgramPermit(
            found.program, isStaff: found.isStaff,
            on: PermitGrounds(found.requester, in: found.institution, found.program))
    }

    /// Returns a permit for the institution with that id or slug.
    ///
    /// - Throws: `not_found`; `forbidden` where the caller may know that the institution exists.
    func permit<Granted: PermittedAction>(
        to _: Granted.Type, in name: String, for principal: Principal
    ) async throws -> InstitutionPermit<Granted> {
        let (institution, requester) = try await admit(principal, Granted.action, name)
        return InstitutionPermit(institution, on: PermitGrounds(requester, in: institution))
    }

    /// A permit to change the institution of that id or slug: registrars change it, and administrators alone its short name,
    /// by which addresses and configurations name it.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    func changing(
        _ name: String, by edit: InstitutionEdit, for principal: Principal
    ) async throws -> InstitutionPermit<May.Write> {
        let (institution, requester) = try await admit(principal, edit.isNameAlone ? .read : .write, name)
        guard principal.isAdministrator || !edit.renames(institution) else { throw UseCaseError.forbidden }
        if !edit.renames(institution) { _ = try await admit(principal, .write, name) }
        return InstitutionPermit(institution, on: PermitGrounds(requester, in: institution))
    }

    /// A permit for the membership of people in the institution of that id or slug: administrators appoint registrars
    /// alone, and tokens decide on students alone.
    ///
    /// - Parameter reads: whether the caller only reads.
    func appointing(
        in name: String, for principal: Principal, reads: Bool = false
    ) async throws -> AppointmentPermit {
        let (institution, requester) = try await admit(principal, .appoint, name)
        let grounds = PermitGrounds(requester, in: institution)
        let managesAll =
            authorize(requester, .manageMembers, on: .institution(institution)) == .allowed(staff: true)
        guard case .token = principal, !reads else {
            return AppointmentPermit(institution, only: managesAll ? nil : .registrar, on: grounds)
        }
        guard managesAll else { throw UseCaseError.forbidden }
        return AppointmentPermit(institution, only: .student, on: grounds)
    }

    /// Returns a permit for the server.
    ///
    /// - Throws: `forbidden` unless the caller is an administrator.
    func administrator(_ principal: Principal) throws -> AdministratorPermit {
        guard principal.isAdministrator, let account = principal.account, let version = principal.accessVersion else {
            throw UseCaseError.forbidden
        }
        return AdministratorPermit(on: PermitGrounds([AccessGround(.account(account), at: version)]))
    }
}
