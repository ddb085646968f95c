import JSON
public import Shared

/// A message of the server, in whatever encoding.
public enum ServerMessage {
    /// The conversation is open; `expiresIn` seconds are left of the session, `nil` for a guest.
    case welcome(connection: UInt64, expiresIn: Int64?)
    /// A document, or where to get it when it is above the limit.
    case document(Rendition)
    /// Rows of a collection.
    case rows(RowsMessage)
    /// Who is where in a collection.
    case presence(PresenceMessage)
    /// What the client holds of the topic is current.
    case current(Topic, Revision)
    /// The subscription is over.
    case ended(Topic, EndReason)
    /// Something cannot be done; `after` milliseconds later it may be tried again.
    case failed(LiveErrorCode, topic: String?, after: Int64)
    /// A newer session counts from now on.
    case refreshed(expiresIn: Int64)
    /// Liveness and freshness. A ping without a number is not answered.
    case ping(Int64?, asOf: Timestamp?)
    /// The server stops within so many milliseconds.
    case drain(within: Int64)

    /// An error after which the client should wait as long as its code says.
    static func error(_ code: LiveErrorCode, topic: String? = nil) -> ServerMessage {
        .failed(code, topic: topic, after: code == .unavailable ? 2_000 : 0)
    }

    /// What several readers are sent alike, if that is what it is.
    public var shared: SharedMessage? {
        switch self {
        case .document(let rendition): rendition
        case .rows(let message): message
        case .presence(let message): message
        case .welcome, .current, .ended, .failed, .refreshed, .ping, .drain: nil
        }
    }

    /// About how many bytes it takes.
    var size: Int {
        shared?.size ?? 128
    }

    /// The message as JSON text.
    public func text(_ limits: LiveLimits) -> [UInt8] {
        switch self {
        case .welcome(let connection, let expiresIn): Self.welcome(connection, expiresIn, limits)
        case .document(let rendition): rendition.text
        case .rows(let message): message.text
        case .presence(let message): message.text
        case .current(let topic, let revision):
            Self.write(topic.isCollection ? "rows" : "state", capacity: 112) { $0.place(topic, revision) }
        case .ended(let topic, let reason):
            Self.write("end", capacity: 112) {
                $0.member("topic", topic.description)
                $0.member("why", reason.rawValue)
            }
        case .failed(let code, let topic, let after): Self.failed(code, topic, after)
        case .refreshed(let expiresIn):
            Self.write("ok", capacity: 48) {
                $0.member("of", "auth")
                $0.member("exp", expiresIn)
            }
        case .ping(let number, let asOf):
            Self.write("ping", capacity: 80) {
                if let number { $0.member("n", number) }
                if let asOf { $0.member("asOf", asOf.description) }
            }
        case .drain(let milliseconds): Self.write("drain", capacity: 48) { $0.member("within", milliseconds) }
        }
    }

    private static func welcome(_ connection: UInt64, _ expiresIn: Int64?, _ limits: LiveLimits) -> [UInt8] {
        write("welcome") {
            $0.member("conn", SplitMix64.name(of: connection))
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

    private static func failed(_ code: LiveErrorCode, _ topic: String?, _ after: Int64) -> [UInt8] {
        write("error", capacity: 144) {
            if let topic { $0.member("topic", topic) }
            $0.member("code", code.rawValue)
            $0.member("retry", code.canRetry)
            $0.member("after", after)
        }
    }

    static func write(
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
    mutating func place(_ topic: Topic, _ revision: Revision) {
        member("topic", topic.description)
        member("e", revision.epoch.text)
        member("v", revision.version)
    }
}
