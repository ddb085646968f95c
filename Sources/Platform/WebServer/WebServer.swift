internal import Synchronization
public import Transport

/// Serves HTTP and WebSockets on a port: one listener per loop, every connection on the loop that accepted it.
///
/// ```swift
/// let group = try EventLoopGroup(count: EventLoopGroup.coreCount)
/// let server = try WebServer(at: SocketAddress(host: "127.0.0.1", port: 8080), on: group.loops, responder: app)
/// print("listening on \(server.address)")
/// try await server.run()      // until the task is cancelled, and then until all connections have closed
/// await group.shutdown()
/// ```
public final class WebServer: Sendable {
    /// Events that an operator may want to know about.
    public enum Event: Sendable {
        /// A loop cannot accept connections because descriptors or memory have run out; it keeps trying.
        case acceptPaused(TransportError)
        /// It tries again.
        case acceptResumed
    }

    private enum State {
        case bound([ListeningSocket])
        case running
    }

    /// The address it listens on; if port 0 was asked for, with the port it got.
    public let address: SocketAddress
    private let loops: [EventLoop]
    private let responder: any Responder
    private let identity: TLSIdentity?
    private let settings: Settings
    private let report: @Sendable (Event) -> Void
    private let ledger: ConnectionLedger
    /// The memory held for responses that clients do not read.
    public let unread: MemoryLedger
    /// The memory held for requests that are being received or answered.
    public let requests: MemoryLedger
    private let state: Mutex<State>

    /// Binds and listens; connections wait in the kernel until `run`.
    ///
    /// - Parameter identity: the certificate for TLS; without one, nothing is encrypted.
    /// - Throws: `TransportError`, such as `EADDRINUSE` if another program has the port.
    public convenience init(
        at address: SocketAddress, on loops: [EventLoop], securedBy identity: TLSIdentity? = nil,
        responder: any Responder, settings: Settings = Settings(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) throws(TransportError) {
        self.init(
            listeningAt: try ListeningSocket.bind(address, count: loops.count), on: loops, securedBy: identity,
            responder: responder, settings: settings, report: report)
    }

    /// Serves on sockets that are bound already, one per loop, and closes them at the end.
    public init(
        listeningAt sockets: [ListeningSocket], on loops: [EventLoop], securedBy identity: TLSIdentity? = nil,
        responder: any Responder, settings: Settings = Settings(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        address = sockets.first?.address ?? .anywhere
        self.loops = loops
        self.identity = identity
        self.responder = responder
        self.settings = settings
        self.report = report
        ledger = ConnectionLedger(
            limit: settings.connections, limitPerAddress: settings.connectionsPerAddress, proxies: settings.proxies)
        unread = MemoryLedger(limit: settings.unreadBytes, limitPerPayer: settings.unreadBytesPerPayer)
        requests = MemoryLedger(limit: settings.requestBytes, limitPerPayer: settings.requestBytesPerPayer)
        state = Mutex(.bound(sockets))
    }

    deinit {
        for socket in takeSockets() { socket.close() }
    }

    /// How many connections there are.
    public var connectionCount: Int { ledger.total }

    /// Serves until its task is cancelled. Then it accepts no more connections, lets requests in progress finish, gives
    /// WebSockets and streams `drainTime` to end, and returns when the last connection has closed.
    ///
    /// Call it once; a second call returns at once.
    public func run() async throws(TransportError) {
        let sockets = takeSockets()
        guard !sockets.isEmpty else { return }
        var sites: [LoopBound<Site>] = []
        var failure: TransportError?
        for (loop, socket) in zip(loops, sockets) {
            switch await open(socket, on: loop) {
            case .success(let site): sites.append(site)
            case .failure(let error):
                failure = error
                socket.close()
            }
        }
        if failure == nil { await WebServer.untilCancelled() }
        await WebServer.drain(sites)
        if let failure { throw failure }
    }

    private func takeSockets() -> [ListeningSocket] {
        state.withLock { state in
            guard case .bound(let sockets) = state else { return [] }
            state = .running
            return sockets
        }
    }

    private func open(_ socket: ListeningSocket, on loop: EventLoop) async -> Result<LoopBound<Site>, TransportError> {
        await loop.run { [identity, responder, settings, ledger, unread, requests, report] in
            Result { () throws(TransportError) in
                let registry = ConnectionRegistry(
                    loop: loop, responder: responder, settings: settings, ledger: ledger, unread: unread,
                    requests: requests)
                let hunger = { (error: TransportError?) in
                    report(error.map(Event.acceptPaused) ?? .acceptResumed)
                }
                let listener = try Listener(socket, on: loop, securedBy: identity, onHunger: hunger) {
                    registry.welcome($0)
                }
                return LoopBound(Site(listener: listener, registry: registry), to: loop)
            }
        }
    }

    private static func untilCancelled() async {
        // A stream without elements ends only when its reader is cancelled.
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }

    private static func drain(_ sites: [LoopBound<Site>]) async {
        await withTaskGroup { group in
            for site in sites {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        site.loop.execute { site.value.close { continuation.resume() } }
                    }
                }
            }
        }
    }
}

/// The parts of a server on one loop.
private struct Site {
    let listener: Listener
    let registry: ConnectionRegistry

    func close(onEmpty: @escaping () -> Void) {
        listener.stop()
        registry.drain(onEmpty: onEmpty)
    }
}
