import Shared

/// Who is where in the collections of one loop.
///
/// Connections of this loop say where their people are, and each loop tells the others of a node all its seats, never a
/// difference: what gets lost is made good by the next time, at the latest with the sweep. Pictures are drawn at most five
/// times a second, all rooms that have changed together. Nothing is kept of a person who has gone, and a room that all have
/// left goes with the next sweep.
///
/// Memory follows the connections: each has at most one seat in a collection that it follows.
struct PresenceBoard {
    /// What a step of the clock comes to.
    struct Step {
        /// The rooms whose pictures have changed.
        var drawn: [Topic] = []
        /// What the other loops are told.
        var news: [PresenceNews] = []
    }

    /// The time between two pictures.
    static let pause: Duration = .milliseconds(200)

    private(set) var rooms: [Topic: PresenceRoom] = [:]
    /// Rooms whose pictures may have changed.
    private var changed: Set<Topic> = []
    private var drawnAt = Timestamp(microseconds: .min)

    /// When the next pictures may be drawn; `nil` while nothing has changed.
    var due: Timestamp? {
        guard !changed.isEmpty else { return nil }
        return drawnAt.microseconds == .min ? drawnAt : drawnAt.advanced(by: Self.pause)
    }

    // MARK: Connections

    mutating func join(_ topic: Topic, _ reader: SubscriberID, as participant: Participant) {
        rooms[topic, default: PresenceRoom()].join(reader, as: participant)
        changed.insert(topic)
    }

    mutating func leave(_ topic: Topic, _ reader: SubscriberID) {
        guard rooms[topic]?.guests[reader] != nil else { return }
        rooms[topic]?.leave(reader)
        changed.insert(topic)
    }

    /// Takes what a connection says of its person. What comes from one that does not follow the collection, or too
    /// often, is dropped.
    mutating func here(
        in topic: Topic, _ reader: SubscriberID, at place: PresencePlace?, isEditing: Bool, now: Timestamp
    ) {
        guard rooms[topic]?.here(reader, at: place, isEditing: isEditing, now: now) == true else { return }
        changed.insert(topic)
    }

    mutating func forgetSeen(_ topic: Topic, by reader: SubscriberID) { rooms[topic]?.forgetSeen(by: reader) }

    /// The picture that a connection was not sent yet.
    mutating func take(_ topic: Topic, for reader: SubscriberID) -> PresenceMessage? {
        guard !rooms.isEmpty else { return nil }
        return rooms[topic]?.take(for: reader)
    }

    func owes(_ topic: Topic, to reader: SubscriberID) -> Bool {
        rooms.isEmpty ? false : rooms[topic]?.owes(reader) == true
    }

    // MARK: Loops

    /// Takes what another loop says of its seats. Costs one look-up where the collection has no connection here.
    mutating func take(_ news: PresenceNews, from loop: Int) {
        guard rooms[news.topic] != nil else { return }
        rooms[news.topic]?.take(news, from: loop)
        changed.insert(news.topic)
    }

    /// Looks at every room: seats end, and the other loops are told of all once more.
    mutating func sweep() {
        for topic in rooms.keys {
            rooms[topic]?.sweep()
            changed.insert(topic)
        }
    }

    /// Draws what is due.
    mutating func draw(at now: Timestamp) -> Step {
        var step = Step()
        guard let due, due <= now else { return step }
        drawnAt = now
        for topic in changed {
            guard var room = rooms.removeValue(forKey: topic) else { continue }
            if room.draw(topic, at: now) { step.drawn.append(topic) }
            if room.hasNews {
                step.news.append(room.news(of: topic))
                (room.hasNews, room.hasGreeted) = (false, true)
            }
            if !room.guests.isEmpty || !room.isSwept { rooms[topic] = room }
        }
        changed = []
        return step
    }
}
