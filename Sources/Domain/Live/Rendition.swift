import Shared
import WebSocket

/// One version of one document in each of its wire forms, every form made once a loop for all its readers.
final class Rendition {
    let document: LiveDocument
    private let topic: Topic
    /// The document limit.
    private let limit: Int
    private let compresses: Bool

    init(_ document: LiveDocument, of topic: Topic, limits: LiveLimits) {
        self.document = document
        self.topic = topic
        limit = limits.documentBytes
        compresses = limits.compresses
    }

    /// The whole WebSocket frame.
    private(set) lazy var frame = Frame.text(state, alsoCompressed: compresses)

    /// The end of an event of an event stream, behind its id. JSON text has no line breaks but between its tokens,
    /// where this server writes none.
    private(set) lazy var event = EventStream.data(state)

    private var state: [UInt8] { ServerMessage.state(topic, document, limit: limit) }
}
