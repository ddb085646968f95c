public import Shared

/// What a configuration may name of an institution.
public struct StoredInstitution: Sendable, Equatable {
    /// Its identifier.
    public let id: InstitutionID
    /// Its programs.
    public let programs: Set<ProgramID>

    /// An institution.
    public init(id: InstitutionID, programs: Set<ProgramID>) {
        self.id = id
        self.programs = programs
    }
}
