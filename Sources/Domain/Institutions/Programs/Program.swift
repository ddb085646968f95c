public import Shared

/// Who writes the scores of a program's records.
public enum EntryPolicy: String, Sendable, CaseIterable {
    /// Students their own.
    case own = "self"
    /// Staff alone.
    case staff
    /// Both.
    case both

    /// Whether students write their own scores.
    public var allowsStudents: Bool { self != .staff }
    /// Whether staff write scores.
    public var allowsStaff: Bool { self != .own }
}

/// One institution's use of a scheme.
///
/// Its life: a draft is edited until it is published as version 1; later drafts begin as a copy of the newest
/// version and are published as the next. Records say by which version they are judged.
public struct Program: Sendable, Equatable {
    /// Names it for ever.
    public let id: ProgramID
    /// Whose it is.
    public let institution: InstitutionID
    /// The scheme's identifier.
    public let scheme: String
    /// When it was made.
    public let createdAt: Timestamp
    /// The name people read, 1…200 code points.
    public var title: String
    /// Who writes scores.
    public var entry: EntryPolicy
    /// What is being worked on; `nil` when nothing has changed since the newest version.
    public var draft: ProgramDraft?
    /// The newest published version; `nil` before the first.
    public var newest: Version?
    /// From which day the newest version holds.
    public var effectiveFrom: CalendarDay?
    /// The version by which new records are judged, as the program's document tells it: the newest whose day has come,
    /// or the first while none has; `nil` before the first.
    public var inForce: VersionInForce?
    /// The last number that was given to a version. Withdrawn versions keep theirs, so that none ever stands for two
    /// configurations.
    public var lastNumber: Version
    /// The place in time of the program's document; it rises with every change.
    public internal(set) var revision: Revision
    /// Rises when others enter scores than before, and when new records are judged by another version.
    public internal(set) var accessVersion: Int

    /// A program.
    public init(
        id: ProgramID, institution: InstitutionID, scheme: String, createdAt: Timestamp, title: String,
        entry: EntryPolicy, draft: ProgramDraft?, newest: Version? = nil, effectiveFrom: CalendarDay? = nil,
        inForce: VersionInForce? = nil, lastNumber: Version = 0, revision: Revision, accessVersion: Int = 0
    ) {
        self.id = id
        self.institution = institution
        self.scheme = scheme
        self.createdAt = createdAt
        self.title = title
        self.entry = entry
        self.draft = draft
        self.newest = newest
        self.effectiveFrom = effectiveFrom
        self.inForce = inForce
        self.lastNumber = lastNumber
        self.revision = revision
        self.accessVersion = accessVersion
    }
}

/// The one open draft of a program.
public struct ProgramDraft: Sendable, Equatable {
    /// The scheme's preset it began with; `nil` for the scheme's own defaults.
    public let preset: String?
    /// The whole configuration as canonical JSON text, valid for the scheme.
    public let configuration: [UInt8]
    /// When it was last edited.
    public let editedAt: Timestamp

    /// A draft.
    public init(preset: String?, configuration: [UInt8], editedAt: Timestamp) {
        self.preset = preset
        self.configuration = configuration
        self.editedAt = editedAt
    }
}

/// Which version new records are judged by.
public struct VersionInForce: Sendable, Equatable {
    /// The version.
    public let number: Version
    /// From which day it holds.
    public let effectiveFrom: CalendarDay

    /// A version in force.
    public init(number: Version, effectiveFrom: CalendarDay) {
        self.number = number
        self.effectiveFrom = effectiveFrom
    }

    init(_ version: ProgramVersion) { self.init(number: version.number, effectiveFrom: version.effectiveFrom) }
}
