public import JSON
public import Shared

/// What the readers of a loop are sent alike. Its subclasses are a version of a document and a part of what changed in a
/// collection.
public class SharedMessage {
    /// What it is about.
    public let topic: Topic
    @usableFromInline
    var forms: AnyObject?

    init(about topic: Topic) { self.topic = topic }

    /// The message, written at each call.
    public var text: [UInt8] { [] }

    /// About how many bytes it takes.
    var size: Int { 128 }

    /// The forms in which the encodings send it: what `make` makes for the first reader, and the same for all others.
    @inlinable
    public final func forms<Forms: AnyObject>(_ make: () -> Forms) -> Forms {
        if let forms = forms as? Forms { return forms }
        let forms = make()
        self.forms = forms
        return forms
    }
}

/// One version of one document as the readers of a loop are sent it.
public final class Rendition: SharedMessage {
    /// The version.
    public let document: LiveDocument
    /// Where the document is read instead, if it is above the limit of messages.
    private let href: String?

    init(_ document: LiveDocument, of topic: Topic, limit: Int, address: (Topic) -> String) {
        self.document = document
        href = document.bytes.count > limit ? address(topic) : nil
        super.init(about: topic)
    }

    override var size: Int { 128 + (href == nil ? document.bytes.count : 0) }

    /// The `state` message, written at each call.
    public override var text: [UInt8] {
        ServerMessage.write("state", capacity: 64 + size) {
            $0.place(topic, document.revision)
            if let href {
                $0.member("href", href)
            } else {
                $0.name("doc")
                $0.raw(document.bytes)
            }
        }
    }
}

/// One part of what changed in a collection as the readers of a loop are sent it who hold the same version.
public final class RowsMessage: SharedMessage {
    /// The rows.
    public let rows: LiveRows
    /// What the readers hold already; 0 for nothing.
    public let since: Version

    init(_ rows: LiveRows, since: Version, of topic: Topic) {
        self.rows = rows
        self.since = since
        super.init(about: topic)
    }

    override var size: Int { 128 + rows.items.count }

    /// The `rows` message, written at each call.
    public override var text: [UInt8] {
        ServerMessage.write("rows", capacity: 64 + size) {
            $0.member("topic", topic.description)
            rows.writeMembers(to: &$0, since: since)
        }
    }
}

extension LiveRows {
    /// Writes what a message and an answer have in common: `e`, `from`, `v`, `s`, `rows`, and `more` but on the last part.
    public func writeMembers(to writer: inout JSONWriter, since version: Version) {
        writer.member("e", revision.epoch.text)
        writer.member("from", version)
        writer.member("v", revision.version)
        writer.member("s", structure)
        writer.name("rows")
        writer.raw(items)
        if next != nil { writer.member("more", true) }
    }
}
