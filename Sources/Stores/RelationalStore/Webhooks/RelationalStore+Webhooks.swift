import Database
public import Institutions
public import Shared

extension RelationalStore: WebhookStore {
    /// Returns an institution's webhooks with the number of their deliveries.
    public func webhooks(of institution: InstitutionID) async throws -> [CountedWebhook] {
        try await read { connection in
            try connection.webhooks(of: institution).map { webhook in
                CountedWebhook(
                    webhook, waiting: try connection.countDeliveries(of: webhook.id, .waiting),
                    failed: try connection.countDeliveries(of: webhook.id, .failed))
            }
        }
    }

    /// Changes an institution's webhooks.
    public func changeWebhooks<Value: Sendable>(
        of institution: InstitutionID, _ plan: @escaping @Sendable ([Webhook]) throws -> WebhookPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let plan = try plan(try transaction.connection.webhooks(of: institution))
            return try transaction.apply(plan) { try transaction.apply($0) }
        }
    }

    /// Returns deliveries of a webhook behind a number.
    public func webhookDeliveries(
        of webhook: WebhookID, _ state: WebhookDelivery.State, after number: Int, limit: Int
    ) async throws -> [WebhookDelivery] {
        try await read { connection in
            try connection.all(
                """
                SELECT \(WebhookDeliveryRow.columns) FROM webhook_deliveries
                \(state == .waiting ? connection.dialect.using(index: "webhook_deliveries_of_state") : "")
                WHERE webhook = ? AND number > ? AND \(state.condition) ORDER BY number LIMIT ?
                """, .text(webhook.text), .integer(number), .integer(limit)
            ) { WebhookDeliveryRow.delivery($0) }.compactMap(\.self)
        }
    }

    /// Lets dead letters wait again.
    public func resendWebhookDeliveries(
        of webhook: WebhookID, _ number: Int?, at now: Timestamp, under grounds: [AccessGround],
        audit: @escaping @Sendable (Int) -> AuditEntry
    ) async throws -> Int {
        try await write { transaction in
            let connection = transaction.connection
            let room = Webhook.mostWaiting - (try connection.countDeliveries(of: webhook, .waiting))
            let found = try connection.deadLetters(of: webhook, number, limit: min(max(room, 0), Webhook.mostResent))
            guard !found.isEmpty else { return 0 }
            return try transaction.apply(
                WebhookPlan<Int>(under: grounds, [], audit: [audit(found.count)], value: found.count),
                after: { for letter in found { try transaction.requeue(letter, of: webhook, at: now) } })
        }
    }
}

extension WebhookDelivery.State {
    fileprivate var condition: String {
        switch self {
        case .waiting: "failed_at IS NULL"
        case .failed: "failed_at IS NOT NULL"
        }
    }
}

extension Connection {
    fileprivate func webhooks(of institution: InstitutionID) throws -> [Webhook] {
        try all(
            "SELECT \(WebhookRow.columns) FROM webhooks WHERE institution = ? ORDER BY id", .text(institution.text)
        ) { WebhookRow.webhook($0) }
    }

    func webhook(_ id: WebhookID) throws -> Webhook? {
        try first("SELECT \(WebhookRow.columns) FROM webhooks WHERE id = ?", .text(id.text)) { WebhookRow.webhook($0) }
    }

    func countDeliveries(of webhook: WebhookID, _ state: WebhookDelivery.State) throws -> Int {
        try first(state == .waiting ? WebhookQuery.waiting : WebhookQuery.failed, .text(webhook.text)) {
            $0.integer(0)
        } ?? 0
    }

    /// Returns dead letters, those queued first at the beginning.
    fileprivate func deadLetters(of webhook: WebhookID, _ number: Int?, limit: Int) throws -> [WebhookDelivery] {
        try all(
            """
            SELECT \(WebhookDeliveryRow.columns) FROM webhook_deliveries
            WHERE webhook = ? AND failed_at IS NOT NULL AND number >= ? AND number <= ? ORDER BY number LIMIT ?
            """, .text(webhook.text), .integer(number ?? 0), .integer(number ?? .max), .integer(limit)
        ) { WebhookDeliveryRow.delivery($0) }.compactMap(\.self)
    }

    /// Returns whether a delivery of a subject waits.
    func isWaiting(_ subject: String, for webhook: WebhookID) throws -> Bool {
        try first(WebhookQuery.isWaiting, .text(webhook.text), .text(subject)) { _ in true } ?? false
    }

