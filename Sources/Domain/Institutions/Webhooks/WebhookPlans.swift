package import GradingKit
public import Shared

/// A change of the stored rows of webhooks.
public enum WebhookRowChange: Sendable {
    /// Inserts a webhook, which begins behind what the logs hold.
    case insert(Webhook)
    /// Updates a webhook.
    case update(Webhook)
    /// Removes a webhook with its deliveries.
    case remove(WebhookID)
    /// Restarts all waiting deliveries, as if they had joined the queue at this moment.
    case restart(WebhookID, at: Timestamp)
}

/// The plan of one write to webhooks.
public typealias WebhookPlan<Value: Sendable> = WritePlan<WebhookRowChange, Value>

/// Plans the changes that people make to webhooks, from the rows that the store found.
package enum WebhookPlans {
    /// Plans a new webhook; throws `webhook_limit` if the institution has the maximum number.
    package static func creation(
        of webhook: Webhook, besides others: [Webhook], by act: AuditContext
    ) throws(FaultList) -> WebhookPlan<Webhook> {
        guard others.count < Webhook.capacity else {
            throw FaultList([Fault(.webhookLimit, at: "", ["max": .number(String(Webhook.capacity))])])
        }
        return WebhookPlan(
            under: act.grounds, [.insert(webhook)],
            audit: [
                act.entry("webhook.created", of: webhook.id.text, in: webhook.institution, detail: webhook.auditText)
            ], value: webhook)
    }

    /// Plans to change a webhook. A new address, or turning the webhook on, restarts all waiting deliveries: they are tried
    /// at once, and for three more days.
    package static func change(
        of id: WebhookID, among webhooks: [Webhook], by act: AuditContext, _ edit: (inout Webhook) -> Void
    ) throws(StoreError) -> WebhookPlan<Webhook> {
        let before = try find(id, among: webhooks)
        var after = before
        edit(&after)
        var changes: [WebhookRowChange] = []
        if after.url != before.url || after.isEnabled && !before.isEnabled {
            (after.condition.failures, after.condition.downSince, after.condition.resumesAt) = (0, nil, nil)
            changes.append(.restart(id, at: act.at))
        }
        if after.isEnabled { after.stop = nil }
        return WebhookPlan(
            under: act.grounds, [.update(after)] + changes,
            audit: [
                act.entry(
                    "webhook.changed", of: id.text, in: after.institution,
                    detail: auditDetail(before: before.auditText, after: after.auditText, reason: act.reason))
            ], value: after)
    }

    /// Plans another secret; the former one signs as well for ``Webhook/overlap`` seconds.
    package static func rotation(
        of id: WebhookID, to sealed: [UInt8], among webhooks: [Webhook], by act: AuditContext
    ) throws(StoreError) -> WebhookPlan<Webhook> {
        var webhook = try find(id, among: webhooks)
        webhook.secrets = webhook.secrets.rotated(to: sealed, at: act.at)
        return WebhookPlan(
            under: act.grounds, [.update(webhook)],
            audit: [act.entry("webhook.secret", of: id.text, in: webhook.institution)], value: webhook)
    }

    /// Plans the end of a webhook, with everything that waits to be sent to it.
    package static func end(
        of id: WebhookID, among webhooks: [Webhook], by act: AuditContext
    ) throws(StoreError) -> WebhookPlan<Void> {
        let webhook = try find(id, among: webhooks)
        return WebhookPlan(
            under: act.grounds, [.remove(id)],
            audit: [act.entry("webhook.ended", of: id.text, in: webhook.institution, detail: webhook.auditText)])
    }

    private static func find(_ id: WebhookID, among webhooks: [Webhook]) throws(StoreError) -> Webhook {
        guard let webhook = webhooks.first(where: { $0.id == id }) else { throw .notFound }
        return webhook
    }
}
