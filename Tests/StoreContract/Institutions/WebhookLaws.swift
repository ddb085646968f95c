import DataStore
import GradingKit
import Institutions
import Records
import Shared

extension StoreLaw {
    private static let token = WebhookLease(on: WebhookID("w"), token: "t")
    private static let dueOne = DueWebhook(WebhookID("w"), of: InstitutionID("school"))

    private static func webhook(_ id: String = "w", of institution: String = "school") -> Webhook {
        Webhook(
            id: WebhookID(id), institution: InstitutionID(institution), title: "Webhook \(id)",
            url: "https://example.org/\(id)", events: Set(WebhookEvent.allCases), program: nil, content: .document,
            isEnabled: true, createdAt: Sample.now, secrets: WebhookSecrets(current: [1, 2, 3]))
    }

    private static func make(_ webhook: Webhook, at place: any StoreUnderTest) async throws {
        try await change(at: place, of: webhook.institution) { _ in WebhookPlan([.insert(webhook)]) }
    }

    private static func change(
        at place: any StoreUnderTest, of institution: InstitutionID = InstitutionID("school"),
        _ plan: @escaping @Sendable ([Webhook]) throws -> WebhookPlan<Void>
    ) async throws {
        try await place.data.webhooks.changeWebhooks(of: institution, plan)
    }

    /// Queues events of subjects, each at the next place of the audit trails.
    private static func queue(_ subjects: [String], after start: Int, at place: any StoreUnderTest) async throws {
        let store = place.data.webhooks
        for (progress, found) in try await store.webhookProgress() {
            let facts = subjects.enumerated().map { index, subject in
                WebhookFact(
                    .memberChanged, in: InstitutionID("school"), of: nil, about: WebhookSubject(.member, subject),
                    in: .audit, at: start + index, on: Sample.now, link: [UInt8(start + index)])
            }
            let to = WebhookProgress(
                changes: progress.changes, audit: progress.audit + 1_000, classes: progress.classes)
            try await store.queue(
                WebhookSlice(from: progress, to: to, isFull: false, facts: facts), for: found.map(\.id),
                at: Sample.now)
        }
    }

    private static func due(at place: any StoreUnderTest, after seconds: Int64 = 0) async throws -> [String] {
        try await place.data.webhooks.dueDeliveries(
            of: WebhookID("w"), at: Sample.now.adding(seconds: seconds), limit: 10, isProbe: false
        ).map { "\($0.subject.id)\($0.place)" }
    }

    private static func settle(
        _ replies: [String: WebhookReply], at place: any StoreUnderTest, after seconds: Int64 = 0
    ) async throws -> Webhook? {
        let now = Sample.now.adding(seconds: seconds)
        let due = try await place.data.webhooks.dueDeliveries(
            of: WebhookID("w"), at: now, limit: 10, isProbe: false)
        let attempts = due.compactMap { delivery in
            replies[delivery.subject.id].map { WebhookAttempt(of: delivery, reply: $0, jitter: 0) }
        }
        return try await place.data.webhooks.settle(attempts, under: token, at: now)?.webhook
    }

    /// Refuses what is due of a subject until it is given up.
    private static func refuse(_ subject: String, at place: any StoreUnderTest, after seconds: Int64) async throws {
        for attempt in 0..<4 {
            _ = try await required(settle([subject: refused], at: place, after: seconds + Int64(attempt) * 1_800))
        }
    }

    private static let accepted = WebhookReply.answered(status: 204, retryAfter: nil, excerpt: "")
    private static let refused = WebhookReply.answered(status: 500, retryAfter: nil, excerpt: "")

