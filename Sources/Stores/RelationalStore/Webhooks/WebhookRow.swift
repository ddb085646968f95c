import Database
import Institutions
import Shared

/// The form of webhooks in the tables.
enum WebhookRow {
    static let columns = """
        id, institution, title, url, events, program, content, enabled, stopped, created_at, secret, former_secret,
        former_until, failures, resumes_at, accepted_at, refused_at, refused_why, refused_status,
        down_since
        """
    /// How many columns `webhook(_:)` reads.
    static let width: Int32 = 20

    static func webhook(_ row: borrowing Row) -> Webhook {
        Webhook(
            id: WebhookID(row.text(0)), institution: InstitutionID(row.text(1)), title: row.text(2), url: row.text(3),
            events: Set(row.text(4).split(separator: " ").compactMap { WebhookEvent(rawValue: String($0)) }),
            program: row.optionalText(5).map { ProgramID($0) },
            // An unknown content tells least.
            content: Webhook.Content(rawValue: row.text(6)) ?? .ids, isEnabled: row.boolean(7),
            stop: row.optionalText(8).flatMap { Webhook.Stop(rawValue: $0) },
            createdAt: Timestamp(microseconds: Int64(row.integer(9))),
            secrets: WebhookSecrets(
                current: row.bytes(10), former: row.optionalBytes(11), formerUntil: row.moment(12)),
            condition: condition(row))
    }

    private static func condition(_ row: borrowing Row) -> WebhookCondition {
        var condition = WebhookCondition()
        condition.failures = row.integer(13)
        condition.resumesAt = row.moment(14)
        condition.acceptedAt = row.moment(15)
        if let at = row.moment(16) {
            let reason = WebhookFailure(code: row.optionalText(17) ?? "", status: row.optionalInteger(18))
            condition.refusal = .init(at: at, reason: reason)
        }
        condition.downSince = row.moment(19)
        return condition
    }

    static func text(_ events: Set<WebhookEvent>) -> String { events.map(\.rawValue).sorted().joined(separator: " ") }
}

/// The form of deliveries in the tables.
enum WebhookDeliveryRow {
    static let columns = """
        number, message, event, subject, log, place, at, queued_at, due_at, attempts, why, status, failed_at
        """

    /// Returns a delivery; `nil` for one that a later program has stored.
    static func delivery(_ row: borrowing Row) -> WebhookDelivery? {
        guard let event = WebhookEvent(rawValue: row.text(2)), let subject = WebhookSubject(text: row.text(3)),
            let log = WebhookLog(rawValue: row.text(4))
        else { return nil }
        let status = row.optionalInteger(11)
        return WebhookDelivery(
            number: row.integer(0), message: row.text(1), event: event, subject: subject, log: log,
            place: row.integer(5), at: Timestamp(microseconds: Int64(row.integer(6))),
            queuedAt: Timestamp(microseconds: Int64(row.integer(7))), dueAt: row.moment(8), attempts: row.integer(9),
            failure: row.optionalText(10).map { WebhookFailure(code: $0, status: status) }, failedAt: row.moment(12))
    }
}

extension Row {
    /// Returns the moment in a column; `nil` for NULL.
    fileprivate func moment(_ column: Int32) -> Timestamp? {
        optionalInteger(column).map { Timestamp(microseconds: Int64($0)) }
    }
}
