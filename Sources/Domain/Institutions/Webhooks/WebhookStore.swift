public import Shared

/// A webhook with the number of its deliveries.
public struct CountedWebhook: Sendable, Equatable {
    /// The webhook.
    public let webhook: Webhook
    /// How many deliveries wait.
    public let waiting: Int
    /// How many were given up.
    public let failed: Int

    /// Creates a counted webhook.
    public init(_ webhook: Webhook, waiting: Int, failed: Int) {
        self.webhook = webhook
        self.waiting = waiting
        self.failed = failed
    }

    /// The webhook with the host of its address alone.
    public var withoutPath: CountedWebhook { CountedWebhook(webhook.withoutPath, waiting: waiting, failed: failed) }
}

/// A webhook to which something is to be sent.
public struct DueWebhook: Sendable, Hashable {
    /// The webhook.
    public let id: WebhookID
    /// Its institution.
    public let institution: InstitutionID

    /// Names a webhook.
    public init(_ id: WebhookID, of institution: InstitutionID) {
        self.id = id
        self.institution = institution
    }
}

/// What was stored after a round of attempts.
public struct WebhookSettlement: Sendable, Equatable {
    /// The webhook as it is now.
    public let webhook: Webhook
    /// How many deliveries were given up.
    public let failed: Int

    /// Creates a settlement.
    public init(_ webhook: Webhook, failed: Int) {
        self.webhook = webhook
        self.failed = failed
    }
}

/// The right of one server to send a webhook's messages until a moment. It is passed with what is stored, so that a server
/// that was paused for longer stores nothing.
public struct WebhookLease: Sendable, Equatable {
    /// The seconds that a lease lasts from the last round that was stored under it: longer than a round can take.
    public static let duration: Int64 = 60
    /// The accepted difference in seconds between the clocks of servers, beyond which an end counts as wrong.
    public static let clockTolerance: Int64 = 30

    /// The webhook.
    public let webhook: WebhookID
    /// The token, unique to this claim.
    public let token: String

    /// Creates a lease.
    public init(on webhook: WebhookID, token: String) {
        self.webhook = webhook
        self.token = token
    }

    /// Returns the range of ends, in microseconds, of leases that hold at a moment.
    public static func ends(holdingAt now: Timestamp) -> ClosedRange<Int64> {
        now.microseconds &+ 1...now.adding(seconds: duration + clockTolerance).microseconds
    }
}

/// The store of webhooks and of what is to be sent to them.
///
/// The logs are the queue: a webhook keeps the places that it has reached in them, and only the deliveries of the next
/// events are rows of their own.
public protocol WebhookStore: Sendable {
    /// The epoch of the versions, another one after a restore from a backup.
    var epoch: Epoch { get }

    /// Returns an institution's webhooks in the order of their creation, each with the number of its deliveries.
    func webhooks(of institution: InstitutionID) async throws -> [CountedWebhook]

    /// Changes an institution's webhooks by a plan, which must be a pure function of them.
    func changeWebhooks<Value: Sendable>(
        of institution: InstitutionID, _ plan: @escaping @Sendable ([Webhook]) throws -> WebhookPlan<Value>
    ) async throws -> Value

    /// Returns up to `limit` deliveries of a webhook behind a number, in the order of their numbers.
    func webhookDeliveries(
        of webhook: WebhookID, _ state: WebhookDelivery.State, after number: Int, limit: Int
    ) async throws -> [WebhookDelivery]

    /// Lets dead letters of a webhook wait again, each behind what waits for its subject; returns how many there were.
    ///
    /// - Parameters:
    ///   - number: the only one; `nil` for all for which there is room.
    ///   - audit: returns the entry of the trail for this many.
    func resendWebhookDeliveries(
        of webhook: WebhookID, _ number: Int?, at now: Timestamp, under grounds: [AccessGround],
        audit: @escaping @Sendable (Int) -> AuditEntry
    ) async throws -> Int

    // MARK: Following the logs

    /// Returns the places that webhooks have reached which are enabled and have room for more deliveries.
    func webhookProgress() async throws -> [WebhookProgress: [Webhook]]

    /// Returns the events in the logs behind a position, from up to `limit` lines of each log.
    func webhookSlice(after position: WebhookProgress, limit: Int) async throws -> WebhookSlice

    /// Stores the events of a slice that some webhooks want, and the position reached. The caller has seen that they want
    /// nothing between their stored position and the slice; one that has gone further by now gets nothing.
    func queue(_ slice: WebhookSlice, for webhooks: [WebhookID], at now: Timestamp) async throws

    // MARK: Sending

    /// Returns up to `limit` webhooks that have due deliveries and that no server sends to, the one served longest ago
    /// first.
    func dueWebhooks(at now: Timestamp, limit: Int) async throws -> [DueWebhook]

    /// Claims a webhook; `nil` if there is nothing to send to it any more, or if another server does.
    func claimWebhook(_ lease: WebhookLease, at now: Timestamp) async throws -> Webhook?

    /// Returns up to `limit` due deliveries, at most one of a subject, the one due longest first.
    ///
    /// - Parameter isProbe: whether deliveries count that are due later, and one with the fewest attempts comes first,
    ///   because it is the likeliest to be accepted.
    func dueDeliveries(
        of webhook: WebhookID, at now: Timestamp, limit: Int, isProbe: Bool
    ) async throws -> [WebhookDelivery]

    /// Returns what the logs tell of some deliveries, by their numbers.
    func particulars(of deliveries: [WebhookDelivery]) async throws -> [Int: WebhookParticulars]

    /// Stores what became of some attempts and renews the lease. Returns `nil` if the lease was lost, and then nothing is
    /// stored. A failed attempt is ignored if its delivery was restarted meanwhile: it went to the former address, or was
    /// made before the webhook was turned off.
    func settle(
        _ attempts: [WebhookAttempt], under lease: WebhookLease, at now: Timestamp
    ) async throws -> WebhookSettlement?

    /// Ends a lease, unless it was lost.
    func releaseWebhook(_ lease: WebhookLease) async throws

    /// Returns how many deliveries of enabled webhooks wait, and when the one that waits longest joined its queue.
    func webhookBacklog() async throws -> (waiting: Int, oldest: Timestamp?)

    /// Deletes dead letters that were given up before a moment.
    func forgetWebhookDeliveries(failedBefore moment: Timestamp) async throws

    /// Deletes former secrets that sign no more at a moment.
    func forgetWebhookSecrets(at moment: Timestamp) async throws
}
