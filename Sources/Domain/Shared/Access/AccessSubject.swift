/// A subject that permissions depend on. Each has a version, which rises with every change that may take away a
/// permission.
public enum AccessSubject: Sendable, Hashable {
    /// An account, for its role, sessions and memberships.
    case account(AccountID)
    /// An institution, for the people it is open to.
    case institution(InstitutionID)
    /// A program, for who enters scores and for the version that judges new records.
    case program(ProgramID)
}
