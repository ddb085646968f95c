public import Shared

/// What one change makes of an institution.
public struct InstitutionChange: Sendable {
    /// The institution from now on.
    public let institution: Institution
    /// The audit row.
    public let audit: AuditEntry
    /// What the permission for it rests on.
    public let grounds: [AccessGround]

    /// A change.
    public init(institution: Institution, audit: AuditEntry, under grounds: [AccessGround] = []) {
        self.institution = institution
        self.audit = audit
        self.grounds = grounds
    }
}

/// What one change makes of a membership.
public struct MembershipChange: Sendable {
    /// What people give from now on; `nil` for nothing. What rules grant stands beside it.
    public let membership: Membership?
    /// Whether the account's sessions keep to the limits of staff from now on. None of them ends at once.
    public let becomesStaff: Bool
    /// The audit row.
    public let audit: AuditEntry
    /// What the permission for it rests on.
    public let grounds: [AccessGround]

    /// A change.
    public init(membership: Membership?, becomesStaff: Bool, audit: AuditEntry, under grounds: [AccessGround] = []) {
        self.membership = membership
        self.becomesStaff = becomesStaff
        self.audit = audit
        self.grounds = grounds
    }
}

/// What is answered to a change of a program, to be kept with it if the client sent a key: from the program and its
/// versions as they are then. Called inside the transaction, so it must be quick and pure.
public typealias ProgramKeeper = @Sendable (Program, StandingVersions) -> KeptAnswer?

/// What one change makes of a program.
public struct ProgramChange: Sendable {
    /// The program from now on, but for its revision, which rises when the change is made.
    public let program: Program
    /// A version published with the change.
    public let version: ProgramVersion?
    /// The audit row.
    public let audit: AuditEntry
    /// What the permission for it rests on.
    public let grounds: [AccessGround]

    /// A change.
    public init(
        program: Program, version: ProgramVersion? = nil, audit: AuditEntry, under grounds: [AccessGround] = []
    ) {
        self.program = program
        self.version = version
        self.audit = audit
        self.grounds = grounds
    }
}
