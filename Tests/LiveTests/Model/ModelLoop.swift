import Live
import Shared

/// One event loop of the model: a hub, its connections, and a mailbox.
final class ModelLoop {
    enum Mail {
        case update(TopicUpdate)
        case revoke(Revocation, number: Int)
    }

    /// One connection: the real session, and a socket that takes what it takes.
    final class Connection {
        let id: SubscriberID
        let client: Int
        var session: LiveSession
        /// Handed out by the session, not yet taken by the socket.
        var unwritten: [[UInt8]] = []
        /// Taken by the socket, not yet read by the client.
        var wire: [[UInt8]] = []
        var end: LiveCloseCode?

        /// Whether nothing more will come.
        var isOver: Bool { end != nil && unwritten.isEmpty && wire.isEmpty }

        init(id: SubscriberID, client: Int, session: LiveSession) {
            self.id = id
            self.client = client
            self.session = session
        }
    }

    var hub: Hub
    var table = SubscriberTable<Connection>()
    var mail: [Mail] = []

    init(epoch: Epoch, seed: UInt64) {
        hub = Hub(epoch: epoch, limits: Self.limits, seed: seed)
    }

    /// Small enough that every limit of the algorithm is met in a short run.
    private static var limits: LiveLimits {
        var limits = LiveLimits()
        limits.slice = 2
        limits.sweepBatch = 2
        limits.documentBytes = 256
        limits.pingInterval = .seconds(1)
        limits.pongTime = .seconds(3_600)
        return limits
    }

    func open(client: Int, at now: Timestamp) -> Connection {
        let id = table.reserve()
        let session = LiveSession(id, identity: nil, at: now, in: &hub)
        let connection = Connection(id: id, client: client, session: session)
        table[id] = connection
        return connection
    }
}
