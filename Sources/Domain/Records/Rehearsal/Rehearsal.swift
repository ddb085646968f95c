public import GradingKit
public import Shared

/// A dry run of a program's draft, or of another build of its scheme, over the program's records: it finds what would
/// differ.
public struct Rehearsal: Sendable, Equatable {
    /// The state of a rehearsal.
    public enum State: String, Sendable {
        /// Its records are being compared or are waiting.
        case running
        /// Every record was compared; the digest identifies the result.
        case done
        /// It was stopped, or a newer rehearsal replaced it.
        case cancelled
        /// It could not finish, for example because another build of the scheme runs by now.
        case failed
    }

    /// The identifier, unique among the rehearsals of all programs.
    public let id: String
    /// The program that is rehearsed.
    public let program: ProgramID
    /// What is compared.
    public let basis: RehearsalBasis
    /// When it was begun.
    public let startedAt: Timestamp
    /// The current state.
    public var state: State
    /// 64 hexadecimal digits that identify both configurations and the version of every record; `nil` until it is done.
    public var digest: String?
    /// The number of records compared.
    public var done = 0
    /// The number of records when it began.
    public var total = 0
    /// The number of differences.
    public var counts = RehearsalCounts()

    /// Creates a rehearsal that is about to begin.
    public init(id: String, program: ProgramID, basis: RehearsalBasis, startedAt: Timestamp) {
        self.id = id
        self.program = program
        self.basis = basis
        self.startedAt = startedAt
        state = .running
    }
}

/// The two sides of a rehearsal: the stored standings, and those that the draft or the current build would compute.
public struct RehearsalBasis: Sendable, Equatable {
    /// The subject of a rehearsal.
    public enum Subject: String, Sendable, CaseIterable {
        /// The program's draft, over all records.
        case draft
        /// The current build of the scheme, over the records that another build computed.
        case executable
    }

    /// The subject of the rehearsal.
    public let subject: Subject
    /// The build that judges, if the scheme runs in a process of its own; otherwise `nil`.
    public let executable: SchemeExecutable?
    /// The newest published version; `nil` if the program was never published.
    public let published: Version?
    /// The configuration of the newest version as canonical JSON text; empty if there is none.
    public let publishedConfiguration: [UInt8]
    /// The configuration of the draft as canonical JSON text; empty if the subject is a build.
    public let proposedConfiguration: [UInt8]

    /// Creates a basis.
    public init(
        _ subject: Subject = .draft, by executable: SchemeExecutable? = nil, published: Version?,
        publishedConfiguration: [UInt8], proposedConfiguration: [UInt8]
    ) {
        self.subject = subject
        self.executable = executable
        self.published = published
        self.publishedConfiguration = publishedConfiguration
        self.proposedConfiguration = proposedConfiguration
    }
}

/// The number of differences that a rehearsal found.
public struct RehearsalCounts: Sendable, Equatable {
    /// Figures with a different value or text.
    public var figures = 0
    /// Entries with a different letter.
    public var letters = 0
    /// Outcomes with a different state.
    public var outcomes = 0
    /// Thresholds crossed: figures in a different band, such as a colour, and outcomes that keep their state but gain
    /// or lose a reason.
    public var bars = 0
    /// Records with at least one difference.
    public var records = 0
    /// Records that the draft cannot judge; a move would leave them on their version.
    public var refused = 0
    /// Values, and entries with all that stands in them, for which the draft has no place.
    public var lost = 0
    /// Records in which something of a closed class would change. They move only if closed classes are judged again.
    public var closed = 0

    /// Creates counts of zero.
    public init() {}
}
