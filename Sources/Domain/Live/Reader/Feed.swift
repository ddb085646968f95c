import Shared

/// The conflating core of every reader, whatever its wire form: what it holds of each topic and what it is owed.
///
/// Being woken only marks a topic. When the reader can be written to, it takes the marked topics first come, first
/// served, and looks at the newest version *then*; versions that came and went in between are never seen. So memory is
/// proportional to subscriptions, never to messages, and one hot topic starves no other.
///
/// Guarantees: nothing is delivered while the right to read is in question; within an epoch no version is delivered
/// that is not above what was delivered or held; a new epoch replaces everything.
struct Feed {
    let reader: SubscriberID
    /// Topics of subscriptions that have ended while something of theirs may still be unwritten.
    private var lingering: [TopicID] = []
    private(set) var subscriptions = SubscriptionList()
    private var lastOrder: UInt32 = 0
    private var lastRequest: UInt32 = 0
    private var queued = 0

    init(reader: SubscriberID) { self.reader = reader }

    /// Whether the newest version known of everything has been delivered and nothing is in question. The hub may know
    /// more than this reader has been woken for.
    func isSettled(in hub: Hub) -> Bool {
        subscriptions.allSatisfy { subscription in
            guard subscription.access == .granted, subscription.due == .nothing, let held = subscription.held else {
                return false
            }
            return held.epoch == hub.epochNumber && held.version == hub.version(of: subscription.topicID)
                && hub.isProven(subscription.topicID)
        }
    }

    /// How many permissions are being asked about.
    var openQuestions: Int { subscriptions.count { $0.access != .granted } }

    func contains(_ topic: Topic, in hub: Hub) -> Bool { index(of: topic, in: hub) != nil }

    private func index(of topic: Topic, in hub: Hub) -> Int? {
        hub.id(of: topic).flatMap { subscriptions.index(of: $0) }
    }

    // MARK: Subscribing

    /// Joins the topic at once, so that no update escapes, but delivers nothing before the right to it is
    /// granted.
    ///
    /// - Returns: what to ask; its answer goes to `answered`. `nil` for a topic that is subscribed already and is
    ///   answered afresh.
    mutating func subscribe(
        to request: TopicRequest, for identity: LiveIdentity?, in hub: inout Hub
    ) -> PermissionRequest? {
        if let index = index(of: request.topic, in: hub) {
            hub.presence.forgetSeen(request.topic, by: reader)
            subscriptions[index].begin(with: request.have, in: hub)
            enqueue(index)
            return nil
        }
        lastRequest &+= 1
        var subscription = Subscription(hub.join(request.topic, reader), access: .asking(lastRequest))
        subscription.begin(with: request.have, in: hub)
        subscriptions.append(subscription)
        return PermissionRequest(topic: request.topic, identity: identity, number: lastRequest)
    }

    /// Ends a subscription, if there is one.
    mutating func unsubscribe(from topic: Topic, in hub: inout Hub) {
        if let index = index(of: topic, in: hub) { remove(index, in: &hub) }
    }

    /// Ends all subscriptions.
    mutating func leave(_ hub: inout Hub) {
        for subscription in subscriptions {
            withdraw(from: subscription.topicID, in: &hub)
            hub.leave(subscription.topicID, reader)
        }
        subscriptions = SubscriptionList()
        queued = 0
        written(&hub)
    }

    /// Everything that was delivered is out of reach: what has ended can be forgotten.
    mutating func written(_ hub: inout Hub) {
        guard !lingering.isEmpty else { return }
        for id in lingering where subscriptions.index(of: id) == nil { hub.leave(id, reader) }
        lingering = []
    }

    /// The reader stays on the topic until `written`, so that it learns of revocations of what it was sent. Its person is
    /// gone at once.
    private mutating func remove(_ index: Int, in hub: inout Hub) {
        withdraw(from: subscriptions[index].topicID, in: &hub)
        if case .queued = subscriptions[index].due { queued -= 1 }
        lingering.append(subscriptions[index].topicID)
        subscriptions.remove(at: index)
    }

    private func withdraw(from id: TopicID, in hub: inout Hub) {
        if let topic = hub.topic(of: id), topic.isCollection { hub.presence.leave(topic, reader) }
    }

    // MARK: Presence

    /// Takes where the reader's person is. It counts only while the collection may be read.
    func here(_ topic: Topic, at place: PresencePlace?, isEditing: Bool, now: Timestamp, in hub: inout Hub) {
        guard let index = index(of: topic, in: hub), subscriptions[index].access == .granted else { return }
        hub.presence.here(in: topic, reader, at: place, isEditing: isEditing, now: now)
    }

