/// What permissions rest on. Each has a version, which rises when a permission may have been taken away.
public enum AccessSubject: Sendable, Hashable {
    /// An account: its role, its sessions, its memberships.
    case account(AccountID)
    /// An institution: to whom it is open.
    case institution(InstitutionID)
    /// A program: who enters scores, and by which version new records are judged.
    case program(ProgramID)
}
