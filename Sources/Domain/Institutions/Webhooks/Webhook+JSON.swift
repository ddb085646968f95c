public import GradingKit
public import Shared

extension CountedWebhook {
    /// Writes the webhook as registrars see it, without its secrets.
    public func write(to writer: inout JSONWriter, at now: Timestamp) {
        let condition = webhook.condition
        writer.object {
            $0.member("id", webhook.id.text)
            $0.member("institution", webhook.institution.text)
            $0.member("title", webhook.title)
            $0.member("url", webhook.url)
            $0.member("events", .array(WebhookEvent.allCases.filter { webhook.events.contains($0) }.map(\.json)))
            $0.member("program", webhook.program?.text)
            $0.member("content", webhook.content.rawValue)
            $0.member("enabled", webhook.isEnabled)
            $0.member("stopped", webhook.stop?.rawValue)
            $0.member("createdAt", webhook.createdAt.description)
            $0.member("formerSecretUntil", webhook.secrets.formerUntil.flatMap { now < $0 ? $0.description : nil })
            $0.member("acceptedAt", condition.acceptedAt?.description)
            $0.member("refusal") { writer in
                guard let refusal = condition.refusal else { return writer.null() }
                writer.object {
                    $0.member("at", refusal.at.description)
                    $0.member("reason", refusal.reason.code)
                    $0.member("status", refusal.reason.status)
                }
            }
            $0.member("down", condition.isDown)
            $0.member("resumesAt", condition.resumesAt.flatMap { now < $0 ? $0.description : nil })
            $0.member("waiting", waiting)
            $0.member("failed", failed)
        }
    }
}

extension WebhookDelivery {
    /// Writes the delivery as registrars see it.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", String(number))
            $0.member("message", message)
            $0.member("type", event.rawValue)
            $0.member("subject") { writer in
                writer.object {
                    $0.member("kind", subject.kind.rawValue)
                    $0.member("id", subject.id)
                }
            }
            $0.member("at", at.description)
            $0.member("queuedAt", queuedAt.description)
            $0.member("attempts", attempts)
            $0.member("dueAt", dueAt?.description)
            $0.member("reason", failure?.code)
            $0.member("status", failure?.status)
            $0.member("failedAt", failedAt?.description)
        }
    }
}

extension WebhookEvent {
    fileprivate var json: JSON { .string(rawValue) }
}