    // MARK: Permission

    /// Takes the answer to a question; what it says of an older question is void.
    ///
    /// - Parameter isTalking: whether the client can say where its person is, and so takes part in presence.
    /// - Returns: what the reader has to be told, if the answer is not simply yes.
    mutating func answered(
        _ request: PermissionRequest, _ permission: Permission, isTalking: Bool = true, in hub: inout Hub
    ) -> ServerMessage? {
        guard let index = subscriptions.firstIndex(where: { $0.access == .asking(request.number) }) else { return nil }
        let wasGranted = subscriptions[index].wasGranted
        switch permission {
        case .granted, .admitted:
            if case .admitted(let participant) = permission, isTalking {
                hub.presence.join(request.topic, reader, as: participant)
            } else {
                withdraw(from: subscriptions[index].topicID, in: &hub)
            }
            subscriptions[index].access = .granted
            subscriptions[index].wasGranted = true
            enqueue(index)
            return nil
        case .denied:
            remove(index, in: &hub)
            return wasGranted ? .ended(request.topic, .revoked) : .error(.forbidden, topic: request.topic.description)
        case .unavailable:
            remove(index, in: &hub)
            return wasGranted ? .ended(request.topic, .reset) : .error(.unavailable, topic: request.topic.description)
        }
    }

    /// Whether something of these topics, or of any, was or may have been delivered since `written`.
    func hasDelivered(_ topics: [Topic]?, in hub: Hub) -> Bool {
        let ids = Self.ids(of: topics, in: hub)
        return subscriptions.contains { $0.wasGranted && ids?.contains($0.topicID) != false }
            || lingering.contains { ids?.contains($0) != false }
    }

    private static func ids(of topics: [Topic]?, in hub: Hub) -> Set<TopicID>? {
        topics.map { Set($0.flatMap { hub.grids(beside: $0) }.compactMap { hub.id(of: $0) }) }
    }

    /// Puts subscriptions in question: of all topics, or of those named. Nothing of them is delivered until the
    /// answers have come.
    mutating func recheck(_ topics: [Topic]?, for identity: LiveIdentity?, in hub: Hub) -> [PermissionRequest] {
        let ids = Self.ids(of: topics, in: hub)
        var requests: [PermissionRequest] = []
        for index in subscriptions.indices where ids?.contains(subscriptions[index].topicID) != false {
            guard let topic = hub.topic(of: subscriptions[index].topicID) else { continue }
            lastRequest &+= 1
            subscriptions[index].access = .asking(lastRequest)
            requests.append(PermissionRequest(topic: topic, identity: identity, number: lastRequest))
        }
        return requests
    }

    // MARK: Delivering

    /// Notes that a topic may have something newer. Whether it has is looked at when writing.
    mutating func mark(_ id: TopicID) {
        if let index = subscriptions.index(of: id) { enqueue(index) }
    }

    private mutating func enqueue(_ index: Int) {
        if case .queued = subscriptions[index].due { return }
        lastOrder &+= 1
        subscriptions[index].due = .queued(lastOrder)
        queued += 1
    }

    private func firstQueued() -> Int? {
        guard queued > 0 else { return nil }
        var first: (index: Int, order: UInt32)?
        for index in subscriptions.indices {
            guard case .queued(let order) = subscriptions[index].due else { continue }
            if let found = first, found.order < order { continue }
            first = (index, order)
        }
        return first?.index
    }

    /// What to write next; `nil` when there is nothing, or nothing yet.
    mutating func next(from hub: inout Hub) -> ServerMessage? {
        while let index = firstQueued() {
            subscriptions[index].due = .nothing
            queued -= 1
            guard subscriptions[index].access == .granted, let topic = hub.topic(of: subscriptions[index].topicID)
            else { continue }
            let step = subscriptions[index].advance(in: &hub)
            // Rows come first, as far as they are at hand: the people are in their cells.
            if case .nothing = step {
                if let message = hub.presence(of: topic, for: reader) { return .presence(message) }
                continue
            }
            if topic.isCollection, hub.presence.owes(topic, to: reader) { enqueue(index) }
            switch step {
            case .nothing: continue
            case .document(let rendition): return .document(rendition)
            case .rows(let message, let isMore):
                // Behind what else is due: one large collection starves no document.
                if isMore { enqueue(index) }
                return .rows(message)
            case .current(let revision): return .current(topic, revision)
            case .ended(let reason):
                remove(index, in: &hub)
                return .ended(topic, reason)
            case .failed(let code):
                remove(index, in: &hub)
                return .error(code, topic: topic.description)
            }
        }
        return nil
    }
}
