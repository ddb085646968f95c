public import Shared

/// Whose record it is and which rules judge it.
public struct RecordHead: Sendable, Equatable {
    /// The record.
    public let id: RecordID
    /// The tenant.
    public let institution: InstitutionID
    /// The program whose rules apply.
    public let program: ProgramID
    /// The published version of the program by which the record is judged.
    public let programVersion: Version
    /// The student; `nil` after the account was deleted.
    public let student: AccountID?
    /// When the record was created.
    public let createdAt: Timestamp

    /// A record's head.
    public init(
        id: RecordID, institution: InstitutionID, program: ProgramID, programVersion: Version, student: AccountID?,
        createdAt: Timestamp
    ) {
        self.id = id
        self.institution = institution
        self.program = program
        self.programVersion = programVersion
        self.student = student
        self.createdAt = createdAt
    }
}
