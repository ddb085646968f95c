import Storage

/// One version of one document in each of its wire forms, every form made once a loop for all its readers.
final class Rendition {
    let document: LiveDocument
    private let topic: Topic
    private let forms: WireForms

    init(_ document: LiveDocument, of topic: Topic, forms: WireForms) {
        self.document = document
        self.topic = topic
        self.forms = forms
    }

    private var state: [UInt8] { ServerMessage.state(topic, document, limit: forms.documentBytes) }

    /// The whole WebSocket frame.
    private(set) lazy var frame: [UInt8] = forms.frame(state)

    /// The `data:` line of an event stream with the blank line that ends the event. JSON text has no line breaks
    /// but between its tokens, where this server writes none.
    private(set) lazy var event: [UInt8] = EventStream.data(state)
}

/// How messages go onto the wire.
struct WireForms {
    /// Wraps a message's text in a frame.
    let frame: ([UInt8]) -> [UInt8]
    /// The document limit.
    let documentBytes: Int
}