    /// Returns the next number in the queue of a webhook.
    func nextNumber(of webhook: WebhookID) throws -> Int {
        let last = try first("SELECT last_number FROM webhooks WHERE id = ?", .text(webhook.text)) { $0.integer(0) }
        let next = (last ?? 0) + 1
        try run("UPDATE webhooks SET last_number = ? WHERE id = ?", .integer(next), .text(webhook.text))
        return next
    }
}

extension WriteTransaction {
    fileprivate func apply(_ change: WebhookRowChange) throws {
        switch change {
        case .insert(let webhook): try insert(webhook)
        case .update(let webhook): try update(webhook)
        case .remove(let id):
            try connection.run("DELETE FROM webhook_deliveries WHERE webhook = ?", .text(id.text))
            try connection.run("DELETE FROM webhooks WHERE id = ?", .text(id.text))
        case .restart(let id, let moment): try restartDeliveries(of: id, at: moment)
        }
    }

    private func insert(_ webhook: Webhook) throws {
        try connection.run(
            """
            INSERT INTO webhooks (
                id, institution, title, url, events, program, content, enabled, created_at, secret, failures, changes,
                audit, classes)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, (SELECT ifnull(max(seq), 0) FROM changes),
                (SELECT ifnull(max(seq), 0) FROM audit), (SELECT ifnull(max(seq), 0) FROM class_changes)
            """,
            .text(webhook.id.text), .text(webhook.institution.text), .text(webhook.title), .text(webhook.url),
            .text(WebhookRow.text(webhook.events)), .text(webhook.program?.text), .text(webhook.content.rawValue),
            .boolean(webhook.isEnabled), .integer(webhook.createdAt.microseconds), .blob(webhook.secrets.current))
    }

    func update(_ webhook: Webhook) throws {
        let (secrets, condition) = (webhook.secrets, webhook.condition)
        try connection.run(
            """
            UPDATE webhooks SET title = ?, url = ?, events = ?, program = ?, content = ?, enabled = ?, stopped = ?,
            secret = ?, former_secret = ?, former_until = ?, failures = ?, resumes_at = ?, accepted_at = ?,
            refused_at = ?, refused_why = ?, refused_status = ?, down_since = ? WHERE id = ?
            """,
            .text(webhook.title), .text(webhook.url), .text(WebhookRow.text(webhook.events)),
            .text(webhook.program?.text), .text(webhook.content.rawValue), .boolean(webhook.isEnabled),
            .text(webhook.stop?.rawValue), .blob(secrets.current), .blob(secrets.former),
            .integer(secrets.formerUntil?.microseconds), .integer(condition.failures),
            .integer(condition.resumesAt?.microseconds), .integer(condition.acceptedAt?.microseconds),
            .integer(condition.refusal?.at.microseconds), .text(condition.refusal?.reason.code),
            .integer(condition.refusal?.reason.status), .integer(condition.downSince?.microseconds),
            .text(webhook.id.text))
    }

    /// Restarts all waiting deliveries. One that waits behind another of its subject stays behind it.
    private func restartDeliveries(of webhook: WebhookID, at moment: Timestamp) throws {
        try connection.run(
            """
            UPDATE webhook_deliveries SET queued_at = ?1, due_at = CASE WHEN due_at IS NULL THEN NULL ELSE ?1 END,
            attempts = 0, why = NULL, status = NULL WHERE webhook = ?2 AND failed_at IS NULL
            """, .integer(moment.microseconds), .text(webhook.text))
    }

    /// Puts a dead letter at the end of the queue, with all its attempts before it.
    fileprivate func requeue(_ letter: WebhookDelivery, of webhook: WebhookID, at now: Timestamp) throws {
        let isBehind = try connection.isWaiting(letter.subject.text, for: webhook)
        try connection.run(
            """
            UPDATE webhook_deliveries SET number = ?, queued_at = ?, due_at = ?, attempts = 0, failed_at = NULL
            WHERE webhook = ? AND number = ?
            """,
            .integer(try connection.nextNumber(of: webhook)), .integer(now.microseconds),
            .integer(isBehind ? nil : now.microseconds), .text(webhook.text), .integer(letter.number))
    }

    /// Applies a plan whose changes of rows are made by `body`.
    fileprivate func apply<Value>(_ plan: WebhookPlan<Value>, after body: () throws -> Void) throws -> Value {
        let value = try apply(plan) { try apply($0) }
        try body()
        return value
    }
}
