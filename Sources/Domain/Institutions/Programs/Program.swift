public import Shared

/// Who enters the scores of a program's records.
public enum EntryPolicy: String, Sendable, CaseIterable {
    /// Students enter their own.
    case own = "self"
    /// Only staff.
    case staff
    /// Both students and staff.
    case both

    /// Whether students enter their own scores.
    public var allowsStudents: Bool { self != .staff }
    /// Whether staff enter scores.
    public var allowsStaff: Bool { self != .own }
}

/// Who gives figures and outcomes of a program's records beside the computed ones.
public enum GivenPolicy: String, Sendable, CaseIterable {
    /// Only registrars.
    case registrar
    /// Registrars and the program's teachers.
    case teacher
}

/// One institution's use of a scheme.
///
/// A draft is edited until it is published as version 1. Each later draft begins as a copy of the newest version and is
/// published as the next one. Each record names the version that judges it.
public struct Program: Sendable, Equatable {
    /// The identifier, which never changes.
    public let id: ProgramID
    /// The institution that owns it.
    public let institution: InstitutionID
    /// The scheme's identifier.
    public let scheme: String
    /// When it was created.
    public let createdAt: Timestamp
    /// The title, 1…200 code points.
    public var title: String
    /// Who enters scores.
    public var entry: EntryPolicy
    /// Who gives figures and outcomes.
    public var given: GivenPolicy
    /// The open draft; `nil` if nothing has changed since the newest version.
    public var draft: ProgramDraft?
    /// The newest published version; `nil` before the first.
    public var newest: Version?
    /// The day from which the newest version is in force.
    public var effectiveFrom: CalendarDay?
    /// The version that judges new records, as the program's document shows it: the newest whose day has come, or the
    /// first if none has; `nil` if nothing is published.
    public var inForce: VersionInForce?
    /// The last number given to a version. Withdrawn versions keep theirs, so that no number ever means two
    /// configurations.
    public var lastNumber: Version
    /// The revision of the program's document; it rises with every change.
    public internal(set) var revision: Revision
    /// The access version; it rises when the entry policy, the policy of giving or the published versions change.
    public internal(set) var accessVersion: Int

    /// Creates a program.
    public init(
        id: ProgramID, institution: InstitutionID, scheme: String, createdAt: Timestamp, title: String,
        entry: EntryPolicy, given: GivenPolicy = .registrar, draft: ProgramDraft?, newest: Version? = nil,
        effectiveFrom: CalendarDay? = nil,
        inForce: VersionInForce? = nil, lastNumber: Version = 0, revision: Revision, accessVersion: Int = 0
    ) {
        self.id = id
        self.institution = institution
        self.scheme = scheme
        self.createdAt = createdAt
        self.title = title
        self.entry = entry
        self.given = given
        self.draft = draft
        self.newest = newest
        self.effectiveFrom = effectiveFrom
        self.inForce = inForce
        self.lastNumber = lastNumber
        self.revision = revision
        self.accessVersion = accessVersion
    }
}

/// The open draft of a program; there is at most one.
public struct ProgramDraft: Sendable, Equatable {
    /// The scheme's preset that it began with; `nil` for the scheme's defaults.
    public let preset: String?
    /// The whole configuration as canonical JSON text, valid for the scheme.
    public let configuration: [UInt8]
    /// When it was last edited.
    public let editedAt: Timestamp

    /// Creates a draft.
    public init(preset: String?, configuration: [UInt8], editedAt: Timestamp) {
        self.preset = preset
        self.configuration = configuration
        self.editedAt = editedAt
    }
}

/// The version that judges new records.
public struct VersionInForce: Sendable, Equatable {
    /// The number of the version.
    public let number: Version
    /// The day from which it is in force.
    public let effectiveFrom: CalendarDay

    /// Creates a version in force.
    public init(number: Version, effectiveFrom: CalendarDay) {
        self.number = number
        self.effectiveFrom = effectiveFrom
    }

    package init(_ version: ProgramVersion) { self.init(number: version.number, effectiveFrom: version.effectiveFrom) }
}
