import Database
public import Institutions
public import Shared

extension RelationalStore {
    /// Returns the places that webhooks have reached which are enabled and have room.
    public func webhookProgress() async throws -> [WebhookProgress: [Webhook]] {
        try await read { connection in
            let found = try connection.all(WebhookQuery.enabled) { row in
                let first = WebhookRow.width
                let place = WebhookProgress(
                    changes: row.integer(first), audit: row.integer(first + 1), classes: row.integer(first + 2))
                return (place: place, webhook: WebhookRow.webhook(row))
            }
            let open = try found.filter {
                try connection.countDeliveries(of: $0.webhook.id, .waiting) < Webhook.mostWaiting
            }
            return Dictionary(grouping: open, by: \.place).mapValues { $0.map(\.webhook) }
        }
    }

    /// Returns the events behind a position.
    public func webhookSlice(after position: WebhookProgress, limit: Int) async throws -> WebhookSlice {
        let settled = try await settledLogs()
        return try await browse { try $0.webhookSlice(after: position, upTo: settled, limit: limit) }
    }

    /// Stores the events that webhooks want, and the position reached.
    public func queue(_ slice: WebhookSlice, for webhooks: [WebhookID], at now: Timestamp) async throws {
        try await write(within: .only(Set(webhooks.map { .webhook($0) }))) { transaction in
            for id in webhooks { try transaction.queue(slice, for: id, at: now) }
        }
    }

    /// Returns webhooks that have due deliveries.
    public func dueWebhooks(at now: Timestamp, limit: Int) async throws -> [DueWebhook] {
        try await read { try $0.dueWebhooks(at: now, limit: limit) }
    }

    /// Claims a webhook.
    public func claimWebhook(_ lease: WebhookLease, at now: Timestamp) async throws -> Webhook? {
        try await write(within: .only([.webhook(lease.webhook)])) { transaction in
            try transaction.hold(.webhook(lease.webhook))
            let isFree = try transaction.connection.dueWebhooks(at: now, limit: 1, only: lease.webhook)
            guard !isFree.isEmpty else { return nil }
            try transaction.renew(lease, at: now)
            try transaction.connection.run(
                WebhookQuery.repair, .integer(now.microseconds), .text(lease.webhook.text),
                .integer(now.adding(seconds: Webhook.longestPause).microseconds))
            try transaction.connection.run(
                "UPDATE webhooks SET served_at = ? WHERE id = ?", .integer(now.microseconds), .text(lease.webhook.text))
            return try transaction.connection.webhook(lease.webhook)
        }
    }

    /// Returns due deliveries.
    public func dueDeliveries(
        of webhook: WebhookID, at now: Timestamp, limit: Int, isProbe: Bool
    ) async throws -> [WebhookDelivery] {
        try await read { connection in
            try connection.all(
                isProbe ? WebhookQuery.probe : WebhookQuery.due, .text(webhook.text), .integer(now.microseconds),
                .integer(limit)
            ) { WebhookDeliveryRow.delivery($0) }.compactMap(\.self)
        }
    }

    /// Returns what the logs tell of deliveries.
    public func particulars(of deliveries: [WebhookDelivery]) async throws -> [Int: WebhookParticulars] {
        try await browse { connection in
            try deliveries.reduce(into: [:]) { $0[$1.number] = try connection.particulars(of: $1) }
        }
    }

    /// Stores what became of attempts.
    public func settle(
        _ attempts: [WebhookAttempt], under lease: WebhookLease, at now: Timestamp
    ) async throws -> WebhookSettlement? {
        try await write(within: .only([.webhook(lease.webhook)])) { transaction in
            try transaction.hold(.webhook(lease.webhook))
            let connection = transaction.connection
            guard try connection.holds(lease), let webhook = try connection.webhook(lease.webhook) else { return nil }
            let current = try attempts.filter {
                try $0.reply.failure == nil || connection.isCurrent($0.delivery, of: webhook.id)
            }
            let (after, changes) = try WebhookAttempts.settle(
                current, of: webhook, besides: { try connection.countDeliveries(of: webhook.id, .failed) }, at: now)
            let entry = WebhookAttempts.stopEntry(from: webhook, to: after, at: now)
            if let entry { try transaction.audit(entry) }
            try transaction.update(after)
            let failed = try changes.reduce(0) { try $0 + transaction.apply($1, of: webhook.id, at: now) }
            try transaction.renew(lease, at: now)
            return WebhookSettlement(after, failed: failed)
        }
    }

