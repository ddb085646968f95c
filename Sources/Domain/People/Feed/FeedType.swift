/// The kind of an event in a person's feed. The order is that of importance: a line that stands for several events is
/// told by the first of their types.
public enum FeedType: String, Sendable, CaseIterable {
    /// An outcome of an own record was reached.
    case outcomeReached = "outcome.reached"
    /// A result of an own record was released.
    case resultReleased = "result.released"
    /// A result in a closed class was corrected, which a second person had approved.
    case resultCorrected = "result.corrected"
    /// A figure of an own record changed.
    case figureChanged = "figure.changed"
    /// Something was entered into an own record, changed there, or removed.
    case gradeEntered = "grade.entered"
    /// Staff commented on a result of an own record.
    case commentReceived = "comment.received"
    /// A closed class that one teaches, or in which one is a student, was opened again.
    case classReopened = "class.reopened"
    /// A correction of results in a closed class waits for a registrar's decision.
    case correctionRequested = "correction.requested"
    /// A correction that one asked for was approved or refused.
    case correctionDecided = "correction.decided"
    /// An own record was started.
    case recordStarted = "record.started"
    /// What a person whom one follows shares of a record changed at its head.
    case friendHeadline = "friend.headline"
    /// Another person follows one, or asks to.
    case personFollowed = "person.followed"
    /// One became a member of an institution.
    case membershipGranted = "membership.granted"
    /// An institution published rules of a program.
    case programPublished = "program.published"
    /// An institution announced something.
    case announcementMade = "announcement.made"

    /// The type as a set.
    public var alone: FeedTypes { FeedTypes(rawValue: 1 << bit) }

    /// The stored position; a type keeps it for ever.
    private var bit: Int {
        switch self {
        case .recordStarted: 0
        case .gradeEntered: 1
        case .figureChanged: 2
        case .resultReleased: 3
        case .outcomeReached: 4
        case .programPublished: 5
        case .membershipGranted: 6
        case .personFollowed: 7
        case .friendHeadline: 8
        case .announcementMade: 9
        case .commentReceived: 10
        case .classReopened: 11
        case .resultCorrected: 12
        case .correctionRequested: 13
        case .correctionDecided: 14
        }
    }
}

/// A set of types of events. One change of a record is one event, which may have several types.
public struct FeedTypes: OptionSet, Sendable, Hashable {
    /// The stored number.
    public let rawValue: Int

    /// Creates a set from its stored number; bits that no type has are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates the set of some types.
    public init(_ types: some Sequence<FeedType>) { self = types.reduce(into: []) { $0.formUnion($1.alone) } }

    /// Every type.
    public static let all = FeedTypes(FeedType.allCases)

    /// The types, the most important first.
    public var list: [FeedType] { FeedType.allCases.filter { contains($0.alone) } }

    /// The types of events that enter, correct or show results.
    public static let results = FeedTypes([.resultReleased, .resultCorrected, .gradeEntered])

    /// The types of events of corrections.
    public static let corrections = FeedTypes([.correctionRequested, .correctionDecided])

    /// The types of events of a person's own records.
    public static let own = FeedTypes([
        .outcomeReached, .resultReleased, .resultCorrected, .figureChanged, .gradeEntered, .recordStarted,
    ])
}
