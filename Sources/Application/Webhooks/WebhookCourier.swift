import Cryptography
import Institutions
import Observability
import Records
import Shared

/// The sender of messages to webhooks. It follows the logs of the store behind what is committed: the commit of a change
/// does nothing for it, and its own writes are short.
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
    /// How often what waits is measured.
    private static let measured = Duration.seconds(5)
    /// How often the places are stored that webhooks have reached without an event.
    private static let kept = Duration.seconds(60)
    /// How many due webhooks are listed at once, more than are served: some of them have to wait.
    private static let listed = 256
    /// How many messages to one webhook are sent at once. Those of one subject are never sent at once. All together are no
    /// more than the transport sends, so that a round ends long before its lease.
    private static let messagesAtOnce = 4
    /// How many rounds of messages a webhook has before others have their turn.
    private static let rounds = 32
    /// How long a webhook is served before others have their turn; its last round may end later.
    private static let turn = Duration.seconds(20)

    private let parts: WebhookParts
    private let records: any RecordStore
    private let identifiers: UUIDSource
    private let clock: WallClock
    private let log: Log
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let serving = ServedWebhooks()
    private let reached = ReachedPlaces()
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
            group.addTask { await follow() }
            for await _ in signal.stream {
                for webhook in await due() where serving.begin(webhook) {
                    group.addTask {
                        serving.end(webhook, wasServed: await serve(webhook.id))
                        signal.continuation.yield()
                    }
                }
            }
        }
    }

    /// Deletes dead letters that are older than they are kept, and former secrets.
    func tidy() async throws {
        try await parts.store.forgetWebhookDeliveries(failedBefore: clock.now.adding(seconds: -Webhook.memory))
        try await parts.store.forgetWebhookSecrets(at: clock.now)
    }

    // MARK: Following the logs

    /// Follows the logs until the task is cancelled.
    private func follow() async {
        var (measured, kept) = (ContinuousClock.now - Self.measured, ContinuousClock.now)
        while !Task.isCancelled {
            var hasMore = false
            do {
                hasMore = try await step()
                if measured.duration(to: .now) >= Self.measured {
                    try await measure()
                    measured = .now
                }
                if kept.duration(to: .now) >= Self.kept {
                    try await keepPlaces()
                    kept = .now
                }
            } catch {
                // The next look tries again.
                log.warning("webhooks cannot follow the logs", ["error": .text("\(error)")])
            }
            // Whoever is far behind holds up no message of others.
            signal.continuation.yield()
            if hasMore { await Task.yield() } else { try? await Task.sleep(for: Self.interval) }
        }
        signal.continuation.finish()
    }

    private func measure() async throws {
        let backlog = try await parts.store.webhookBacklog()
        waiting.set(backlog.waiting)
        let age = backlog.oldest.map { (clock.now.microseconds - $0.microseconds) / 1_000_000 } ?? 0
        oldest.set(Int(max(0, age)))
    }

    /// Moves every webhook on by one slice; returns whether there is more to do at once. Webhooks at the same place share
    /// a slice.
    func step() async throws -> Bool {
        var (hasMore, isHindered) = (false, false)
        for place in try await placedWebhooks().keys {
            do {
                let slice = try await parts.store.webhookSlice(after: place, limit: Self.slice)
                guard slice.to != slice.from else { continue }
                try await pass(slice)
                hasMore = hasMore || slice.isFull
            } catch {
                isHindered = true
                log.warning("webhooks cannot read a part of the logs", ["error": .text("\(error)")])
            }
        }
        return hasMore && !isHindered
    }

    /// Moves the webhooks behind a slice. Where one wants an event of it, its place is stored with the events; for the
    /// others this server remembers that it has read the slice, so that they cost no write.
    private func pass(_ slice: WebhookSlice) async throws {
        // The settings are read after the events, so that no event is judged by settings older than itself.
        var fault: (any Error)?
        for webhook in try await placedWebhooks()[slice.from] ?? [] {
            guard slice.facts.contains(where: webhook.wants) else {
                reached.set(slice.to, for: webhook.id)
                continue
            }
            do {
                try await parts.store.queue(slice, for: [webhook.id], at: clock.now)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }

    /// Returns the webhooks that read on, by how far this server has read for them.
    private func placedWebhooks() async throws -> [WebhookProgress: [Webhook]] {
        try await parts.store.webhookProgress().reduce(into: [:]) { places, group in
            for webhook in group.value {
                places[reached.place(of: webhook.id, storedAs: group.key), default: []].append(webhook)
            }
        }
    }

    /// Stores how far webhooks were read, for other servers and for this one after a restart.
    private func keepPlaces() async throws {
        let stored = try await parts.store.webhookProgress()
        for (place, webhooks) in reached.places(beyond: stored) {
            let nothing = WebhookSlice(from: place, to: place, isFull: false, facts: [])
            for start in stride(from: 0, to: webhooks.count, by: Self.moved) {
                let some = Array(webhooks[start..<min(start + Self.moved, webhooks.count)])
                try await parts.store.queue(nothing, for: some, at: clock.now)
            }
        }
    }

    // MARK: Sending

    private func due() async -> [DueWebhook] {
        do {
            return try await parts.store.dueWebhooks(at: clock.now, limit: Self.listed)
        } catch {
            log.warning("due webhooks cannot be read", ["error": .text("\(error)")])
            return []
        }
    }

    /// Sends what is due to one webhook, for some rounds; returns whether nothing hindered it.
    private func serve(_ id: WebhookID) async -> Bool {
        let lease = WebhookLease(on: id, token: identifiers.next())
        let end = ContinuousClock.now + Self.turn
        var isServed = false
        do {
            guard var webhook = try await parts.store.claimWebhook(lease, at: clock.now) else { return true }
            for _ in 0..<Self.rounds where !Task.isCancelled && ContinuousClock.now < end {
                guard let next = try await round(webhook, under: lease) else { break }
                (webhook, isServed) = (next, true)
                guard webhook.isEnabled, (webhook.condition.resumesAt ?? clock.now) <= clock.now else { break }
            }
        } catch {
            isServed = false
            log.warning("a webhook cannot be served", ["webhook": .text(id.text), "error": .text("\(error)")])
        }
        // A lease that cannot be released expires.
        try? await parts.store.releaseWebhook(lease)
        return isServed
    }

    /// Sends some due messages at once, and stores what became of them; returns the webhook as it is then, or `nil` if
    /// nothing is due, or the lease was lost.
    func round(_ webhook: Webhook, under lease: WebhookLease) async throws -> Webhook? {
        let isProbe = webhook.condition.isDown
        let due = try await parts.store.dueDeliveries(
            of: webhook.id, at: clock.now, limit: isProbe ? 1 : Self.messagesAtOnce, isProbe: isProbe)
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
        guard let settlement = try await parts.store.settle(attempts, under: lease, at: clock.now) else { return nil }
        count(attempts, givenUp: settlement.failed)
        return settlement.webhook
    }

    /// Sends a delivery. One whose document cannot be read now is not sent, and holds up no other.
    private func send(
        _ delivery: WebhookDelivery, _ particulars: WebhookParticulars?, to webhook: Webhook
    ) async -> WebhookReply {
        // Of what is known no more, no program is known either.
        let program = delivery.subject.kind == .member ? nil : particulars?.program ?? webhook.program
        guard webhook.wants(delivery.event, of: program) else { return .unwanted }
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
        let body = WebhookMessage.body(
            of: delivery, in: webhook.institution, particulars, under: parts.store.epoch, document: document)
        return await parts.post(body, delivery.message, to: webhook, at: clock.now)
    }

    private func count(_ attempts: [WebhookAttempt], givenUp: Int) {
        for attempt in attempts where attempt.reply != .unsent && attempt.reply != .unwanted {
            if attempt.reply.failure == nil { accepted.add() } else { postponed.add() }
        }
        failed.add(givenUp)
    }
}
