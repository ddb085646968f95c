import Cryptography
public import Shared

/// A log of the store that tells of events.
public enum WebhookLog: String, Sendable, CaseIterable {
    /// The versions of records.
    case changes
    /// The audit trails.
    case audit
    /// The ledgers of classes.
    case classes
}

/// The places that a webhook has reached in the logs.
public struct WebhookProgress: Sendable, Hashable {
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

    /// Returns whether the position lies behind another in no log.
    public func isUpTo(_ other: WebhookProgress) -> Bool {
        changes <= other.changes && audit <= other.audit && classes <= other.classes
    }
}

/// A line of a log that is an event.
public struct WebhookFact: Sendable, Equatable {
    /// The event.
    public let event: WebhookEvent
    /// The institution.
    public let institution: InstitutionID
    /// The program; `nil` for an event of none.
    public let program: ProgramID?
    /// What the event is about: events of one subject are delivered in order.
    public let subject: WebhookSubject
    /// The log.
    public let log: WebhookLog
    /// The place of the line in the log.
    public let place: Int
    /// When it happened.
    public let at: Timestamp
    /// The link of the line in the chain of its trail.
    public let link: [UInt8]

    /// Creates a fact.
    public init(
        _ event: WebhookEvent, in institution: InstitutionID, of program: ProgramID?, about subject: WebhookSubject,
        in log: WebhookLog, at place: Int, on moment: Timestamp, link: [UInt8]
    ) {
        self.event = event
        self.institution = institution
        self.program = program
        self.subject = subject
        self.log = log
        self.place = place
        at = moment
        self.link = link
    }

    /// Returns the identifier of the message that tells a webhook of the fact: always the same one, even after the store
    /// was restored from a backup, so that a receiver recognizes what it has.
    public func message(to webhook: WebhookID) -> String {
        "msg_" + Base64.url.encode(Array(SHA256.hash(Array("\(webhook)\0".utf8) + link).prefix(21)))
    }
}

/// What an event is about.
public struct WebhookSubject: Sendable, Hashable {
    /// The kind of thing.
    public enum Kind: String, Sendable, CaseIterable {
        case record
        case program
        case member
        case taughtClass = "class"
    }

    /// The kind of thing.
    public let kind: Kind
    /// Its identifier; of a member, the account's.
    public let id: String

    /// Names a subject.
    public init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    /// Reads a subject as it is stored.
    public init?(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, String(parts[1]))
    }

    /// The subject as it is stored.
    public var text: String { "\(kind.rawValue)/\(id)" }
}

/// A slice of the logs behind a position.
public struct WebhookSlice: Sendable {
    /// The position from which it was read.
    public let from: WebhookProgress
    /// The position behind it.
    public let to: WebhookProgress
    /// Whether the logs may have more behind it.
    public let isFull: Bool
    /// The events, those of each subject in order.
    public let facts: [WebhookFact]

    /// Creates a slice.
    public init(from: WebhookProgress, to: WebhookProgress, isFull: Bool, facts: [WebhookFact]) {
        self.from = from
        self.to = to
        self.isFull = isFull
        self.facts = facts
    }
}

/// An event on its way to a webhook. It holds no more than where the event is found, so that what is erased from the
/// logs is not sent.
public struct WebhookDelivery: Sendable, Equatable {
    /// Whether a delivery is tried, or was given up.
    public enum State: String, Sendable, CaseIterable {
        case waiting
        case failed
    }

    /// Its number in the queue of the webhook; deliveries of one subject go in the order of their numbers.
    public let number: Int
    /// The identifier of the message, the same for every attempt.
    public let message: String
    /// The event.
    public let event: WebhookEvent
    /// What it is about.
    public let subject: WebhookSubject
    /// The log that tells of it.
    public let log: WebhookLog
    /// Its place there.
    public let place: Int
    /// When it happened.
    public let at: Timestamp
    /// When it joined the queue.
    public let queuedAt: Timestamp
    /// When it is tried next; `nil` behind another one of its subject, and after it was given up.
    public var dueAt: Timestamp?
    /// The number of attempts.
    public var attempts: Int
    /// The outcome of the last attempt.
    public var failure: WebhookFailure?
    /// When it was given up; `nil` while it waits.
    public var failedAt: Timestamp?

    /// Creates a delivery as it is stored.
    public init(
        number: Int, message: String, event: WebhookEvent, subject: WebhookSubject, log: WebhookLog, place: Int,
        at moment: Timestamp, queuedAt: Timestamp, dueAt: Timestamp?, attempts: Int, failure: WebhookFailure?,
        failedAt: Timestamp?
    ) {
        self.number = number
        self.message = message
        self.event = event
        self.subject = subject
        self.log = log
        self.place = place
        at = moment
        self.queuedAt = queuedAt
        self.dueAt = dueAt
        self.attempts = attempts
        self.failure = failure
        self.failedAt = failedAt
    }
}

/// What the logs tell of an event beyond where it is found.
public struct WebhookParticulars: Sendable, Equatable {
    /// The program; `nil` if there is none, or it is not known any more.
    public var program: ProgramID?
    /// The student of a record; `nil` if the account was deleted.
    public var student: AccountID?
    /// The version that the event made, of the record, the program or the class.
    public var version: Version?
    /// The operation or the action.
    public var act: String
    /// The entry of a record, if the change concerns one alone.
    public var entry: String?
    /// The names of the record's own figures that changed, sorted; `nil` for another event.
    public var figures: [String]?

    /// Creates particulars.
    public init(
        program: ProgramID? = nil, student: AccountID? = nil, version: Version? = nil, act: String,
        entry: String? = nil, figures: [String]? = nil
    ) {
        self.program = program
        self.student = student
        self.version = version
        self.act = act
        self.entry = entry
        self.figures = figures
    }
}
