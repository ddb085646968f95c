import Cryptography
import Institutions
import Observability
import Records
import Shared
import Synchronization

/// The sender of messages to webhooks. It follows the logs of the store behind what is committed, so no change waits for
/// it or costs more because of it.
///
/// Every server does this. The position that a webhook has reached in the logs moves in the transaction that stores its
/// next deliveries; a lease lets one server at a time send to a webhook. A message is sent at least once, always under
/// the same identifier.
struct WebhookCourier: Sendable {
    /// How often the logs are looked at.
    private static let interval = Duration.seconds(1)
    /// The lines of each log that one slice has at most.
    private static let slice = 256
    /// How many webhooks are moved on in one write.
    private static let moved = 100
    /// How many webhooks this server sends to at once.
    private static let webhooksAtOnce = 8
    /// How many messages to one webhook are sent at once. Those of one subject are never sent at once. All together are no
    /// more than the transport sends, so that a round ends long before its lease.
    private static let messagesAtOnce = 4
    /// How many rounds of messages a webhook has before others have their turn.
    private static let rounds = 32

    private let parts: WebhookParts
    private let records: any RecordStore
    private let identifiers: UUIDSource
    private let clock: WallClock
    private let log: Log
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let serving = ServedWebhooks()
    private let waiting: Gauge
    private let oldest: Gauge
    private let accepted: Counter
    private let postponed: Counter
    private let failed: Counter

    init(
        _ parts: WebhookParts, records: any RecordStore, identifiers: UUIDSource, metrics: Metrics, log: Log,
        clock: WallClock
    ) {
        self.parts = parts
        self.records = records
        self.identifiers = identifiers
        self.clock = clock
        self.log = log
        waiting = metrics.gauge("gradecast_webhook_deliveries_waiting", "Messages to webhooks that wait to be accepted")
        oldest = metrics.gauge(
            "gradecast_webhook_oldest_waiting_seconds",
            "Seconds for which the message to a webhook has waited that waits longest")
        func counter(_ result: String) -> Counter {
            metrics.counter(
                "gradecast_webhook_deliveries_total", "Attempts to deliver messages to webhooks, by their result",
                labels: ["result": result])
        }
        (accepted, postponed, failed) = (counter("accepted"), counter("postponed"), counter("failed"))
    }

