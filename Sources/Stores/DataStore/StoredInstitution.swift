public import Shared

/// The parts of an institution that a configuration may name.
public struct StoredInstitution: Sendable, Equatable {
    /// The institution's identifier.
    public let id: InstitutionID
    /// The institution's programs.
    public let programs: Set<ProgramID>

    /// Creates a stored institution.
    public init(id: InstitutionID, programs: Set<ProgramID>) {
        self.id = id
        self.programs = programs
    }
}
