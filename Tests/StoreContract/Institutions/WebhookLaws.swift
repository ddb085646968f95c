import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let webhooks: [StoreLaw] = [
        StoreLaw("a webhook is kept whole, and found among those of its institution alone") { place in
            for id in ["school", "other"] { try await place.makeInstitution(id) }
            try await place.makeWebhook(Sample.webhook("w"))
            try await place.makeWebhook(Sample.webhook("v", of: "other"))
            let found = try await place.data.webhooks.webhooks(of: InstitutionID("school"))
            try expect(found, is: [CountedWebhook(Sample.webhook(), waiting: 0, failed: 0)], "the webhooks")
            var other = Sample.webhook()
            (other.title, other.url, other.events, other.program) = ("T", "https://x", [.recordEnded], ProgramID("p"))
            (other.content, other.isEnabled, other.stop) = (.ids, false, .gone)
            other.secrets = WebhookSecrets(current: [4], former: [5], formerUntil: Sample.now)
            (other.condition.failures, other.condition.downSince) = (7, Sample.now)
            (other.condition.resumesAt, other.condition.acceptedAt) = (Sample.now, Sample.now)
            other.condition.refusal = .init(at: Sample.now, reason: .status(503))
            let wanted = other
            try await place.changeWebhooks { _ in WebhookPlan([.update(wanted)]) }
            try expect(
                try await place.data.webhooks.webhooks(of: InstitutionID("school")).map(\.webhook), is: [wanted],
                "the changed one")
            try await place.changeWebhooks { _ in WebhookPlan([.remove(WebhookID("w"))]) }
            try expect(try await place.data.webhooks.webhooks(of: InstitutionID("school")), is: [], "what is left")
        },
        StoreLaw("a webhook begins behind the logs, and hears of every later change once and in order") { place in
            try await place.makeInstitution()
            try await place.store.create("s")
            try await place.makeWebhook(Sample.webhook())
            try await place.store.create("r")
            try await place.store.put("1", in: "r")
            let (position, _) = try await required(place.data.webhooks.webhookProgress().first)
            let slice = try await place.data.webhooks.webhookSlice(after: position, limit: 100)
            let facts = slice.facts.filter { $0.log == .changes }
            try expect(facts.map(\.event), is: [.recordCreated, .recordChanged], "the events")
            try expect(Set(facts.map(\.subject.id)), is: ["r"], "their record")
            let first = try await place.data.webhooks.webhookSlice(after: position, limit: 1)
            try expect(first.isFull, "there is more behind a full slice")
            let rest = try await place.data.webhooks.webhookSlice(after: first.to, limit: 100)
            let both = (first.facts + rest.facts).filter { $0.log == .changes }
            try expect(both.map(\.place), is: facts.map(\.place), "the events of two slices")
        },
        StoreLaw("the events of a slice join the queue once, however often and from wherever it is stored") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            let (position, _) = try await required(place.data.webhooks.webhookProgress().first)
            try await place.queueEvents(["a", "b"], after: 1)
            let again = WebhookSlice(
                from: position, to: position, isFull: false,
                facts: [
                    WebhookFact(
                        .memberChanged, in: InstitutionID("school"), of: nil, about: WebhookSubject(.member, "c"),
                        in: .audit, at: 9, on: Sample.now, link: [9])
                ])
            try await place.data.webhooks.queue(again, for: [WebhookID("w")], at: Sample.now)
            try expect(try await place.dueEvents(), is: ["a1", "b2"], "what is due")
            try await place.queueEvents(["a", "b"], after: 1)
            let counted = try await place.data.webhooks.webhooks(of: InstitutionID("school"))
            try expect(counted.map(\.waiting), is: [2], "how many wait")
        },
        StoreLaw("one delivery of a subject is due at a time, the next once it was accepted or given up") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a", "a", "b", "a"], after: 1)
            _ = try await required(place.data.webhooks.claimWebhook(Sample.webhookLease, at: Sample.now))
            try expect(try await place.dueEvents(), is: ["a1", "b3"], "what is due at first")
            _ = try await required(place.settleEvents(["a": Sample.accepted, "b": Sample.refused]))
            try expect(try await place.dueEvents(), is: ["a2"], "what is due behind an accepted one")
            try expect(try await place.dueEvents(after: 5), is: ["a2", "b3"], "what is due after a pause")
            let end: Int64 = 3 * 86_400
            try await place.refuseEvents(of: "a", after: end)
            try expect(try await place.dueEvents(after: 2 * end).contains("a4"), "the one behind a dead letter is due")
            let letters = try await place.data.webhooks.webhookDeliveries(
                of: WebhookID("w"), .failed, after: 0, limit: 9)
            try expect(letters.map(\.place), is: [2], "the dead letters")
            try expect(letters.map(\.failure), is: [.status(500)], "why it was given up")
        },
        StoreLaw("a dead letter that is sent again goes behind what waits for its subject, under its name") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a", "a", "b"], after: 1)
            _ = try await required(place.data.webhooks.claimWebhook(Sample.webhookLease, at: Sample.now))
            let end: Int64 = 3 * 86_400
            _ = try await required(place.settleEvents(["b": Sample.accepted]))
            try await place.refuseEvents(of: "a", after: end)
            let store = place.data.webhooks
            let letter = try await required(
                store.webhookDeliveries(of: WebhookID("w"), .failed, after: 0, limit: 9).first)
            let later = Sample.now.adding(seconds: 2 * end)
            let act = AuditContext(by: nil, from: "test", at: later)
            let count = try await store.resendWebhookDeliveries(of: WebhookID("w"), nil, at: later, under: []) {
                act.entry("webhook.resent", of: "w", in: InstitutionID("school"), detail: Array("\($0)".utf8))
            }
            try expect(count, is: 1, "how many")
            try expect(try await place.dueEvents(after: 2 * end), is: ["a2"], "what is due")
            let waiting = try await store.webhookDeliveries(of: WebhookID("w"), .waiting, after: 0, limit: 9)
            try expect(waiting.map(\.message).last, is: letter.message, "the name of the last one")
            _ = try await required(place.settleEvents(["a": Sample.accepted], after: 2 * end))
            try expect(try await place.dueEvents(after: 2 * end), is: ["a1"], "what is due then")
            let none = try await store.resendWebhookDeliveries(of: WebhookID("w"), 99, at: later, under: []) { _ in
                act.entry("webhook.resent", of: "w")
            }
            try expect(none, is: 0, "what is sent again of a number that is none")
        },
    ]
}
