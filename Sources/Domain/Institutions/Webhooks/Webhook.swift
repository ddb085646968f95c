import Cryptography
import GradingKit
public import Shared

/// An address to which an institution's events are sent.
public struct Webhook: Sendable, Equatable {
    /// What a message tells of its object.
    public enum Content: String, Sendable, CaseIterable {
        /// Identifiers and versions.
        case ids
        /// The record as staff see it, as well.
        case document
    }

    /// The reason why the server itself turned a webhook off.
    public enum Stop: String, Sendable {
        /// The receiver answered 410: it does not want messages any more.
        case gone
    }

    /// The maximum number of webhooks of an institution.
    public static let capacity = 20
    /// The maximum number of code points of a title.
    public static let longestTitle = 60
    /// The maximum number of characters of an address.
    public static let longestURL = 2_000
    /// The time in seconds during which messages are also signed with the secret that a new one replaced.
    public static let overlap: Int64 = 86_400
    /// The maximum number of deliveries that wait. At this number the webhook reads no further in the logs, which keep
    /// everything until it does.
    public static let mostWaiting = 2_000
    /// The maximum number of dead letters. At this number deliveries go on waiting instead.
    public static let mostFailed = 10_000
    /// The maximum number of dead letters that are sent again by one order.
    public static let mostResent = 200
    /// The maximum number of deliveries that are given up at once.
    static let mostGivenUp = 200
    /// The longest pause in seconds before a delivery is tried again. A later moment comes from a clock that was wrong.
    public static let longestPause: Int64 = 8 * 3_600
    /// The longest time in seconds for which a webhook is paused. A later moment comes from a clock that was wrong.
    public static let longestRest: Int64 = 75 * 60
    /// The time in seconds that dead letters are kept.
    public static let memory: Int64 = 30 * 86_400

    /// The identifier.
    public let id: WebhookID
    /// The institution whose events are sent.
    public let institution: InstitutionID
    /// The title in lists.
    public var title: String
    /// The address.
    public var url: String
    /// The events that are sent.
    public var events: Set<WebhookEvent>
    /// The only program whose events are sent; `nil` for all of the institution.
    public var program: ProgramID?
    /// What messages tell.
    public var content: Content
    /// Whether messages are sent.
    public var isEnabled: Bool
    /// Why the server turned it off; `nil` if it did not.
    public var stop: Stop?
    /// When it was created.
    public let createdAt: Timestamp
    /// The secrets that sign messages.
    public var secrets: WebhookSecrets
    /// How deliveries have gone.
    public var condition = WebhookCondition()

    /// Creates a webhook.
    public init(
        id: WebhookID, institution: InstitutionID, title: String, url: String, events: Set<WebhookEvent>,
        program: ProgramID?, content: Content, isEnabled: Bool, stop: Stop? = nil, createdAt: Timestamp,
        secrets: WebhookSecrets, condition: WebhookCondition = WebhookCondition()
    ) {
        self.id = id
        self.institution = institution
        self.title = title
        self.url = url
        self.events = events
        self.program = program
        self.content = content
        self.isEnabled = isEnabled
        self.stop = stop
        self.createdAt = createdAt
        self.secrets = secrets
        self.condition = condition
    }

    /// Returns whether the webhook wants a fact of its institution.
    public func wants(_ fact: WebhookFact) -> Bool {
        fact.institution == institution && wants(fact.event, of: fact.program)
    }

    /// Returns whether the webhook wants events of a kind and a program.
    public func wants(_ event: WebhookEvent, of program: ProgramID?) -> Bool {
        events.contains(event) && (self.program == nil || self.program == program)
    }

    /// The settings as JSON text for the audit trail. The path of an address may contain a password, so the trail has only
    /// its host, and a digest that shows whether the address changed.
    var auditText: [UInt8] {
        JSON.object([
            "title": .string(title), "host": .string(host),
            "digest": .string(Base64.url.encode(Array(SHA256.hash(Array(url.utf8)).prefix(9)))),
            "events": .array(sortedEvents), "program": program.map { .string($0.text) } ?? .null,
            "content": .string(content.rawValue), "enabled": .bool(isEnabled),
        ]).bytes
    }

    private var sortedEvents: [JSON] { events.map(\.rawValue).sorted().map { .string($0) } }

    private var host: String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        return String(url[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    /// The webhook with the host of its address alone, for those who may not manage it: the rest may be a secret.
    public var withoutPath: Webhook {
        var webhook = self
        webhook.url = (url.firstRange(of: "://").map { url[..<$0.upperBound] } ?? "") + host
        return webhook
    }
}

/// A kind of event. Each is told by one line of one log, in the order of that log.
public enum WebhookEvent: String, Sendable, CaseIterable {
    /// A record was created.
    case recordCreated = "record.created"
    /// A record has a new version.
    case recordChanged = "record.changed"
    /// A record was deleted.
    case recordEnded = "record.ended"
    /// A version of a program was published.
    case programPublished = "program.published"
    /// A membership began.
    case memberAdded = "member.added"
    /// A membership has another role, other programs, or another student number.
    case memberChanged = "member.changed"
    /// A membership ended.
    case memberRemoved = "member.removed"
    /// An act changed a class, its rows or its structure.
    case classChanged = "class.changed"

    /// The type of the message that tries an address.
    public static let test = "webhook.test"
}

/// The secrets of a webhook, each sealed under a key that is not in the store.
public struct WebhookSecrets: Sendable, Equatable {
    /// The secret.
    public let current: [UInt8]
    /// The secret before it.
    public let former: [UInt8]?
    /// Until when the former secret signs as well.
    public let formerUntil: Timestamp?

    /// Creates the secrets as they are stored.
    public init(current: [UInt8], former: [UInt8]? = nil, formerUntil: Timestamp? = nil) {
        self.current = current
        self.former = former
        self.formerUntil = formerUntil
    }

    /// Returns the sealed secrets that sign at a moment, the current one first.
    public func signing(at now: Timestamp) -> [[UInt8]] {
        guard let former, let formerUntil, now < formerUntil else { return [current] }
        return [current, former]
    }

    /// Returns the secrets after a rotation.
    func rotated(to sealed: [UInt8], at now: Timestamp) -> WebhookSecrets {
        WebhookSecrets(current: sealed, former: current, formerUntil: now.adding(seconds: Webhook.overlap))
    }
}

/// How the deliveries of a webhook have gone.
public struct WebhookCondition: Sendable, Equatable {
    /// The failed attempt that was the last one.
    public struct Refusal: Sendable, Equatable {
        /// When.
        public let at: Timestamp
        /// Why.
        public let reason: WebhookFailure

        /// Creates a refusal.
        public init(at moment: Timestamp, reason: WebhookFailure) {
            at = moment
            self.reason = reason
        }
    }

    /// The number of failed attempts in a row that concern the receiver.
    public var failures = 0
    /// Since when the receiver has counted as down; `nil` if it does not.
    public var downSince: Timestamp?
    /// When the next attempt may be made, after the receiver failed or asked for a pause.
    public var resumesAt: Timestamp?
    /// When the receiver last accepted a message.
    public var acceptedAt: Timestamp?
    /// The last failed attempt.
    public var refusal: Refusal?

    /// The number of failed attempts in a row after which the receiver counts as down.
    public static let downAfter = 5

    /// Creates the condition of a webhook that has sent nothing.
    public init() {}

    /// Whether the receiver counts as down: one message at a time tries it.
    public var isDown: Bool { failures >= Self.downAfter }
}
