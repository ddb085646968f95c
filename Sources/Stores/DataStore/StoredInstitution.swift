public import Shared

/// The parts of an institution that a configuration may name.
public struct StoredInstitution: Sendable, Equatable {
    /// The institution's identifier.
    public let id: InstitutionID
    /// The institution's short name.
    public let slug: String
    /// The institution's programs.
    public let programs: Set<ProgramID>

    /// Creates a stored institution.
    public init(id: InstitutionID, slug: String, programs: Set<ProgramID>) {
        self.id = id
        self.slug = slug
        self.programs = programs
    }
}