    /// Ends a lease.
    public func releaseWebhook(_ lease: WebhookLease) async throws {
        try await write(within: .only([.webhook(lease.webhook)])) { transaction in
            try transaction.hold(.webhook(lease.webhook))
            try transaction.connection.run(
                "UPDATE webhooks SET lease_token = NULL, lease_ends_at = NULL WHERE id = ? AND lease_token = ?",
                .text(lease.webhook.text), .text(lease.token))
        }
    }

    /// Returns how many deliveries wait, and since when.
    public func webhookBacklog() async throws -> (waiting: Int, oldest: Timestamp?) {
        try await read { connection in
            try connection.first(WebhookQuery.backlog) { row in
                (row.integer(0), row.optionalInteger(1).map { Timestamp(microseconds: Int64($0)) })
            } ?? (0, nil)
        }
    }

    /// Deletes old dead letters.
    public func forgetWebhookDeliveries(failedBefore moment: Timestamp) async throws {
        // Other writes come between the portions, so that they do not wait long.
        while try await forgetSomeWebhookDeliveries(failedBefore: moment) {}
    }

    private func forgetSomeWebhookDeliveries(failedBefore moment: Timestamp) async throws -> Bool {
        try await write { transaction in
            try transaction.connection.run(
                """
                DELETE FROM webhook_deliveries WHERE (webhook, number) IN (
                    SELECT webhook, number FROM webhook_deliveries WHERE failed_at < ? LIMIT 500)
                """, .integer(moment.microseconds))
            return try transaction.connection.changes == 500
        }
    }

    /// Deletes former secrets that sign no more.
    public func forgetWebhookSecrets(at moment: Timestamp) async throws {
        try await write { transaction in
            try transaction.connection.run(
                "UPDATE webhooks SET former_secret = NULL, former_until = NULL WHERE former_until <= ?",
                .integer(moment.microseconds))
        }
    }
}

extension Connection {
    /// Returns webhooks that are enabled, not paused, held by no server, and have due deliveries.
    fileprivate func dueWebhooks(at now: Timestamp, limit: Int, only id: WebhookID? = nil) throws -> [DueWebhook] {
        let ends = WebhookLease.ends(holdingAt: now)
        return try all(
            WebhookQuery.dueWebhooks, .integer(now.microseconds), .integer(ends.lowerBound),
            .integer(ends.upperBound), .text(id?.text ?? ""), .text(id?.text ?? "~"), .integer(limit),
            .integer(now.adding(seconds: Webhook.longestPause).microseconds),
            .integer(now.adding(seconds: Webhook.longestRest).microseconds)
        ) { DueWebhook(WebhookID($0.text(0)), of: InstitutionID($0.text(1))) }
    }

    /// Returns whether a delivery was not restarted since it was read.
    fileprivate func isCurrent(_ delivery: WebhookDelivery, of webhook: WebhookID) throws -> Bool {
        try first(
            "SELECT 1 FROM webhook_deliveries WHERE webhook = ? AND number = ? AND queued_at = ? AND failed_at IS NULL",
            .text(webhook.text), .integer(delivery.number), .integer(delivery.queuedAt.microseconds)
        ) { _ in true } ?? false
    }

    fileprivate func holds(_ lease: WebhookLease) throws -> Bool {
        try first(
            "SELECT 1 FROM webhooks WHERE id = ? AND lease_token = ?", .text(lease.webhook.text), .text(lease.token)
        ) { _ in true } ?? false
    }
}

