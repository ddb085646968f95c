public import Shared

/// A change of an institution.
public struct InstitutionChange: Sendable {
    /// The institution after the change.
    public let institution: Institution
    /// The audit row.
    public let audit: AuditEntry
    /// The access versions that the permission depends on.
    public let grounds: [AccessGround]

    /// Creates a change.
    public init(institution: Institution, audit: AuditEntry, under grounds: [AccessGround] = []) {
        self.institution = institution
        self.audit = audit
        self.grounds = grounds
    }
}

/// A change of a membership.
public struct MembershipChange: Sendable {
    /// The membership from people after the change; `nil` to end it. Grants from rules exist beside it.
    public let membership: Membership?
    /// Whether the account's sessions get the limits of staff. None of them ends at once.
    public let becomesStaff: Bool
    /// The audit row.
    public let audit: AuditEntry
    /// The access versions that the permission depends on.
    public let grounds: [AccessGround]

    /// Creates a change.
    public init(membership: Membership?, becomesStaff: Bool, audit: AuditEntry, under grounds: [AccessGround] = []) {
        self.membership = membership
        self.becomesStaff = becomesStaff
        self.audit = audit
        self.grounds = grounds
    }
}

/// Returns the answer to store with a change of a program, if the client sent a key, from the program and its versions
/// after the change. It runs inside the transaction, so it must be quick and pure.
public typealias ProgramKeeper = @Sendable (Program, StandingVersions) -> KeptAnswer?

/// A change of a program.
public struct ProgramChange: Sendable {
    /// The program after the change, except for its revision, which the store raises.
    public let program: Program
    /// The version to publish with the change; `nil` for none.
    public let version: ProgramVersion?
    /// The audit row.
    public let audit: AuditEntry
    /// The access versions that the permission depends on.
    public let grounds: [AccessGround]

    /// Creates a change.
    public init(
        program: Program, version: ProgramVersion? = nil, audit: AuditEntry, under grounds: [AccessGround] = []
    ) {
        self.program = program
        self.version = version
        self.audit = audit
        self.grounds = grounds
    }
}
