public import Shared

/// One wait for a newer version of one document: `If-None-Match` with `Prefer: wait`.
///
/// Answers with the document as soon as its place in time differs from the one the client has, and with *unchanged*
/// when the time is over.
public struct DocumentWaiter {
    private enum Phase {
        case waiting(until: Timestamp)
        case closed
    }

    private let identity: LiveIdentity?
    private let topic: Topic
    private let have: Revision?
    private var phase: Phase
    private var feed: Feed

    /// A wait that begins now and lasts for `time` at the longest. The right to the document is asked about once the
    /// waiter is entered in the hub.
    public init(
        _ reader: SubscriberID, for identity: LiveIdentity?, topic: Topic, have: Revision?, at now: Timestamp,
        for time: Duration
    ) {
        self.identity = identity
        self.topic = topic
        self.have = have
        feed = Feed(reader: reader)
        phase = .waiting(until: now.advanced(by: time))
    }

    /// When `tick` is due; `nil` once answered.
    public var deadline: Timestamp? {
        switch phase {
        case .waiting(let until): until
        case .closed: nil
        }
    }

    /// Takes in an event and appends what is to be done.
    public mutating func handle(
        _ event: ReaderEvent, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        guard case .waiting(let until) = phase else { return }
        switch event {
        case .begin:
            if let identity { hub.enter(feed.reader, under: identity) }
            subscribe(have, in: &hub, do: &actions)
        case .authorised(let request, let permission):
            if let delivery = feed.answered(request, permission) {
                settle(delivery, in: &hub, do: &actions)
            }
        case .changed(let channel): feed.mark(channel)
        case .revoked(let revocation):
            switch revocation.effect(on: identity) {
            case .none: break
            case .end: end(.refuse(.unauthenticated), in: &hub, do: &actions)
            case .recheck(let topics):
                for request in feed.recheck(topics, for: identity, in: hub) { actions.append(.authorise(request)) }
            }
        case .tick:
            if until <= now { end(.unchanged, in: &hub, do: &actions) }
        case .drain: end(.unchanged, in: &hub, do: &actions)
        case .closed: leave(&hub)
        case .flushed: break
        }
        while case .waiting = phase, let delivery = feed.next(from: &hub) {
            settle(delivery, in: &hub, do: &actions)
        }
    }

    private mutating func subscribe(_ have: Revision?, in hub: inout Hub, do actions: inout [ReaderAction]) {
        if case .asks(let request) = feed.subscribe(to: topic, have: have, for: identity, in: &hub) {
            actions.append(.authorise(request))
        }
    }

    private mutating func settle(
        _ delivery: Feed.Delivery, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        switch delivery {
        case .document(_, let rendition): end(.answer(rendition.document), in: &hub, do: &actions)
        case .current: break
        case .ended(_, .reset):
            // What the client has never was: whatever there is differs from it.
            subscribe(nil, in: &hub, do: &actions)
        case .ended: end(.refuse(.forbidden), in: &hub, do: &actions)
        case .failed(_, let code): end(.refuse(code), in: &hub, do: &actions)
        }
    }

    private mutating func end(_ action: ReaderAction, in hub: inout Hub, do actions: inout [ReaderAction]) {
        actions.append(action)
        leave(&hub)
    }

    private mutating func leave(_ hub: inout Hub) {
        feed.leave(&hub)
        if let identity { hub.remove(feed.reader, under: identity) }
        phase = .closed
    }
}