extension WriteTransaction {
    fileprivate func queue(_ slice: WebhookSlice, for id: WebhookID, at now: Timestamp) throws {
        try hold(.webhook(id))
        guard let webhook = try connection.webhook(id), webhook.isEnabled else { return }
        let place = try connection.first(
            "SELECT changes, audit, classes FROM webhooks WHERE id = ?", .text(id.text)
        ) { WebhookProgress(changes: $0.integer(0), audit: $0.integer(1), classes: $0.integer(2)) }
        guard let place, place.isUpTo(slice.from) else { return }
        for fact in slice.facts where webhook.wants(fact) {
            let subject = fact.subject.text
            let isBehind = try connection.isWaiting(subject, for: id)
            // A store that was restored from a backup may meet a message again that waits already.
            try connection.run(
                """
                INSERT INTO webhook_deliveries (
                    webhook, number, message, event, subject, log, place, at, queued_at, due_at, attempts)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (webhook, message) DO NOTHING
                """,
                .text(id.text), .integer(try connection.nextNumber(of: id)), .text(fact.message(to: id)),
                .text(fact.event.rawValue), .text(subject), .text(fact.log.rawValue), .integer(fact.place),
                .integer(fact.at.microseconds), .integer(now.microseconds),
                .integer(isBehind ? nil : now.microseconds))
        }
        try connection.run(
            "UPDATE webhooks SET changes = ?, audit = ?, classes = ? WHERE id = ?", .integer(slice.to.changes),
            .integer(slice.to.audit), .integer(slice.to.classes), .text(id.text))
    }

    fileprivate func renew(_ lease: WebhookLease, at now: Timestamp) throws {
        try connection.run(
            "UPDATE webhooks SET lease_token = ?, lease_ends_at = ? WHERE id = ?", .text(lease.token),
            .integer(now.adding(seconds: WebhookLease.duration).microseconds), .text(lease.webhook.text))
    }

    /// Applies a change; returns how many deliveries it gave up.
    fileprivate func apply(_ change: WebhookDeliveryChange, of webhook: WebhookID, at now: Timestamp) throws -> Int {
        switch change {
        case .remove(let delivery):
            try connection.run(
                "DELETE FROM webhook_deliveries WHERE webhook = ? AND number = ?", .text(webhook.text),
                .integer(delivery.number))
            try promote(delivery.subject, of: webhook, at: now)
        case .postpone(let delivery): try put(delivery, of: webhook)
        case .giveUp(let delivery):
            try put(delivery, of: webhook)
            try promote(delivery.subject, of: webhook, at: now)
            return 1
        case .giveUpAll(let moment, let most, let failure):
            return try giveUpAll(of: webhook, queuedBefore: moment, most: most, failure, at: now)
        case .wake:
            try connection.run(WebhookQuery.wake, .integer(now.microseconds), .text(webhook.text))
        }
        return 0
    }

    private func put(_ delivery: WebhookDelivery, of webhook: WebhookID) throws {
        try connection.run(
            """
            UPDATE webhook_deliveries SET due_at = ?, attempts = ?, why = ?, status = ?, failed_at = ?
            WHERE webhook = ? AND number = ?
            """,
            .integer(delivery.dueAt?.microseconds), .integer(delivery.attempts), .text(delivery.failure?.code),
            .integer(delivery.failure?.status), .integer(delivery.failedAt?.microseconds), .text(webhook.text),
            .integer(delivery.number))
    }

    /// Makes the first delivery of a subject due that waited behind another one.
    private func promote(_ subject: WebhookSubject, of webhook: WebhookID, at now: Timestamp) throws {
        try connection.run(
            WebhookQuery.promote, .integer(now.microseconds), .text(webhook.text), .text(subject.text))
    }

    private func giveUpAll(
        of webhook: WebhookID, queuedBefore moment: Timestamp, most: Int, _ failure: WebhookFailure, at now: Timestamp
    ) throws -> Int {
        let old = try connection.all(
            """
            SELECT number, subject FROM webhook_deliveries
            \(connection.dialect.using(index: "webhook_deliveries_of_state"))
            WHERE webhook = ? AND failed_at IS NULL AND queued_at <= ? ORDER BY number LIMIT ?
            """, .text(webhook.text), .integer(moment.microseconds), .integer(most)
        ) { (number: $0.integer(0), subject: $0.text(1)) }
        for delivery in old {
            try connection.run(
                """
                UPDATE webhook_deliveries SET due_at = NULL, failed_at = ?, why = ?, status = ?
                WHERE webhook = ? AND number = ?
                """,
                .integer(now.microseconds), .text(failure.code), .integer(failure.status), .text(webhook.text),
                .integer(delivery.number))
        }
        for subject in Set(old.map(\.subject)).compactMap({ WebhookSubject(text: $0) }) {
            try promote(subject, of: webhook, at: now)
        }
        return old.count
    }
}
