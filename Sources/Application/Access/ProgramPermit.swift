public import Accounts
public import Institutions
public import Shared

/// What a permit lets its holder do.
public protocol PermittedAction: Sendable {
    /// The action that the one rule of authorization decides on.
    static var action: Action { get }
}

/// What use-cases ask to be permitted: one that writes takes a `ProgramPermit<May.Write>`, and no other compiles.
public enum May {
    /// See what the thing says.
    public enum Read: PermittedAction {
        /// What is decided on.
        public static var action: Action { .read }
    }
    /// See what is not for everybody: drafts, cohorts, what is under way.
    public enum Oversee: PermittedAction {
        /// What is decided on.
        public static var action: Action { .oversee }
    }
    /// Change what it says.
    public enum Write: PermittedAction {
        /// What is decided on.
        public static var action: Action { .write }
    }
    /// Enter or release scores in many records at once.
    public enum Grade: PermittedAction {
        /// What is decided on.
        public static var action: Action { .grade }
    }
    /// Make something new in it.
    public enum Create: PermittedAction {
        /// What is decided on.
        public static var action: Action { .create }
    }
    /// Say who belongs to it.
    public enum ManageMembers: PermittedAction {
        /// What is decided on.
        public static var action: Action { .manageMembers }
    }
}

/// The proof that a caller may do something. Only ``InstitutionAccess`` makes permits: another type cannot be one, for it
/// has no grounds.
public protocol Permit: Sendable {
    /// What the permit rests on.
    var grounds: PermitGrounds { get }
}

/// What a permit rests on: the store refuses what is done under it once one of these has another access version.
public struct PermitGrounds: Sendable {
    /// Whom and what the permission rests on.
    public let list: [AccessGround]

    fileprivate init(_ list: [AccessGround]) { self.list = list }

    /// What a requester's permission rests on.
    fileprivate init(_ requester: Requester, in institution: Institution, _ program: Program? = nil) {
        list =
            (requester.account.map { [AccessGround(.account($0), at: requester.accessVersion)] } ?? [])
            + [AccessGround(.institution(institution.id), at: institution.accessVersion)]
            + (program.map { [AccessGround(.program($0.id), at: $0.accessVersion)] } ?? [])
    }
}

/// What a caller may do with one program.
public struct ProgramPermit<Granted: PermittedAction>: Permit {
    /// The program, as it was when the permit was given.
    public let program: Program
    /// Whether the caller is of its staff.
    public let isStaff: Bool
    /// What it rests on.
    public let grounds: PermitGrounds

    fileprivate init(_ program: Program, isStaff: Bool, on grounds: PermitGrounds) {
        self.program = program
        self.isStaff = isStaff
        self.grounds = grounds
    }
}

/// What a caller may do with one institution.
public struct InstitutionPermit<Granted: PermittedAction>: Permit {
    /// The institution, as it was when the permit was given.
    public let institution: Institution
    /// What it rests on.
    public let grounds: PermitGrounds

    fileprivate init(_ institution: Institution, on grounds: PermitGrounds) {
        self.institution = institution
        self.grounds = grounds
    }
}

/// On whose membership a caller decides in one institution.
public struct AppointmentPermit: Permit {
    /// The institution, as it was when the permit was given.
    public let institution: Institution
    /// The one role on which the caller decides; `nil` for all.
    public let only: MemberRole?
    /// What it rests on.
    public let grounds: PermitGrounds

    fileprivate init(_ institution: Institution, only role: MemberRole?, on grounds: PermitGrounds) {
        self.institution = institution
        only = role
        self.grounds = grounds
    }
}

/// What an administrator of the server may do.
public struct AdministratorPermit: Permit {
    /// What it rests on: the account alone.
    public let grounds: PermitGrounds

    fileprivate init(on grounds: PermitGrounds) { self.grounds = grounds }
}

extension InstitutionAccess {
    /// A permit for the program.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    public func permit<Granted: PermittedAction>(
        to _: Granted.Type, in id: ProgramID, for principal: Principal
    ) async throws -> ProgramPermit<Granted> {
        let found = try await program(Granted.action, id, for: principal)
        return ProgramPermit(
            found.program, isStaff: found.isStaff,
            on: PermitGrounds(found.requester, in: found.institution, found.program))
    }

    /// A permit for the institution of that id or slug.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    public func permit<Granted: PermittedAction>(
        to _: Granted.Type, in name: String, for principal: Principal
    ) async throws -> InstitutionPermit<Granted> {
        let (institution, requester) = try await admit(principal, Granted.action, name)
        return InstitutionPermit(institution, on: PermitGrounds(requester, in: institution))
    }

    /// A permit to change the institution of that id or slug: registrars change it, and administrators alone its short name,
    /// by which addresses and configurations name it.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    public func changing(
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
    /// - Parameter reads: whether the caller only looks.
    public func appointing(
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

    /// A permit for the server; throws `forbidden` unless an administrator asks.
    public func administrator(_ principal: Principal) throws -> AdministratorPermit {
        guard principal.isAdministrator, let account = principal.account, let version = principal.accessVersion else {
            throw UseCaseError.forbidden
        }
        return AdministratorPermit(on: PermitGrounds([AccessGround(.account(account), at: version)]))
    }
}
