import Storage
import WebSocket

/// One version of one document in each of its wire forms, every form made once a loop for all its readers.
final class Rendition {
    let document: LiveDocument
    private let topic: Topic
    /// The document limit.
    private let limit: Int

    init(_ document: LiveDocument, of topic: Topic, limit: Int) {
        self.document = document
        self.topic = topic
        self.limit = limit
    }

    /// The whole WebSocket frame.
    private(set) lazy var frame = Frame.text(state)

    /// The end of an event of an event stream, behind its id. JSON text has no line breaks but between its tokens,
    /// where this server writes none.
    private(set) lazy var event = EventStream.data(state)

    private var state: [UInt8] { ServerMessage.state(topic, document, limit: limit) }
}
