import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let webhookSending: [StoreLaw] = [
        StoreLaw("one server sends to a webhook at a time, and one whose lease was taken stores nothing") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            let store = place.data.webhooks
            try expect(
                try await store.claimWebhook(Sample.webhookLease, at: Sample.now), is: nil, "a claim without work")
            try await place.queueEvents(["a"], after: 1)
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [Sample.dueWebhook], "who is due")
            _ = try await required(store.claimWebhook(Sample.webhookLease, at: Sample.now))
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [], "who is due meanwhile")
            let other = WebhookLease(on: WebhookID("w"), token: "u")
            try expect(try await store.claimWebhook(other, at: Sample.now), is: nil, "a second claim")
            let later = Sample.now.adding(seconds: WebhookLease.duration)
            _ = try await required(store.claimWebhook(other, at: later))
            try expect(try await place.settleEvents(["a": Sample.accepted]), is: nil, "what the first one stores")
            try expect(try await place.dueEvents(), is: ["a1"], "what is still due")
            try await store.releaseWebhook(Sample.webhookLease)
            try expect(try await store.dueWebhooks(at: later, limit: 9), is: [], "who is due for a third")
            try await store.releaseWebhook(other)
            try expect(try await store.dueWebhooks(at: later, limit: 9), is: [Sample.dueWebhook], "who is due at last")
        },
        StoreLaw("a webhook that is off, paused or full neither reads on nor is due") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a"], after: 1)
            let store = place.data.webhooks
            var off = Sample.webhook()
            off.isEnabled = false
            let disabled = off
            try await place.changeWebhooks { _ in WebhookPlan([.update(disabled)]) }
            try expect(try await store.webhookProgress().isEmpty, "it does not read on")
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [], "who is due while it is off")
            try expect(try await store.webhookBacklog().waiting, is: 0, "the backlog while it is off")
            (off.isEnabled, off.condition.resumesAt) = (true, Sample.now.adding(seconds: 1))
            let paused = off
            try await place.changeWebhooks { _ in WebhookPlan([.update(paused)]) }
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [], "who is due while it is paused")
            let later = Sample.now.adding(seconds: 1)
            try expect(try await store.dueWebhooks(at: later, limit: 9), is: [Sample.dueWebhook], "who is due then")
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
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a", "a"], after: 1)
            _ = try await required(place.data.webhooks.claimWebhook(Sample.webhookLease, at: Sample.now))
            let anew = try await place.reopened()
            let counted = try await anew.data.webhooks.webhooks(of: InstitutionID("school"))
            try expect(counted.map(\.waiting), is: [2], "how many wait")
            await anew.close()
        },
        StoreLaw("a change of a record tells its program, its student and the figures that it moved") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
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
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a"], after: 1)
            _ = try await required(place.data.webhooks.claimWebhook(Sample.webhookLease, at: Sample.now))
            let end: Int64 = 3 * 86_400
            try await place.refuseEvents(of: "a", after: end)
            let store = place.data.webhooks
            let failed = Sample.now.adding(seconds: end + 3 * 1_800)
            try await store.forgetWebhookDeliveries(failedBefore: failed)
            try expect(try await store.webhooks(of: InstitutionID("school")).map(\.failed), is: [1], "what is kept")
            try await store.forgetWebhookDeliveries(failedBefore: failed.adding(seconds: 1))
            try expect(try await store.webhooks(of: InstitutionID("school")).map(\.failed), is: [0], "what is left")
        },
        StoreLaw("a webhook that is turned on or has another address lets all that waits begin anew") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a", "a"], after: 1)
            _ = try await required(place.data.webhooks.claimWebhook(Sample.webhookLease, at: Sample.now))
            _ = try await required(place.settleEvents(["a": Sample.refused]))
            let later = Sample.now.adding(seconds: 1)
            try expect(try await place.dueEvents(after: 1), is: [], "what is due after an attempt")
            try await place.changeWebhooks { _ in WebhookPlan([.restart(WebhookID("w"), at: later)]) }
            let waiting = try await place.data.webhooks.webhookDeliveries(
                of: WebhookID("w"), .waiting, after: 0, limit: 9)
            try expect(waiting.map(\.dueAt), is: [later, nil], "when they are due")
            try expect(waiting.map(\.queuedAt), is: [later, later], "when they joined the queue")
            try expect(waiting.map(\.attempts), is: [0, 0], "their attempts")
            try expect(waiting.map(\.failure), is: [nil, nil], "their failures")
        },
        StoreLaw("a receiver that is back gets at once what waits, but what it has rejected") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a", "b", "c"], after: 1)
            _ = try await required(place.data.webhooks.claimWebhook(Sample.webhookLease, at: Sample.now))
            let rejected = WebhookReply.answered(status: 422, retryAfter: nil, excerpt: "")
            _ = try await required(place.settleEvents(["a": rejected, "b": Sample.refused]))
            try expect(try await place.dueEvents(), is: ["c3"], "what is due of the three")
            var down = try required(try await place.data.webhooks.webhooks(of: InstitutionID("school")).first).webhook
            down.condition.failures = 9
            let wanted = down
            try await place.changeWebhooks { _ in WebhookPlan([.update(wanted)]) }
            _ = try await required(place.settleEvents(["c": Sample.accepted]))
            try expect(try await place.dueEvents(), is: ["b2"], "what is due once it is back")
        },
        StoreLaw("one with the fewest attempts tries a receiver that is down") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a", "b"], after: 1)
            _ = try await required(place.data.webhooks.claimWebhook(Sample.webhookLease, at: Sample.now))
            _ = try await required(place.settleEvents(["a": Sample.refused]))
            let later = Sample.now.adding(seconds: 86_400)
            let store = place.data.webhooks
            let usual = try await store.dueDeliveries(of: WebhookID("w"), at: later, limit: 1, isProbe: false)
            let probe = try await store.dueDeliveries(of: WebhookID("w"), at: later, limit: 1, isProbe: true)
            try expect((usual + probe).map(\.subject.id), is: ["b", "b"], "which one is sent")
            _ = try await required(place.settleEvents(["b": Sample.refused], after: 1))
            _ = try await required(place.settleEvents(["b": Sample.refused], after: 6))
            let next = try await store.dueDeliveries(of: WebhookID("w"), at: later, limit: 1, isProbe: true)
            try expect(next.map(\.subject.id), is: ["a"], "which one is sent then")
        },
        StoreLaw("a moment that only a wrong clock can have set holds up nothing") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a"], after: 1)
            let store = place.data.webhooks
            _ = try await required(store.claimWebhook(Sample.webhookLease, at: Sample.now))
            _ = try await required(place.settleEvents(["a": Sample.refused]))
            try await store.releaseWebhook(Sample.webhookLease)
            let early = Sample.now.adding(seconds: -Webhook.longestPause)
            try expect(try await store.dueWebhooks(at: early, limit: 9), is: [Sample.dueWebhook], "who is due")
            _ = try await required(store.claimWebhook(Sample.webhookLease, at: early))
            try expect(try await place.dueEvents(after: -Webhook.longestPause), is: ["a1"], "what is due")
            try await store.releaseWebhook(Sample.webhookLease)
            var paused = Sample.webhook()
            paused.condition.resumesAt = Sample.now
            let wanted = paused
            try await place.changeWebhooks { _ in WebhookPlan([.update(wanted)]) }
            try expect(
                try await store.dueWebhooks(at: early, limit: 9), is: [Sample.dueWebhook],
                "who is due in spite of a rest")
        },
        StoreLaw("a place that was read without an event is kept, and none before it gets events") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
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
            try expect(try await place.dueEvents(), is: [], "what is due of a place before it")
            try await store.queue(slice(far + 1, far + 2, ["b"]), for: [WebhookID("w")], at: Sample.now)
            try expect(try await place.dueEvents(), is: ["b\(far + 2)"], "what is due of a place behind it")
        },
        StoreLaw("a former secret is deleted once it signs no more") { place in
            try await place.makeInstitution()
            var rotated = Sample.webhook()
            rotated.secrets = WebhookSecrets(current: [4], former: [5], formerUntil: Sample.now)
            try await place.makeWebhook(Sample.webhook())
            let wanted = rotated
            try await place.changeWebhooks { _ in WebhookPlan([.update(wanted)]) }
            let store = place.data.webhooks
            func secrets() async throws -> [WebhookSecrets] {
                try await store.webhooks(of: InstitutionID("school")).map(\.webhook.secrets)
            }
            try await store.forgetWebhookSecrets(at: Sample.now.adding(seconds: -1))
            try expect(try await secrets(), is: [rotated.secrets], "the secrets before")
            try await store.forgetWebhookSecrets(at: Sample.now)
            try expect(try await secrets(), is: [WebhookSecrets(current: [4])], "the secrets after")
        },
        StoreLaw("an attempt that failed before a webhook began anew says nothing, and one that was accepted counts") {
            place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a", "b"], after: 1)
            let store = place.data.webhooks
            _ = try await required(store.claimWebhook(Sample.webhookLease, at: Sample.now))
            let sent = try await store.dueDeliveries(of: WebhookID("w"), at: Sample.now, limit: 9, isProbe: false)
            let later = Sample.now.adding(seconds: 1)
            try await place.changeWebhooks { _ in WebhookPlan([.restart(WebhookID("w"), at: later)]) }
            let gone = WebhookReply.answered(status: 410, retryAfter: nil, excerpt: "")
            let attempts = zip(sent, [gone, Sample.accepted]).map { WebhookAttempt(of: $0, reply: $1, jitter: 0) }
            let settled = try await required(store.settle(attempts, under: Sample.webhookLease, at: later))
            try expect(settled.webhook.isEnabled, "the webhook stays on")
            try expect(settled.webhook.condition.refusal, is: nil, "what is known of refusals")
            let waiting = try await store.webhookDeliveries(of: WebhookID("w"), .waiting, after: 0, limit: 9)
            try expect(waiting.map(\.subject.id), is: ["a"], "what waits")
            try expect(waiting.map(\.attempts), is: [0], "its attempts")
            try expect(waiting.map(\.dueAt), is: [later], "when it is due")
        },
        StoreLaw("a receiver that is down is tried with what is due later as well") { place in
            try await place.makeInstitution()
            try await place.makeWebhook(Sample.webhook())
            try await place.queueEvents(["a"], after: 1)
            let store = place.data.webhooks
            _ = try await required(store.claimWebhook(Sample.webhookLease, at: Sample.now))
            _ = try await required(place.settleEvents(["a": Sample.refused]))
            try await store.releaseWebhook(Sample.webhookLease)
            let later = Sample.now.adding(seconds: 1)
            try expect(try await store.dueWebhooks(at: later, limit: 9), is: [], "who is due while it works")
            var down = Sample.webhook()
            (down.condition.failures, down.condition.resumesAt) = (WebhookCondition.downAfter, later)
            let wanted = down
            try await place.changeWebhooks { _ in WebhookPlan([.update(wanted)]) }
            try expect(try await store.dueWebhooks(at: Sample.now, limit: 9), is: [], "who is due before its probe")
            try expect(
                try await store.dueWebhooks(at: later, limit: 9), is: [Sample.dueWebhook], "who is due for its probe")
            let probe = try await store.dueDeliveries(of: WebhookID("w"), at: later, limit: 1, isProbe: true)
            try expect(probe.map(\.subject.id), is: ["a"], "what tries it")
        },
    ]
}
