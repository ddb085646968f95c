public import Forms
import GradingKit
package import Shared

/// A request to create a webhook, as far as it could be read.
public struct WebhookCreation: Sendable {
    package let title: String?
    package let url: String?
    package let events: Set<WebhookEvent>
    package let program: ProgramID?
    package let content: Webhook.Content
    package let isEnabled: Bool

    /// The form of a request to create a webhook.
    public static let form = RequestForm(
        "WebhookInput",
        example: [
            "title": "Registry", "url": "https://registry.example.org/grades", "events": ["record.changed"],
        ]
    ) { WebhookCreation(&$0) }

    private init(_ form: inout Form) {
        title = form.line("title", max: Webhook.longestTitle, required: true)
        url = form.line("url", max: Webhook.longestURL, required: true)
        events = form.events(required: true) ?? []
        program = form.text("program").map { ProgramID($0) }
        content = form.choice("content", of: Webhook.Content.self) ?? .ids
        isEnabled = form.flag("enabled") ?? true
    }
}

/// A request to change a webhook, as far as it could be read; a value of `nil` leaves the member unchanged.
public struct WebhookEdit: Sendable {
    package let title: String?
    package let url: String?
    package let events: Set<WebhookEvent>?
    package let clearsProgram: Bool
    package let program: ProgramID?
    package let content: Webhook.Content?
    package let isEnabled: Bool?

    /// The form of a request to change a webhook.
    public static let form = RequestForm("WebhookEdit", example: ["enabled": true]) { WebhookEdit(&$0) }

    private init(_ form: inout Form) {
        title = form.line("title", max: Webhook.longestTitle, required: form.ifPresent("title"))
        url = form.line("url", max: Webhook.longestURL, required: form.ifPresent("url"))
        events = form.events(required: form.ifPresent("events"))
        clearsProgram = form.clears("program")
        program = form.text("program").map { ProgramID($0) }
        content = form.choice("content", of: Webhook.Content.self, required: form.ifPresent("content"))
        isEnabled = form.flag("enabled", required: form.ifPresent("enabled"))
    }
}

extension Form {
    fileprivate mutating func events(required: Bool) -> Set<WebhookEvent>? {
        choices("events", of: WebhookEvent.allCases, most: WebhookEvent.allCases.count, required: required)
    }
}
