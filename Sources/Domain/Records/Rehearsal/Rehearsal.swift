public import GradingKit
public import Shared

/// A dry run over the records of a program, of its draft or of another build of its scheme: what would be seen otherwise.
public struct Rehearsal: Sendable, Equatable {
    /// How it stands.
    public enum State: String, Sendable {
        /// Records are still being compared, or wait to be.
        case running
        /// Every record was compared; the digest stands for it.
        case done
        /// It was stopped, or another one was begun.
        case cancelled
        /// It could not be finished, such as when another build of the scheme runs by now.
        case failed
    }

    /// Names it among the rehearsals of all programs.
    public let id: String
    /// Whose draft is rehearsed.
    public let program: ProgramID
    /// What is compared with what.
    public let basis: RehearsalBasis
    /// When it was begun.
    public let startedAt: Timestamp
    /// How it stands.
    public var state: State
    /// 64 hexadecimal digits that stand for both configurations and every (record, version); `nil` until it is done.
    public var digest: String?
    /// How many records were compared.
    public var done = 0
    /// How many there were when it began.
    public var total = 0
    /// How much is seen otherwise.
    public var counts = RehearsalCounts()

    /// A rehearsal that is about to begin.
    public init(id: String, program: ProgramID, basis: RehearsalBasis, startedAt: Timestamp) {
        self.id = id
        self.program = program
        self.basis = basis
        self.startedAt = startedAt
        state = .running
    }
}

/// What a rehearsal compares: how records stand, with how the draft, or the build that runs now, would judge them.
public struct RehearsalBasis: Sendable, Equatable {
    /// What is rehearsed.
    public enum Subject: String, Sendable, CaseIterable {
        /// The program's draft, over every record.
        case draft
        /// The build of the scheme that runs now, over the records that another one has computed.
        case executable
    }

    /// What is rehearsed.
    public let subject: Subject
    /// The build that judges, where the scheme runs in a process of its own.
    public let executable: SchemeExecutable?
    /// The newest published version; `nil` for a program that was never published.
    public let published: Version?
    /// The newest version's configuration as canonical JSON text; empty before the first.
    public let publishedConfiguration: [UInt8]
    /// The draft's configuration as canonical JSON text; empty for another build.
    public let proposedConfiguration: [UInt8]

    /// A basis.
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

/// How much is seen otherwise.
public struct RehearsalCounts: Sendable, Equatable {
    /// Figures with another value or another text.
    public var figures = 0
    /// Entries with another letter.
    public var letters = 0
    /// Outcomes in another state.
    public var outcomes = 0
    /// Bars crossed: figures that stand in another band, such as a colour, and reasons that came or went for outcomes
    /// that stay as they are.
    public var bars = 0
    /// Records in which anything is seen otherwise.
    public var records = 0
    /// Records that the draft cannot judge; they would keep their version.
    public var refused = 0

    /// Nothing is seen otherwise.
    public init() {}
}
