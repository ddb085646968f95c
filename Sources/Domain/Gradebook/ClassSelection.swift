public import Shared

/// The classes in a list.
public enum ClassSelection: Sendable, Equatable {
    /// The classes in which an account teaches, grades or observes.
    case taught(by: AccountID)
    /// The classes of a program.
    case program(ProgramID)
    /// The classes of all programs of an institution.
    case institution(InstitutionID)
}
