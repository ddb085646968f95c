public import Shared

/// What publishing does with the records there are.
public enum RecordTreatment: String, Sendable, CaseIterable {
    /// They stay with the version they were judged by.
    case keep
    /// They move to the new one.
    case move
}

/// A published configuration; never altered.
public struct ProgramVersion: Sendable, Equatable {
    /// The program.
    public let program: ProgramID
    /// 1, 2, 3 …
    public let number: Version
    /// The preset it began with.
    public let preset: String?
    /// The whole configuration as canonical JSON text.
    public let configuration: [UInt8]
    /// From which day new records are judged by it.
    public let effectiveFrom: CalendarDay
    /// When it was published.
    public let publishedAt: Timestamp
    /// Who published it; `nil` for the server itself or a deleted account.
    public let publishedBy: AccountID?
    /// What became of the records there were.
    public let records: RecordTreatment
    /// The digest of the rehearsal on which publishing rested; `nil` for none.
    public let rehearsal: String?

    /// A version.
    public init(
        program: ProgramID, number: Version, preset: String?, configuration: [UInt8], effectiveFrom: CalendarDay,
        publishedAt: Timestamp, publishedBy: AccountID?, records: RecordTreatment, rehearsal: String?
    ) {
        self.program = program
        self.number = number
        self.preset = preset
        self.configuration = configuration
        self.effectiveFrom = effectiveFrom
        self.publishedAt = publishedAt
        self.publishedBy = publishedBy
        self.records = records
        self.rehearsal = rehearsal
    }
}
