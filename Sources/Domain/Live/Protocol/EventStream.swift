import Shared

/// The encoding of a conversation as server-sent events: the same messages as on a WebSocket, one way.
///
/// Every document, and the last part of what changed in a collection, comes with an event id, the place in time of each topic in the order of the request: `k3.44` for one
/// topic, `k3.44,k3.17,-` for three topics, the last not sent yet. A client that comes back with it in
/// `Last-Event-ID` gets what changed since, and no document for what did not.
public struct EventStream {
    /// What the request asks for, and what the client holds of it by now.
    public private(set) var topics: [TopicRequest]
    private var remaining: Int

    /// A stream of topics.
    ///
    /// - Parameters:
    ///   - topics: what to read, at least one, none twice.
    ///   - lastEventID: where an earlier stream of the same topics ended; what cannot be read counts as none.
    public init(_ topics: [Topic], lastEventID: String?) {
        let places = lastEventID.map { $0.split(separator: ",").map { Revision(text: $0) } } ?? []
        self.topics = zip(topics, places.count == topics.count ? places : topics.map { _ in nil }).map {
            TopicRequest($0, have: $1)
        }
        remaining = topics.count
    }

    /// Whether every topic has ended, and so the stream.
    public var isOver: Bool { remaining == 0 }

    /// What comes before a message's `data`: its id, where it moves one.
    public mutating func id(of message: ServerMessage) -> [UInt8] {
        switch message {
        case .document(let rendition): move(rendition.topic, to: rendition.document.revision)
        case .rows(let message):
            // Who comes back in the middle of a sequence begins it again.
            guard message.rows.next == nil else { return [] }
            move(message.topic, to: message.rows.revision)
        case .current(let topic, let revision): move(topic, to: revision)
        case .ended, .failed:
            remaining -= 1
            return []
        case .welcome, .presence, .refreshed, .ping, .drain: return []
        }
        let places = topics.map { $0.have?.description ?? "-" }.joined(separator: ",")
        return Array("id: \(places)\n".utf8)
    }

    /// Notes that the client will hold a topic up to this revision.
    private mutating func move(_ topic: Topic, to revision: Revision) {
        if let index = topics.firstIndex(where: { $0.topic == topic }) { topics[index].have = revision }
    }

    /// A message's text as the data of an event, with the blank line that ends it. JSON text has no line breaks but
    /// between its tokens, where this server writes none.
    public static func data(_ text: [UInt8]) -> [UInt8] {
        var event: [UInt8] = []
        event.reserveCapacity(text.count + 8)
        event += "data: ".utf8
        event += text
        event += "\n\n".utf8
        return event
    }
}
