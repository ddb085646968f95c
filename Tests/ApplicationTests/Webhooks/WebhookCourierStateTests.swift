import Institutions
import Shared
import Testing

@testable import Application

@Suite struct `Webhooks that are served` {
    private static let now = ContinuousClock.now

    private func webhook(_ id: String, of institution: String = "school") -> DueWebhook {
        DueWebhook(WebhookID(id), of: InstitutionID(institution))
    }

    @Test func `are served once at a time`() {
        let served = ServedWebhooks()
        #expect(served.begin(webhook("a"), at: Self.now))
        #expect(!served.begin(webhook("a"), at: Self.now))
        served.end(webhook("a"), wasServed: true, at: Self.now)
        #expect(served.begin(webhook("a"), at: Self.now))
    }

    @Test func `are two of one institution, and eight of all`() {
        let served = ServedWebhooks()
        #expect(["a", "b", "c"].map { served.begin(webhook($0), at: Self.now) } == [true, true, false])
        let others = (0..<7).map { served.begin(webhook("o\($0)", of: "other \($0)"), at: Self.now) }
        #expect(others == [true, true, true, true, true, true, false])
        served.end(webhook("a"), wasServed: true, at: Self.now)
        #expect(served.begin(webhook("c"), at: Self.now))
    }

    @Test func `wait for a while if they could not be, longer each time, and no longer than a minute`() {
        let served = ServedWebhooks()
        var now = Self.now
        for pause in [5, 10, 20, 40, 60, 60] {
            #expect(served.begin(webhook("a"), at: now))
            served.end(webhook("a"), wasServed: false, at: now)
            #expect(!served.begin(webhook("a"), at: now + .seconds(pause) - .nanoseconds(1)))
            now += .seconds(pause)
        }
        #expect(served.begin(webhook("a"), at: now))
        served.end(webhook("a"), wasServed: true, at: now)
        #expect(served.begin(webhook("a"), at: now))
        served.end(webhook("a"), wasServed: false, at: now)
        #expect(served.begin(webhook("a"), at: now + .seconds(5)))
    }

    @Test func `hold up no other while they wait`() {
        let served = ServedWebhooks()
        for id in ["a", "b"] {
            #expect(served.begin(webhook(id), at: Self.now))
            served.end(webhook(id), wasServed: false, at: Self.now)
        }
        #expect(served.begin(webhook("c"), at: Self.now))
    }
}

@Suite struct `Places that were read without an event` {
    private func place(_ changes: Int, _ audit: Int = 0) -> WebhookProgress {
        WebhookProgress(changes: changes, audit: audit, classes: 0)
    }

    private func webhook(_ id: String) -> Webhook {
        Webhook(
            id: WebhookID(id), institution: InstitutionID("school"), title: "", url: "", events: [], program: nil,
            content: .ids, isEnabled: true, createdAt: Timestamp(microseconds: 0), secrets: WebhookSecrets(current: []))
    }

    @Test func `are where a webhook reads on`() {
        let reached = ReachedPlaces()
        #expect(reached.place(of: WebhookID("a"), storedAs: place(1)) == place(1))
        reached.set(place(5), for: WebhookID("a"))
        #expect(reached.place(of: WebhookID("a"), storedAs: place(1)) == place(5))
    }

    @Test func `give way to stored ones that another server moved further in any log`() {
        let reached = ReachedPlaces()
        reached.set(place(5, 5), for: WebhookID("a"))
        #expect(reached.place(of: WebhookID("a"), storedAs: place(4, 6)) == place(4, 6))
    }

    @Test func `are stored for those that are beyond, and forgotten of others`() {
        let reached = ReachedPlaces()
        for id in ["a", "b", "c", "gone"] { reached.set(place(5), for: WebhookID(id)) }
        let stored = [place(1): [webhook("a"), webhook("b")], place(6): [webhook("c")]]
        #expect(reached.places(beyond: stored).mapValues { $0.map(\.text).sorted() } == [place(5): ["a", "b"]])
        #expect(reached.place(of: WebhookID("gone"), storedAs: place(1)) == place(1))
        #expect(reached.place(of: WebhookID("a"), storedAs: place(1)) == place(5))
    }
}
