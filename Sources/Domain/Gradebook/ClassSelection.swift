public import Shared

/// Whose classes a list has.
public enum ClassSelection: Sendable, Equatable {
    /// Those in which an account teaches, grades or looks on.
    case taught(by: AccountID)
    /// Those of a program.
    case program(ProgramID)
    /// Those of all programs of an institution.
    case institution(InstitutionID)
}
