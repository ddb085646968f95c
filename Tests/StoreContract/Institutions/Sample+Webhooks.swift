import DataStore
import Institutions
import Records
import Shared

extension Sample {
    /// A claim of the webhook `w`.
    static let webhookLease = WebhookLease(on: WebhookID("w"), token: "t")
    static let dueWebhook = DueWebhook(WebhookID("w"), of: InstitutionID("school"))
    static let accepted = WebhookReply.answered(status: 204, retryAfter: nil, excerpt: "")
    static let refused = WebhookReply.answered(status: 500, retryAfter: nil, excerpt: "")

    static func webhook(_ id: String = "w", of institution: String = "school") -> Webhook {
        Webhook(
            id: WebhookID(id), institution: InstitutionID(institution), title: "Webhook \(id)",
            url: "https://example.org/\(id)", events: Set(WebhookEvent.allCases), program: nil, content: .document,
            isEnabled: true, createdAt: now, secrets: WebhookSecrets(current: [1, 2, 3]))
    }
}

extension StoreUnderTest {
    func makeWebhook(_ webhook: Webhook) async throws {
        try await changeWebhooks(of: webhook.institution) { _ in WebhookPlan([.insert(webhook)]) }
    }

    func changeWebhooks(
        of institution: InstitutionID = InstitutionID("school"),
        _ plan: @escaping @Sendable ([Webhook]) throws -> WebhookPlan<Void>
    ) async throws {
        try await data.webhooks.changeWebhooks(of: institution, plan)
    }

    /// Queues events of subjects, each at the next place of the audit trails.
    func queueEvents(_ subjects: [String], after start: Int) async throws {
        for (progress, found) in try await data.webhooks.webhookProgress() {
            let facts = subjects.enumerated().map { index, subject in
                WebhookFact(
                    .memberChanged, in: InstitutionID("school"), of: nil, about: WebhookSubject(.member, subject),
                    in: .audit, at: start + index, on: Sample.now, link: [UInt8(start + index)])
            }
            let to = WebhookProgress(
                changes: progress.changes, audit: progress.audit + 1_000, classes: progress.classes)
            try await data.webhooks.queue(
                WebhookSlice(from: progress, to: to, isFull: false, facts: facts), for: found.map(\.id), at: Sample.now)
        }
    }

    /// The due deliveries of the webhook `w`, each as its subject and its place.
    func dueEvents(after seconds: Int64 = 0) async throws -> [String] {
        try await data.webhooks.dueDeliveries(
            of: WebhookID("w"), at: Sample.now.adding(seconds: seconds), limit: 10, isProbe: false
        ).map { "\($0.subject.id)\($0.place)" }
    }

    /// Stores replies to the due deliveries of the webhook `w`, by their subjects.
    func settleEvents(_ replies: [String: WebhookReply], after seconds: Int64 = 0) async throws -> Webhook? {
        let now = Sample.now.adding(seconds: seconds)
        let due = try await data.webhooks.dueDeliveries(of: WebhookID("w"), at: now, limit: 10, isProbe: false)
        let attempts = due.compactMap { delivery in
            replies[delivery.subject.id].map { WebhookAttempt(of: delivery, reply: $0, jitter: 0) }
        }
        return try await data.webhooks.settle(attempts, under: Sample.webhookLease, at: now)?.webhook
    }

    /// Refuses what is due of a subject until it is given up.
    func refuseEvents(of subject: String, after seconds: Int64) async throws {
        for attempt in 0..<4 {
            _ = try await required(settleEvents([subject: Sample.refused], after: seconds + Int64(attempt) * 1_800))
        }
    }
}
