import Live
import Shared

/// One event loop of the model: a hub, its connections, and a mailbox.
final class ModelLoop {
    enum Mail {
        case update(TopicUpdate)
        case revoke(Revocation, number: Int)
    }

    /// How a conversation travels.
    enum Encoding {
        case socket
        case stream(EventStream, isAccepted: Bool)
        case poll(TopicRequest)

        var isSocket: Bool {
            if case .socket = self { true } else { false }
        }

        /// What a long poll waits for.
        var polled: Topic? {
            if case .poll(let request) = self { request.topic } else { nil }
        }
    }

    /// One connection: the real reader, and a socket that takes what it takes.
    final class Connection {
        let id: SubscriberID
        let client: Int
        var encoding: Encoding
        var reader: LiveReader
        /// Handed out by the reader, not yet taken by the socket.
        var unwritten: [[UInt8]] = []
        /// Taken by the socket, not yet read by the client.
        var wire: [[UInt8]] = []
        var end: LiveCloseCode?

        /// Whether nothing more will come.
        var isOver: Bool { end != nil && unwritten.isEmpty && wire.isEmpty }

        init(id: SubscriberID, client: Int, encoding: Encoding, reader: LiveReader) {
            self.id = id
            self.client = client
            self.encoding = encoding
            self.reader = reader
        }
    }

    var hub: Hub
    var table = SubscriberTable<Connection>()
    var mail: [Mail] = []

    init(epoch: Epoch, seed: UInt64) {
        hub = Hub(epoch: epoch, limits: Self.limits, seed: seed) { "/\($0)" }
    }

    /// Small enough that every limit of the algorithm is met in a short run.
    static var limits: LiveLimits {
        var limits = LiveLimits()
        limits.slice = 2
        limits.sweepBatch = 2
        limits.documentBytes = 256
        limits.pingInterval = .seconds(1)
        limits.pongTime = .seconds(3_600)
        return limits
    }

    func open(client: Int, as encoding: Encoding, at now: Timestamp) -> Connection {
        let id = table.reserve()
        let reader = LiveReader(id, at: now, in: &hub)
        let connection = Connection(id: id, client: client, encoding: encoding, reader: reader)
        table[id] = connection
        return connection
    }
}
