import Cryptography
import GradingKit
public import Shared

/// A change of a record that its student can see, as the log of changes has it.
public struct RecordFact: Sendable {
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
        let isChanged = formerFigures != figures
        var types: FeedTypes = reachesOutcome ? FeedType.outcomeReached.alone : []
        if version == 1 {
            types.formUnion(FeedType.recordStarted.alone)
        } else if operation == "release" {
            types.formUnion(FeedType.resultReleased.alone)
        } else if !Self.judgements.contains(operation), operation != Self.ofClass {
            types.formUnion(FeedType.gradeEntered.alone)
        }
        if let formerFigures, isChanged {
            types.formUnion(FeedType.figureChanged.alone)
            if Self.headline(formerFigures) != Self.headline(figures) {
                types.formUnion(FeedType.friendHeadline.alone)
            }
        }
        return FeedEvent(
            id: FeedEvent.id(of: link), in: .account(student), types, at: at, object: record.text,
            institution: institution, program: program, version: version, change: change, former: former,
            isJob: Self.ofJobs.contains(operation))
    }

    /// Returns the first figure of the scheme with its text; `nil` for none.
    private static func headline(_ figures: [UInt8]) -> JSONObject.Member? {
        ((try? JSON.parse(figures))?.object ?? JSONObject()).first { _ in true }
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

/// The position that a projector has reached in the three logs.
public struct FeedProgress: Sendable, Equatable {
    /// The place of the last change of a record.
    public let changes: Int
    /// The place of the last line of an audit trail.
    public let audit: Int
    /// The place of the last line of a class's ledger.
    public let classes: Int

    /// Creates a position.
    public init(changes: Int, audit: Int, classes: Int) {
        self.changes = changes
        self.audit = audit
        self.classes = classes
    }
}

/// A slice of the logs behind a position.
public struct FeedSlice: Sendable {
    /// The position from which it was read.
    public let from: FeedProgress
    /// The position behind it.
    public let to: FeedProgress
    /// Whether the logs may have more behind it.
    public let isFull: Bool
    /// The changes of records that their students can see, in order.
    public let records: [RecordFact]
    /// The lines of the trails, in order.
    public let audit: [AuditFact]
    /// The acts of classes, in order: those that changed, showed or hid results before students' eyes, and corrections.
    public let classes: [ClassFact]
    /// For each changed record, its standing now as the student sees it, and the outcomes known to be met; `nil` for a
    /// record that was not looked at before.
    public let standings: [RecordID: (standing: [UInt8], met: Set<String>?)]

    /// Creates a slice.
    public init(
        from: FeedProgress, to: FeedProgress, isFull: Bool = false, records: [RecordFact], audit: [AuditFact],
        classes: [ClassFact], standings: [RecordID: (standing: [UInt8], met: Set<String>?)]
    ) {
        self.from = from
        self.to = to
        self.isFull = isFull
        self.records = records
        self.audit = audit
        self.classes = classes
        self.standings = standings
    }

    /// Returns the events of the slice, and the outcomes met by each record whose outcomes changed. A change that is
    /// no news, such as a calculation that moved no figure, makes no event.
    ///
    /// An outcome counts as reached by the last change of its record in the slice. Of a record that was not looked at
    /// before, outcomes count from its beginning only if that is in the slice.
    public func projected() -> (events: [FeedEvent], met: [RecordID: Set<String>]) {
        var (last, begun): ([RecordID: Int], Set<RecordID>) = ([:], [])
        for (index, fact) in records.enumerated() {
            last[fact.record] = index
            if fact.version == 1 { begun.insert(fact.record) }
        }
        var (met, reaching): ([RecordID: Set<String>], Set<Int>) = ([:], [])
        for (record, found) in standings {
            let now = Self.met(in: found.standing)
            if now != found.met { met[record] = now }
            let known = found.met ?? (begun.contains(record) ? [] : now)
            if !now.isSubset(of: known), let index = last[record] { reaching.insert(index) }
        }
        let events = records.enumerated().map { $1.event(reachesOutcome: reaching.contains($0)) }
        return (
            events.filter { !$0.types.isEmpty } + audit.compactMap(\.event) + classes.compactMap(\.event), met
        )
    }

    /// Returns the names of the outcomes that a standing has met.
    public static func met(in standing: [UInt8]) -> Set<String> {
        let outcomes = ((try? JSON.member("outcomes", of: standing)) ?? nil)?.object ?? JSONObject()
        return Set(outcomes.filter { $0.value["state"]?.string == "met" }.map(\.name))
    }
}
