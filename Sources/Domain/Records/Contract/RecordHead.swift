public import Shared

/// The owner of a record and the rules that judge it.
public struct RecordHead: Sendable, Equatable {
    /// The identifier of the record.
    public let id: RecordID
    /// The institution that the record belongs to.
    public let institution: InstitutionID
    /// The program whose rules apply.
    public let program: ProgramID
    /// The published version of the program that judges the record.
    public let programVersion: Version
    /// The student; `nil` after the account was deleted.
    public let student: AccountID?
    /// When the record was created.
    public let createdAt: Timestamp

    /// Creates the head of a record.
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
