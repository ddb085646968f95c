import Cryptography
import GradingKit
public import Shared

/// A change of a record that its student can see, as the log of changes has it.
public struct RecordFact: Sendable, Equatable {
    /// Its place in the log.
    public let change: Int
    /// The place of the last change before it that the student could see; `nil` for the first one.
    public var former: Int?
    /// The record.
    public let record: RecordID
    /// The institution that the record belongs to.
    public let institution: InstitutionID
    /// The program that the record belongs to.
    public let program: ProgramID
    /// The student.
    public let student: AccountID
    /// When it was made.
    public let at: Timestamp
    /// The version of the released view that it made.
    public let version: Version
    /// The operation in the student's history.
    public let operation: String
    /// The figures after it, as the student sees them, as JSON text.
    public let figures: [UInt8]
    /// The figures before it.
    public var formerFigures: [UInt8]?
    /// Its link in the chain of the record's trail.
    public let link: [UInt8]

    /// Creates a fact.
    public init(
        change: Int, former: Int?, record: RecordID, institution: InstitutionID, program: ProgramID,
        student: AccountID, at moment: Timestamp, version: Version, operation: String, figures: [UInt8],
        formerFigures: [UInt8]?, link: [UInt8]
    ) {
        self.change = change
        self.former = former
        self.record = record
        self.institution = institution
        self.program = program
        self.student = student
        at = moment
        self.version = version
        self.operation = operation
        self.figures = figures
        self.formerFigures = formerFigures
        self.link = link
    }

    /// The operations of jobs over a whole program.
    private static let ofJobs: Set<String> = ["move", "recompute", "release"]
    /// The operations that judge a record by other rules and enter nothing.
    private static let judgements: Set<String> = ["move", "recompute"]

    /// The operation of what a class does to a record. Which results it entered, the class's ledger says.
    private static let ofClass = "class"

    /// Returns the event of the change.
    ///
    /// - Parameter reachesOutcome: Whether an outcome of the record was reached by it.
    public func event(reachesOutcome: Bool) -> FeedEvent {
        event(types(reachesOutcome: reachesOutcome), after: former, places: [change], count: 1)
    }

    /// Returns the event of the last change of a burst.
    func event(_ types: FeedTypes, after former: Int?, places: [Int], count: Int) -> FeedEvent {
        FeedEvent(
            id: FeedEvent.id(of: link), in: .account(student), types, at: at, object: record.text,
            institution: institution, program: program, version: version, change: change, former: former,
            isJob: isJob, count: count, places: places)
    }

    /// Returns the types of the event; none if the change is no news.
    func types(reachesOutcome: Bool) -> FeedTypes {
        var types: FeedTypes = reachesOutcome ? FeedType.outcomeReached.alone : []
        if version == 1 {
            types.formUnion(FeedType.recordStarted.alone)
        } else if operation == "release" {
            types.formUnion(FeedType.resultReleased.alone)
        } else if !Self.judgements.contains(operation), !isOfClass {
            types.formUnion(FeedType.gradeEntered.alone)
        }
        if let formerFigures, formerFigures != figures {
            types.formUnion(FeedType.figureChanged.alone)
            if Self.headline(formerFigures) != Self.headline(figures) {
                types.formUnion(FeedType.friendHeadline.alone)
            }
        }
        return types
    }

    /// Whether a job over a whole program made the change.
    var isJob: Bool { Self.ofJobs.contains(operation) }
    /// Whether a class made the change: its acts make events of their own, of the same moment.
    var isOfClass: Bool { operation == Self.ofClass }

    /// Returns the bytes of the first figure of the scheme with its text; empty for none. All figures are written by the
    /// same writer, so that equal ones have equal bytes.
    private static func headline(_ figures: [UInt8]) -> ArraySlice<UInt8> {
        let start = figures.index(after: figures.startIndex)
        guard figures.first == UInt8(ascii: "{"), start < figures.endIndex else { return [] }
        var (isInText, isEscaped) = (false, false)
        for index in start..<figures.endIndex {
            let byte = figures[index]
            if isEscaped {
                isEscaped = false
            } else if isInText {
                isEscaped = byte == UInt8(ascii: "\\")
                isInText = byte != UInt8(ascii: "\"")
            } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
                return figures[start..<index]
            } else {
                isInText = byte == UInt8(ascii: "\"")
            }
        }
        return []
    }
}

/// A line of an audit trail that may be news for people.
public struct AuditFact: Sendable {
    /// The institution whose trail it is; `nil` for the server's own.
    public let institution: InstitutionID?
    /// When the action happened.
    public let at: Timestamp
    /// The account that acted; `nil` for the server itself.
    public let account: AccountID?
    /// The action.
    public let action: String
    /// The identifier of its object.
    public let subject: String
    /// The particulars as JSON text; `nil` if there are none, or if they were erased.
    public let detail: [UInt8]?
    /// Its link in the chain of the trail.
    public let link: [UInt8]

    /// Creates a fact.
    public init(
        institution: InstitutionID?, at moment: Timestamp, account: AccountID?, action: String, subject: String,
        detail: [UInt8]?, link: [UInt8]
    ) {
        self.institution = institution
        at = moment
        self.account = account
        self.action = action
        self.subject = subject
        self.detail = detail
        self.link = link
    }

    /// The actions that make events.
    public static let actions = [
        "program.published", "member.added", "member.granted", "person.followed", "announcement.made",
        "comment.written", "class.reopened",
    ]

    /// The event that the line makes; `nil` if it makes none.
    public var event: FeedEvent? {
        let id = FeedEvent.id(of: link)
        switch action {
        case "program.published":
            return institution.map {
                FeedEvent(
                    id: id, in: .institution($0), FeedType.programPublished.alone, at: at, object: subject,
                    institution: $0, program: ProgramID(subject))
            }
        case "member.added", "member.granted":
            return institution.map {
                FeedEvent(
                    id: id, in: .account(AccountID(subject)), FeedType.membershipGranted.alone, at: at,
                    object: $0.text, institution: $0)
            }
        case "person.followed":
            guard let account, let other = detail.flatMap({ try? JSON.parse($0) })?["person"]?.string else {
                return nil
            }
            return FeedEvent(
                id: id, in: .account(AccountID(other)), FeedType.personFollowed.alone, at: at, actor: account)
        case "comment.written":
            guard let detail = detail.flatMap({ try? JSON.parse($0) }), let comment = detail["comment"]?.string else {
                return nil
            }
            return FeedEvent(
                id: id, in: .account(AccountID(subject)), FeedType.commentReceived.alone, at: at, object: comment,
                institution: institution, program: detail["program"]?.string.map { ProgramID($0) })
        case "class.reopened":
            guard let detail = detail.flatMap({ try? JSON.parse($0) }), let taught = detail["class"]?.string else {
                return nil
            }
            return FeedEvent(
                id: id, in: .account(AccountID(subject)), FeedType.classReopened.alone, at: at, object: taught,
                institution: institution, program: detail["program"]?.string.map { ProgramID($0) })
        case "announcement.made":
            return institution.map {
                FeedEvent(
                    id: id, in: .institution($0), FeedType.announcementMade.alone, at: at, object: subject,
                    institution: $0)
            }
        default: return nil
        }
    }
}

extension FeedEvent {
    /// Returns the identifier of the event that a change makes, given the change's link in its chain: always the same
    /// one, and it tells nothing of other changes.
    static func id(of link: [UInt8]) -> String { Base64.url.encode(Array(link.prefix(12))) }
}
