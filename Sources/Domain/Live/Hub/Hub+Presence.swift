public import Shared

/// Who is where in collections.
extension Hub {
    /// When `drawPresence` has something to do next; `nil` while nothing has changed.
    public var presenceDue: Timestamp? { presence.due }

    /// Draws the pictures that are due and wakes the readers of those that show something else.
    ///
    /// - Returns: what the other loops of the node are to be told.
    public mutating func drawPresence(at now: Timestamp) -> [PresenceNews] {
        let step = presence.draw(at: now)
        for topic in step.drawn {
            if let id = id(of: topic) { wake(id) }
        }
        return step.news
    }

    /// Takes what another loop of the node says of the people on it.
    public mutating func takePresence(_ news: PresenceNews, from loop: Int) { presence.take(news, from: loop) }

    /// The picture of a collection that a reader was not sent yet.
    mutating func presence(of topic: Topic, for reader: SubscriberID) -> PresenceMessage? {
        topic.isCollection ? presence.take(topic, for: reader) : nil
    }
}