    static let webhooks: [StoreLaw] = [
        StoreLaw("a webhook is kept whole, and found among those of its institution alone") { place in
            for id in ["school", "other"] { try await place.makeInstitution(id) }
            try await make(webhook("w"), at: place)
            try await make(webhook("v", of: "other"), at: place)
            let found = try await place.data.webhooks.webhooks(of: InstitutionID("school"))
            try expect(found, is: [CountedWebhook(webhook(), waiting: 0, failed: 0)], "the webhooks")
            var other = webhook()
            (other.title, other.url, other.events, other.program) = ("T", "https://x", [.recordEnded], ProgramID("p"))
            (other.content, other.isEnabled, other.stop) = (.ids, false, .gone)
            other.secrets = WebhookSecrets(current: [4], former: [5], formerUntil: Sample.now)
            (other.condition.failures, other.condition.downSince) = (7, Sample.now)
            (other.condition.resumesAt, other.condition.acceptedAt) = (Sample.now, Sample.now)
            other.condition.refusal = .init(at: Sample.now, reason: .status(503))
            let wanted = other
            try await change(at: place) { _ in WebhookPlan([.update(wanted)]) }
            try expect(
                try await place.data.webhooks.webhooks(of: InstitutionID("school")).map(\.webhook), is: [wanted],
                "the changed one")
            try await change(at: place) { _ in WebhookPlan([.remove(WebhookID("w"))]) }
            try expect(try await place.data.webhooks.webhooks(of: InstitutionID("school")), is: [], "what is left")
        },
        StoreLaw("a webhook begins behind the logs, and hears of every later change once and in order") { place in
            try await place.makeInstitution()
            try await place.store.create("s")
            try await make(webhook(), at: place)
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
            try await make(webhook(), at: place)
            let (position, _) = try await required(place.data.webhooks.webhookProgress().first)
            try await queue(["a", "b"], after: 1, at: place)
            let again = WebhookSlice(
                from: position, to: position, isFull: false,
                facts: [
                    WebhookFact(
                        .memberChanged, in: InstitutionID("school"), of: nil, about: WebhookSubject(.member, "c"),
                        in: .audit, at: 9, on: Sample.now, link: [9])
                ])
            try await place.data.webhooks.queue(again, for: [WebhookID("w")], at: Sample.now)
            try expect(try await due(at: place), is: ["a1", "b2"], "what is due")
            try await queue(["a", "b"], after: 1, at: place)
            let counted = try await place.data.webhooks.webhooks(of: InstitutionID("school"))
            try expect(counted.map(\.waiting), is: [2], "how many wait")
        },
        StoreLaw("one delivery of a subject is due at a time, the next once it was accepted or given up") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a", "a", "b", "a"], after: 1, at: place)
            _ = try await required(place.data.webhooks.claimWebhook(token, at: Sample.now))
            try expect(try await due(at: place), is: ["a1", "b3"], "what is due at first")
            _ = try await required(settle(["a": accepted, "b": refused], at: place))
            try expect(try await due(at: place), is: ["a2"], "what is due behind an accepted one")
            try expect(try await due(at: place, after: 5), is: ["a2", "b3"], "what is due after a pause")
            let end: Int64 = 3 * 86_400
            try await refuse("a", at: place, after: end)
            try expect(try await due(at: place, after: 2 * end).contains("a4"), "the one behind a dead letter is due")
            let letters = try await place.data.webhooks.webhookDeliveries(
                of: WebhookID("w"), .failed, after: 0, limit: 9)
            try expect(letters.map(\.place), is: [2], "the dead letters")
            try expect(letters.map(\.failure), is: [.status(500)], "why it was given up")
        },
        StoreLaw("a dead letter that is sent again goes behind what waits for its subject, under its name") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a", "a", "b"], after: 1, at: place)
            _ = try await required(place.data.webhooks.claimWebhook(token, at: Sample.now))
            let end: Int64 = 3 * 86_400
            _ = try await required(settle(["b": accepted], at: place))
            try await refuse("a", at: place, after: end)
            let store = place.data.webhooks
            let letter = try await required(
                store.webhookDeliveries(of: WebhookID("w"), .failed, after: 0, limit: 9).first)
            let later = Sample.now.adding(seconds: 2 * end)
            let act = AuditContext(by: nil, from: "test", at: later)
            let count = try await store.resendWebhookDeliveries(of: WebhookID("w"), nil, at: later, under: []) {
                act.entry("webhook.resent", of: "w", in: InstitutionID("school"), detail: Array("\($0)".utf8))
            }
            try expect(count, is: 1, "how many")
            try expect(try await due(at: place, after: 2 * end), is: ["a2"], "what is due")
            let waiting = try await store.webhookDeliveries(of: WebhookID("w"), .waiting, after: 0, limit: 9)
            try expect(waiting.map(\.message).last, is: letter.message, "the name of the last one")
            _ = try await required(settle(["a": accepted], at: place, after: 2 * end))
            try expect(try await due(at: place, after: 2 * end), is: ["a1"], "what is due then")
            let none = try await store.resendWebhookDeliveries(of: WebhookID("w"), 99, at: later, under: []) { _ in
                act.entry("webhook.resent", of: "w")
            }
            try expect(none, is: 0, "what is sent again of a number that is none")
        },
        StoreLaw("one server sends to a webhook at a time, and one whose lease was taken stores nothing") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            let store = place.data.webhooks
            try expect(try await store.claimWebhook(token, at: Sample.now), is: nil, "a claim without work")
            try await queue(["a"], after: 1, at: place)
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [dueOne], "who is due")
            _ = try await required(store.claimWebhook(token, at: Sample.now))
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [], "who is due meanwhile")
            let other = WebhookLease(on: WebhookID("w"), token: "u")
            try expect(try await store.claimWebhook(other, at: Sample.now), is: nil, "a second claim")
            let later = Sample.now.adding(seconds: WebhookLease.duration)
            _ = try await required(store.claimWebhook(other, at: later))
            try expect(try await settle(["a": accepted], at: place), is: nil, "what the first one stores")
            try expect(try await due(at: place), is: ["a1"], "what is still due")
            try await store.releaseWebhook(token)
            try expect(try await store.dueWebhooks(at: later, limit: 9), is: [], "who is due for a third")
            try await store.releaseWebhook(other)
            try expect(try await store.dueWebhooks(at: later, limit: 9), is: [dueOne], "who is due at last")
        },
        StoreLaw("a webhook that is off, paused or full neither reads on nor is due") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a"], after: 1, at: place)
            let store = place.data.webhooks
            var off = webhook()
            off.isEnabled = false
            let disabled = off
            try await change(at: place) { _ in WebhookPlan([.update(disabled)]) }
            try expect(try await store.webhookProgress().isEmpty, "it does not read on")
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [], "who is due while it is off")
            try expect(try await store.webhookBacklog().waiting, is: 0, "the backlog while it is off")
            (off.isEnabled, off.condition.resumesAt) = (true, Sample.now.adding(seconds: 1))
            let paused = off
            try await change(at: place) { _ in WebhookPlan([.update(paused)]) }
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [], "who is due while it is paused")
            let later = Sample.now.adding(seconds: 1)
            try expect(try await store.dueWebhooks(at: later, limit: 9), is: [dueOne], "who is due then")
            try expect(try await store.webhookBacklog().oldest, is: Sample.now, "since when it waits")
            let many = (0..<Webhook.mostWaiting).map { _ in "b" }
            for start in stride(from: 0, to: many.count, by: 200) {
                let (position, _) = try await required(store.webhookProgress().first)
                let facts = (start..<start + 200).map { number in
                    WebhookFact(
                        .memberChanged, in: InstitutionID("school"), of: nil, about: WebhookSubject(.member, "b"),
                        in: .audit, at: number, on: Sample.now, link: [1, UInt8(number % 256), UInt8(number / 256)])
                }
                let to = WebhookProgress(
                    changes: position.changes, audit: position.audit + 1, classes: position.classes)
                try await store.queue(
                    WebhookSlice(from: position, to: to, isFull: true, facts: facts), for: [WebhookID("w")],
                    at: Sample.now)
            }
            try expect(try await store.webhookProgress().isEmpty, "a full one does not read on")
        },
        StoreLaw("what waits for a webhook waits on when the store is opened anew") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a", "a"], after: 1, at: place)
            _ = try await required(place.data.webhooks.claimWebhook(token, at: Sample.now))
            let anew = try await place.reopened()
            let counted = try await anew.data.webhooks.webhooks(of: InstitutionID("school"))
            try expect(counted.map(\.waiting), is: [2], "how many wait")
            await anew.close()
        },
        StoreLaw("a change of a record tells its program, its student and the figures that it moved") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await place.store.create("r")
            try await place.store.put("1", in: "r")
            let (position, found) = try await required(place.data.webhooks.webhookProgress().first)
            let slice = try await place.data.webhooks.webhookSlice(after: position, limit: 100)
            try await place.data.webhooks.queue(slice, for: found.map(\.id), at: Sample.now)
            let waiting = try await place.data.webhooks.webhookDeliveries(
                of: WebhookID("w"), .waiting, after: 0, limit: 9
            ).filter { $0.log == .changes }
            let told = try await place.data.webhooks.particulars(of: waiting)
            let last = try required(waiting.last.flatMap { told[$0.number] })
            let wanted = WebhookParticulars(
                program: ProgramID("program"), student: Sample.student, version: 2, act: "patch", entry: "e1",
                figures: [])
            try expect(last, is: wanted, "what it tells")
        },
        StoreLaw("dead letters are kept for a time") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a"], after: 1, at: place)
            _ = try await required(place.data.webhooks.claimWebhook(token, at: Sample.now))
            let end: Int64 = 3 * 86_400
            try await refuse("a", at: place, after: end)
            let store = place.data.webhooks
            let failed = Sample.now.adding(seconds: end + 3 * 1_800)
            try await store.forgetWebhookDeliveries(failedBefore: failed)
            try expect(try await store.webhooks(of: InstitutionID("school")).map(\.failed), is: [1], "what is kept")
            try await store.forgetWebhookDeliveries(failedBefore: failed.adding(seconds: 1))
            try expect(try await store.webhooks(of: InstitutionID("school")).map(\.failed), is: [0], "what is left")
        },
        StoreLaw("a webhook that is turned on or has another address lets all that waits begin anew") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a", "a"], after: 1, at: place)
            _ = try await required(place.data.webhooks.claimWebhook(token, at: Sample.now))
            _ = try await required(settle(["a": refused], at: place))
            let later = Sample.now.adding(seconds: 1)
            try expect(try await due(at: place, after: 1), is: [], "what is due after an attempt")
            try await change(at: place) { _ in WebhookPlan([.restart(WebhookID("w"), at: later)]) }
            let waiting = try await place.data.webhooks.webhookDeliveries(
                of: WebhookID("w"), .waiting, after: 0, limit: 9)
            try expect(waiting.map(\.dueAt), is: [later, nil], "when they are due")
            try expect(waiting.map(\.queuedAt), is: [later, later], "when they joined the queue")
            try expect(waiting.map(\.attempts), is: [0, 0], "their attempts")
            try expect(waiting.map(\.failure), is: [nil, nil], "their failures")
        },
        StoreLaw("a receiver that is back gets at once what waits, but what it has rejected") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a", "b", "c"], after: 1, at: place)
            _ = try await required(place.data.webhooks.claimWebhook(token, at: Sample.now))
            let rejected = WebhookReply.answered(status: 422, retryAfter: nil, excerpt: "")
            _ = try await required(settle(["a": rejected, "b": refused], at: place))
            try expect(try await due(at: place), is: ["c3"], "what is due of the three")
            var down = try required(try await place.data.webhooks.webhooks(of: InstitutionID("school")).first).webhook
            down.condition.failures = 9
            let wanted = down
            try await change(at: place) { _ in WebhookPlan([.update(wanted)]) }
            _ = try await required(settle(["c": accepted], at: place))
            try expect(try await due(at: place), is: ["b2"], "what is due once it is back")
        },
        StoreLaw("one with the fewest attempts tries a receiver that is down") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a", "b"], after: 1, at: place)
            _ = try await required(place.data.webhooks.claimWebhook(token, at: Sample.now))
            _ = try await required(settle(["a": refused], at: place))
            let later = Sample.now.adding(seconds: 86_400)
            let store = place.data.webhooks
            let usual = try await store.dueDeliveries(of: WebhookID("w"), at: later, limit: 1, isProbe: false)
            let probe = try await store.dueDeliveries(of: WebhookID("w"), at: later, limit: 1, isProbe: true)
            try expect((usual + probe).map(\.subject.id), is: ["b", "b"], "which one is sent")
            _ = try await required(settle(["b": refused], at: place, after: 1))
            _ = try await required(settle(["b": refused], at: place, after: 6))
            let next = try await store.dueDeliveries(of: WebhookID("w"), at: later, limit: 1, isProbe: true)
            try expect(next.map(\.subject.id), is: ["a"], "which one is sent then")
        },
        StoreLaw("a moment that only a wrong clock can have set holds up nothing") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            try await queue(["a"], after: 1, at: place)
            let store = place.data.webhooks
            _ = try await required(store.claimWebhook(token, at: Sample.now))
            _ = try await required(settle(["a": refused], at: place))
            try await store.releaseWebhook(token)
            let early = Sample.now.adding(seconds: -Webhook.longestPause)
            try expect(try await store.dueWebhooks(at: early, limit: 9), is: [dueOne], "who is due")
            _ = try await required(store.claimWebhook(token, at: early))
            try expect(try await due(at: place, after: -Webhook.longestPause), is: ["a1"], "what is due")
            try await store.releaseWebhook(token)
            var paused = webhook()
            paused.condition.resumesAt = Sample.now
            let wanted = paused
            try await change(at: place) { _ in WebhookPlan([.update(wanted)]) }
            try expect(try await store.dueWebhooks(at: early, limit: 9), is: [dueOne], "who is due in spite of a rest")
        },
        StoreLaw("a place that was read without an event is kept, and none before it gets events") { place in
            try await place.makeInstitution()
            try await make(webhook(), at: place)
            let store = place.data.webhooks
            let (start, _) = try await required(store.webhookProgress().first)
            func slice(_ from: Int, _ to: Int, _ subjects: [String] = []) -> WebhookSlice {
                WebhookSlice(
                    from: WebhookProgress(changes: start.changes, audit: from, classes: start.classes),
                    to: WebhookProgress(changes: start.changes, audit: to, classes: start.classes), isFull: false,
                    facts: subjects.map { subject in
                        WebhookFact(
                            .memberChanged, in: InstitutionID("school"), of: nil,
                            about: WebhookSubject(.member, subject), in: .audit, at: to, on: Sample.now,
                            link: [UInt8(to % 256)])
                    })
            }
            let far = start.audit + 100
            try await store.queue(slice(far, far), for: [WebhookID("w")], at: Sample.now)
            try expect(try await store.webhookProgress().keys.map(\.audit), is: [far], "the place")
            try await store.queue(slice(far - 1, far + 1, ["a"]), for: [WebhookID("w")], at: Sample.now)
            try expect(try await due(at: place), is: [], "what is due of a place before it")
            try await store.queue(slice(far + 1, far + 2, ["b"]), for: [WebhookID("w")], at: Sample.now)
            try expect(try await due(at: place), is: ["b\(far + 2)"], "what is due of a place behind it")
        },
        StoreLaw("a former secret is deleted once it signs no more") { place in
            try await place.makeInstitution()
            var rotated = webhook()
            rotated.secrets = WebhookSecrets(current: [4], former: [5], formerUntil: Sample.now)
            try await make(webhook(), at: place)
            let wanted = rotated
            try await change(at: place) { _ in WebhookPlan([.update(wanted)]) }
            let store = place.data.webhooks
            func secrets() async throws -> [WebhookSecrets] {
                try await store.webhooks(of: InstitutionID("school")).map(\.webhook.secrets)
            }
            try await store.forgetWebhookSecrets(at: Sample.now.adding(seconds: -1))
            try expect(try await secrets(), is: [rotated.secrets], "the secrets before")
            try await store.forgetWebhookSecrets(at: Sample.now)
            try expect(try await secrets(), is: [WebhookSecrets(current: [4])], "the secrets after")
        },
    ]
}
