internal import HTTP
internal import Transport

/// A connection as the registry sees it.
protocol ManagedConnection: AnyObject {
    /// The address at the other end.
    var peer: IPAddress { get }
    /// The place where the registry keeps it. Only the registry changes it.
    var place: RegistryPlace { get set }
    /// Accepts no more requests and closes after the current answer.
    func drain()
    /// Closes now, with a close frame or the end of an answer where that is possible.
    func evict()
    /// Closes now, without sending anything.
    func abandon()
}

/// The index of a connection in its registry, or none, in four bytes: there are very many connections.
struct RegistryPlace {
    private var number = UInt32.max

    /// `nil` before the connection is registered and after it has left.
    var index: Int? {
        get { number == .max ? nil : Int(number) }
        set { number = newValue.map { UInt32(clamping: $0) } ?? .max }
    }
}

/// The connections of one loop and what they share.
///
/// States: *open* → *draining* (connections close after their current request; after `drainTime`, sockets are closed
/// with 1012; a little later, everything is aborted) → *empty*.
final class ConnectionRegistry {
    private enum State {
        case open
        case draining(TimerToken, onEmpty: () -> Void)
        case empty
    }

    /// The time between asking the last sockets to close and aborting them.
    private static let lastCall = Duration.seconds(2)

    let loop: EventLoop
    let responder: any Responder
    let settings: Settings
    let date = DateClock()
    /// The tasks that work on answers that are not ready at once.
    let answers: AnswerTasks
    /// The memory held for responses that clients do not read.
    let unread: MemoryLedger
    /// The memory held for requests.
    let requests: MemoryLedger
    private let ledger: ConnectionLedger
    private var connections: [any ManagedConnection] = []
    private var state = State.open
    /// The settings of the latest socket, which sockets with the same settings share.
    private var terms: WebSocketTerms?

    init(
        loop: EventLoop, responder: any Responder, settings: Settings, ledger: ConnectionLedger, unread: MemoryLedger,
        requests: MemoryLedger
    ) {
        self.loop = loop
        answers = AnswerTasks(on: loop)
        self.responder = responder
        self.settings = settings
        self.ledger = ledger
        self.unread = unread
        self.requests = requests
    }

    /// Whether every connection ends after its current request.
    var isDraining: Bool {
        if case .open = state { false } else { true }
    }

    /// Accepts a new connection, or turns it away with an answer.
    func welcome(_ stream: Stream) {
        let address = IPAddress(of: stream)
        stream.lingerTime = settings.lingerTime
        stream.writeDeadline = .progress(settings.responseStall)
        if let refusal = ledger.enter(address) { return turnAway(stream, refusal) }
        let connection = HTTPConnection(stream, peer: address, registry: self)
        connection.place.index = connections.count
        connections.append(connection)
        connection.start()
    }

    /// Asks all connections to close; `onEmpty` is called once, when the last one has gone.
    func drain(onEmpty: @escaping () -> Void) {
        guard case .open = state else { return onEmpty() }
        let timer = loop.schedule(after: settings.drainTime) { self.evict() }
        state = .draining(timer, onEmpty: onEmpty)
        for connection in connections { connection.drain() }
        finishIfEmpty()
    }

    /// Gives a connection's place to another handler of the same connection.
    func replace(_ connection: any ManagedConnection, by other: any ManagedConnection) {
        guard let place = connection.place.index else { return }
        connection.place.index = nil
        other.place.index = place
        connections[place] = other
    }

    /// Removes a connection that has ended.
    func leave(_ connection: any ManagedConnection) {
        guard let place = connection.place.index else { return }
        connection.place.index = nil
        ledger.leave(connection.peer)
        let last = connections.removeLast()
        if last !== connection {
            connections[place] = last
            last.place.index = place
        }
        finishIfEmpty()
    }

    /// Returns the settings in the form that sockets share.
    func terms(_ settings: WebSocketSettings) -> WebSocketTerms {
        if let terms, terms.settings == settings { return terms }
        let new = WebSocketTerms(settings)
        terms = new
        return new
    }

    private func turnAway(_ stream: Stream, _ refusal: Refusal) {
        // A handshake just to refuse would cost more than serving the client, and take as long as the client likes.
        guard !stream.isSecure else { return stream.abort() }
        var response = responder.response(to: refusal)
        response.status = refusal.status
        var bytes: [UInt8] = []
        ResponseSerializer(version: .http11, isHead: false, keepsAlive: false)
            .write(response, date: date.bytes, to: &bytes)
        stream.write(bytes)
        stream.finish()
    }

    private func evict() {
        guard case .draining(_, let onEmpty) = state else { return }
        state = .draining(
            loop.schedule(after: ConnectionRegistry.lastCall) {
                for connection in self.connections { connection.abandon() }
            },
            onEmpty: onEmpty)
        for connection in connections { connection.evict() }
    }

    private func finishIfEmpty() {
        guard connections.isEmpty, case .draining(let timer, let onEmpty) = state else { return }
        state = .empty
        loop.cancel(timer)
        answers.close()
        onEmpty()
    }
}

extension IPAddress {
    /// The address at the other end of a connection.
    init(of stream: Stream) { self = IPAddress(bytes: stream.peer.ip) ?? .unspecified }
}
