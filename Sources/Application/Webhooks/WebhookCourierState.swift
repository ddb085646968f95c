import Institutions
import Shared
import Synchronization

/// How far this server has read the logs for webhooks that wanted nothing since their stored places.
final class ReachedPlaces: Sendable {
    private let places = Mutex<[WebhookID: WebhookProgress]>([:])

    /// Returns the place from which a webhook reads on.
    func place(of webhook: WebhookID, storedAs stored: WebhookProgress) -> WebhookProgress {
        guard let reached = places.withLock({ $0[webhook] }), stored.isUpTo(reached) else { return stored }
        return reached
    }

    func set(_ place: WebhookProgress, for webhook: WebhookID) { places.withLock { $0[webhook] = place } }

    /// Returns the places that lie beyond the stored ones, and forgets the others.
    func places(beyond stored: [WebhookProgress: [Webhook]]) -> [WebhookProgress: [WebhookID]] {
        let beyond = stored.flatMap { place, webhooks in
            webhooks.map { (id: $0.id, reached: self.place(of: $0.id, storedAs: place), stored: place) }
        }.filter { $0.reached != $0.stored }
        places.withLock { $0 = Dictionary(uniqueKeysWithValues: beyond.map { ($0.id, $0.reached) }) }
        return Dictionary(grouping: beyond, by: \.reached).mapValues { $0.map(\.id) }
    }
}

/// The webhooks to which this server is sending, and those that it leaves alone for a while because it could not.
final class ServedWebhooks: Sendable {
    /// How many webhooks are served at once.
    private static let most = 8
    /// How many webhooks of one institution are served at once, so that slow receivers leave room for others.
    private static let mostOfInstitution = 2
    /// The first and the longest pause after a webhook could not be served.
    private static let pauses = (first: Duration.seconds(5), longest: Duration.seconds(60))

    private struct Pause {
        let length: Duration
        let end: ContinuousClock.Instant
    }

    private struct State {
        var running: Set<DueWebhook> = []
        var pauses: [WebhookID: Pause] = [:]
    }

    private let state = Mutex(State())

    /// Begins to serve a webhook; `false` if that is under way, has to wait, or would be too much.
    func begin(_ webhook: DueWebhook, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard state.running.count < Self.most,
                state.running.count(where: { $0.institution == webhook.institution }) < Self.mostOfInstitution,
                (state.pauses[webhook.id]?.end ?? now) <= now
            else { return false }
            return state.running.insert(webhook).inserted
        }
    }

    /// Ends the service of a webhook. One that could not be served waits for a while, longer each time.
    func end(_ webhook: DueWebhook, wasServed: Bool, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.running.remove(webhook)
            guard !wasServed else { return state.pauses[webhook.id] = nil }
            let length = state.pauses[webhook.id].map { min($0.length * 2, Self.pauses.longest) } ?? Self.pauses.first
            state.pauses[webhook.id] = Pause(length: length, end: now + length)
        }
    }
}
