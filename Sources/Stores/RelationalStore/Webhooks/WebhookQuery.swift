import Institutions

/// The queries of webhooks that run often, or on the thread that commits grades: each must find its rows by an index.
enum WebhookQuery {
    /// The webhooks that are enabled, with the places that they have reached.
    static let enabled =
        "SELECT \(WebhookRow.columns), changes, audit, classes FROM webhooks WHERE enabled <> 0 ORDER BY id"
    /// Whether a delivery of a subject waits.
    static let isWaiting = """
        SELECT 1 FROM webhook_deliveries WHERE webhook = ? AND subject = ? AND failed_at IS NULL LIMIT 1
        """
    /// How many deliveries wait.
    static let waiting = "SELECT count(*) FROM webhook_deliveries WHERE webhook = ? AND failed_at IS NULL"
    /// How many dead letters there are.
    static let failed = "SELECT count(*) FROM webhook_deliveries WHERE webhook = ? AND failed_at IS NOT NULL"
    /// Makes the first delivery of a subject due that waited behind another one.
    static let promote = """
        UPDATE webhook_deliveries SET due_at = ?1 WHERE webhook = ?2 AND due_at IS NULL AND number = (
            SELECT min(number) FROM webhook_deliveries WHERE webhook = ?2 AND subject = ?3 AND failed_at IS NULL)
        """
    /// Makes due what waits for another attempt and was not rejected.
    static let wake = """
        UPDATE webhook_deliveries SET due_at = ?1 WHERE webhook = ?2 AND due_at > ?1
        AND (status IS NULL OR status NOT BETWEEN 400 AND 499 OR status IN (\(general)))
        """
    /// Due deliveries, the one due longest first. Events that only a newer program knows are left to it.
    static let due = """
        SELECT \(WebhookDeliveryRow.columns) FROM webhook_deliveries
        WHERE webhook = ?1 AND due_at <= ?2 AND event IN (\(events)) ORDER BY due_at, number LIMIT ?3
        """
    /// What may try a receiver that is down: one with the fewest attempts first, those that are due before others.
    static let probe = """
        SELECT \(WebhookDeliveryRow.columns) FROM webhook_deliveries
        WHERE webhook = ?1 AND due_at IS NOT NULL AND event IN (\(events))
        ORDER BY CASE WHEN due_at <= ?2 THEN 0 ELSE 1 END, attempts, due_at, number LIMIT ?3
        """
    /// Makes due what has a moment that only a wrong clock can have set.
    static let repair = "UPDATE webhook_deliveries SET due_at = ?1 WHERE webhook = ?2 AND due_at > ?3"
    /// Webhooks that are enabled, not paused, held by no server, and have due deliveries; if the receiver is down, any that
    /// can be tried.
    static let dueWebhooks = """
        SELECT w.id, w.institution FROM webhooks AS w
        WHERE w.enabled <> 0 AND (w.resumes_at IS NULL OR w.resumes_at <= ?1 OR w.resumes_at > ?8)
        AND (w.lease_token IS NULL OR w.lease_ends_at NOT BETWEEN ?2 AND ?3) AND w.id >= ?4 AND w.id <= ?5
        AND EXISTS (
            SELECT 1 FROM webhook_deliveries AS d
            WHERE d.webhook = w.id AND d.event IN (\(events))
            AND d.due_at <= CASE WHEN w.failures >= \(WebhookCondition.downAfter) THEN ?7 ELSE ?1 END
            UNION ALL SELECT 1 FROM webhook_deliveries AS d
            WHERE d.webhook = w.id AND d.due_at > ?7 AND d.event IN (\(events)))
        ORDER BY w.served_at, w.id LIMIT ?6
        """
    /// How many deliveries of enabled webhooks wait, and when the first of them joined its queue.
    static let backlog = """
        SELECT ifnull(CAST(sum(waiting) AS INTEGER), 0), min(oldest) FROM (
            SELECT (SELECT count(*) FROM webhook_deliveries WHERE webhook = w.id AND failed_at IS NULL) AS waiting,
                (SELECT queued_at FROM webhook_deliveries WHERE webhook = w.id AND failed_at IS NULL
                    ORDER BY number LIMIT 1) AS oldest
            FROM webhooks AS w WHERE w.enabled <> 0) AS queues
        """

    private static let events = WebhookEvent.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    private static let general = WebhookFailure.generalStatuses.map(String.init).joined(separator: ", ")
}
