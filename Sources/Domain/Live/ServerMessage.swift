import JSON
import Shared

/// The texts of the server's messages. `state` with a document is made by `Rendition`, once for all readers.
enum ServerMessage {
    static func welcome(connection: String, expiresIn: Int64?, limits: LiveLimits) -> [UInt8] {
        write("welcome") {
            $0.member("conn", connection)
            if let expiresIn { $0.member("exp", expiresIn) }
            $0.member("ping", limits.pingInterval.components.seconds)
            $0.member("limits") {
                $0.object {
                    $0.member("subs", limits.topics)
                    $0.member("bytes", limits.messageBytes)
                }
            }
        }
    }

    /// What the client holds of the topic is current.
    static func current(_ topic: Topic, _ revision: Revision) -> [UInt8] {
        write("state", capacity: 112) { $0.place(topic, revision) }
    }

    /// A document, or where to get it when it is above the limit.
    static func state(_ topic: Topic, _ document: LiveDocument, limit: Int) -> [UInt8] {
        let isTooBig = document.bytes.count > limit
        return write("state", capacity: 192 + (isTooBig ? 0 : document.bytes.count)) {
            $0.place(topic, document.revision)
            if isTooBig {
                $0.member("href", topic.path)
            } else {
                $0.name("doc")
                $0.raw(document.bytes)
            }
        }
    }

    static func end(_ topic: Topic, _ reason: EndReason) -> [UInt8] {
        write("end", capacity: 112) {
            $0.member("topic", topic.description)
            $0.member("why", reason.rawValue)
        }
    }

    static func authenticated(expiresIn: Int64) -> [UInt8] {
        write("ok", capacity: 48) {
            $0.member("of", "auth")
            $0.member("exp", expiresIn)
        }
    }

    /// An error; `after` is in milliseconds.
    static func error(_ code: LiveErrorCode, topic: String? = nil, after: Int64 = 0) -> [UInt8] {
        write("error", capacity: 144) {
            if let topic { $0.member("topic", topic) }
            $0.member("code", code.rawValue)
            $0.member("retry", code.canRetry)
            $0.member("after", after)
        }
    }

    /// Liveness and freshness. An event stream's ping has no number, because nobody answers it.
    static func ping(_ number: Int64?, asOf: Timestamp?) -> [UInt8] {
        write("ping", capacity: 80) {
            if let number { $0.member("n", number) }
            if let asOf { $0.member("asOf", asOf.description) }
        }
    }

    static func drain(within milliseconds: Int64) -> [UInt8] {
        write("drain", capacity: 48) { $0.member("within", milliseconds) }
    }

    private static func write(
        _ type: String, capacity: Int = 160, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.object {
            $0.member("t", type)
            members(&$0)
        }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func place(_ topic: Topic, _ revision: Revision) {
        member("topic", topic.description)
        member("e", revision.epoch.text)
        member("v", revision.version)
    }
}
