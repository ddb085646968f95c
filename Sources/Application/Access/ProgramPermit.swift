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
}

/// The proof that a caller may do something. Only ``InstitutionAccess`` makes permits.
public protocol Permit: Sendable {}

/// What a caller may do with one program.
public struct ProgramPermit<Granted: PermittedAction>: Permit {
    /// The program, as it was when the permit was given.
    public let program: Program
    /// Whether the caller is of its staff.
    public let isStaff: Bool

    fileprivate init(_ program: Program, isStaff: Bool) {
        self.program = program
        self.isStaff = isStaff
    }
}

/// What a caller may do with one institution.
public struct InstitutionPermit<Granted: PermittedAction>: Permit {
    /// The institution, as it was when the permit was given.
    public let institution: Institution

    fileprivate init(_ institution: Institution) { self.institution = institution }
}

/// What an administrator of the server may do.
public struct AdministratorPermit: Permit {
    fileprivate init() {}
}

extension InstitutionAccess {
    /// A permit for the program.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    public func permit<Granted: PermittedAction>(
        to _: Granted.Type, in id: ProgramID, for principal: Principal
    ) async throws -> ProgramPermit<Granted> {
        let (program, isStaff) = try await program(Granted.action, id, for: principal)
        return ProgramPermit(program, isStaff: isStaff)
    }

    /// A permit for the institution of that id or slug.
    ///
    /// - Throws: `not_found`, or `forbidden` where the caller may know of it.
    public func permit<Granted: PermittedAction>(
        to _: Granted.Type, in name: String, for principal: Principal
    ) async throws -> InstitutionPermit<Granted> {
        InstitutionPermit(try await institution(Granted.action, name, for: principal))
    }

    /// A permit for the server; throws `forbidden` unless an administrator asks.
    public func administrator(_ principal: Principal) throws -> AdministratorPermit {
        guard principal.isAdministrator else { throw UseCaseError.forbidden }
        return AdministratorPermit()
    }
}