    /// Follows the logs and sends until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    await follow()
                    signal.continuation.yield()
                    try? await Task.sleep(for: Self.interval)
                }
                signal.continuation.finish()
            }
            for await _ in signal.stream {
                for webhook in await due() where serving.begin(webhook, most: Self.webhooksAtOnce) {
                    group.addTask {
                        await serve(webhook)
                        serving.end(webhook)
                        signal.continuation.yield()
                    }
                }
            }
        }
    }

    /// Deletes dead letters that are older than they are kept.
    func tidy() async throws {
        try await parts.store.forgetWebhookDeliveries(failedBefore: clock.now.adding(seconds: -Webhook.memory))
    }

    // MARK: Following the logs

    private func follow() async {
        do {
            while try await step(), !Task.isCancelled { await Task.yield() }
            let backlog = try await parts.store.webhookBacklog()
            waiting.set(backlog.waiting)
            let age = backlog.oldest.map { (clock.now.microseconds - $0.microseconds) / 1_000_000 } ?? 0
            oldest.set(Int(max(0, age)))
        } catch {
            // The next look tries again.
            log.warning("webhooks cannot follow the logs", ["error": .text("\(error)")])
        }
    }

    /// Moves every webhook on by one slice; returns whether there may be more. Webhooks at the same place share a slice.
    func step() async throws -> Bool {
        var hasMore = false
        for (place, webhooks) in try await parts.store.webhookProgress() {
            let slice = try await parts.store.webhookSlice(after: place, limit: Self.slice)
            guard slice.to != slice.from else { continue }
            hasMore = hasMore || slice.isFull
            var (wanting, others): ([WebhookID], [WebhookID]) = ([], [])
            for webhook in webhooks {
                if slice.facts.contains(where: webhook.wants) {
                    wanting.append(webhook.id)
                } else {
                    others.append(webhook.id)
                }
            }
            for webhook in wanting { try await parts.store.queue(slice, for: [webhook], at: clock.now) }
            for start in stride(from: 0, to: others.count, by: Self.moved) {
                let some = Array(others[start..<min(start + Self.moved, others.count)])
                try await parts.store.queue(slice, for: some, at: clock.now)
            }
        }
        return hasMore
    }

    // MARK: Sending

    private func due() async -> [WebhookID] {
        do {
            return try await parts.store.dueWebhooks(at: clock.now, limit: Self.webhooksAtOnce * 2)
        } catch {
            log.warning("due webhooks cannot be read", ["error": .text("\(error)")])
            return []
        }
    }

    /// Sends what is due to one webhook, for some rounds.
    private func serve(_ id: WebhookID) async {
        let lease = WebhookLease(on: id, token: identifiers.next())
        do {
            guard var webhook = try await parts.store.claimWebhook(lease, at: clock.now) else { return }
            for _ in 0..<Self.rounds where !Task.isCancelled {
                guard let next = try await round(webhook, under: lease) else { break }
                webhook = next
                guard webhook.isEnabled, (webhook.condition.resumesAt ?? clock.now) <= clock.now else { break }
            }
        } catch {
            log.warning("a webhook cannot be served", ["webhook": .text(id.text), "error": .text("\(error)")])
        }
        // A lease that cannot be released expires.
        try? await parts.store.releaseWebhook(lease)
    }

    /// Sends some due messages at once, and stores what became of them; returns the webhook as it is then, or `nil` if
    /// nothing is due, or the lease was lost.
    func round(_ webhook: Webhook, under lease: WebhookLease) async throws -> Webhook? {
        let most = webhook.condition.isDown ? 1 : Self.messagesAtOnce
        let due = try await parts.store.dueDeliveries(of: webhook.id, at: clock.now, limit: most)
        guard !due.isEmpty else { return nil }
        let particulars = try await parts.store.particulars(of: due)
        let attempts = await withTaskGroup(of: WebhookAttempt.self) { group in
            for delivery in due {
                group.addTask {
                    let reply = await send(delivery, particulars[delivery.number], to: webhook)
                    return WebhookAttempt(of: delivery, reply: reply, jitter: parts.random.bytes(1).first ?? 0)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        count(attempts)
        return try await parts.store.settle(attempts, under: lease, at: clock.now)
    }

    /// Sends a delivery. One whose document cannot be read now is not sent, and holds up no other.
    private func send(
        _ delivery: WebhookDelivery, _ particulars: WebhookParticulars?, to webhook: Webhook
    ) async -> WebhookReply {
        var document: RecordSnapshot?
        if webhook.content == .document, delivery.subject.kind == .record {
            do {
                document = try await records.snapshot(of: RecordID(delivery.subject.id))
            } catch {
                log.warning(
                    "the document of a message to a webhook cannot be read",
                    ["webhook": .text(webhook.id.text), "error": .text("\(error)")])
                return .unsent
            }
        }
        let body = WebhookMessage.body(of: delivery, in: webhook.institution, particulars, document: document)
        return await parts.post(body, delivery.message, to: webhook, at: clock.now)
    }

    private func count(_ attempts: [WebhookAttempt]) {
        for attempt in attempts where attempt.reply != .unsent {
            guard attempt.reply.failure != nil else {
                accepted.add()
                continue
            }
            let age = clock.now.microseconds - attempt.delivery.queuedAt.microseconds
            if age >= WebhookAttempts.triedFor * 1_000_000 { failed.add() } else { postponed.add() }
        }
    }
}

/// The webhooks to which this server is sending.
private final class ServedWebhooks: Sendable {
    private let running = Mutex<Set<WebhookID>>([])

    /// Begins to serve a webhook; `false` if that is under way, or if there are too many.
    func begin(_ webhook: WebhookID, most: Int) -> Bool {
        running.withLock { $0.count < most && $0.insert(webhook).inserted }
    }

    func end(_ webhook: WebhookID) { running.withLock { _ = $0.remove(webhook) } }
}
