public import Shared

/// What publishing a version does with the existing records.
public enum RecordTreatment: String, Sendable, CaseIterable {
    /// They stay with their version.
    case keep
    /// They move to the new version, unless something of a closed class would change.
    case move
    /// They move to the new version; closed classes are judged again, too.
    case moveClosed = "move_closed"

    /// Whether records move.
    public var isMove: Bool { self != .keep }
}

/// A published configuration, which never changes.
public struct ProgramVersion: Sendable, Equatable {
    /// The program.
    public let program: ProgramID
    /// The number of the version: 1, 2, 3 …
    public let number: Version
    /// The preset that it began with; `nil` for the scheme's defaults.
    public let preset: String?
    /// The whole configuration as canonical JSON text.
    public let configuration: [UInt8]
    /// The day from which it judges new records.
    public let effectiveFrom: CalendarDay
    /// When it was published.
    public let publishedAt: Timestamp
    /// Who published it; `nil` for the server itself or a deleted account.
    public let publishedBy: AccountID?
    /// What its publication did with the existing records.
    public let records: RecordTreatment
    /// The digest of the rehearsal before publication; `nil` if there was none.
    public let rehearsal: String?

    /// Creates a version.
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
