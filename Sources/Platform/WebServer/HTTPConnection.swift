internal import HTTP
internal import Transport
internal import WebSocket

/// One connection that speaks HTTP: requests in order, one at a time.
///
/// States: *reading* → *answering* (a task computes the answer; reading is paused, unless the task waits for an event
/// that may never come) or *streaming* (the body is sent as it comes) → *reading* … → *leaving* (the last response is
/// sent or on its way), or → *gone* (closed, or now a WebSocket). While a client does not read its responses, *reading*
/// becomes *throttled*. Input sent ahead waits in the parser, at most one read of it, and then in the kernel.
final class HTTPConnection {
    /// The request in progress, and how its answer is written.
    private struct Exchange {
        let serializer: ResponseSerializer
        let keepsAlive: Bool
        let version: RequestHead.Version
    }

    private enum State {
        case reading
        case throttled
        case answering(Exchange, AnswerTask, isWaiting: Bool)
        case streaming(Exchange, ByteChannel, (any ByteStreamHandler)?)
        case leaving
        case gone
    }

    /// The longest body that is copied after its head; longer ones are sent as they are.
    private static let longestCopiedBody = 2 * 1024
    /// How much of a request may be held without being counted. Most requests are complete with their first bytes.
    private static let smallRequest = 4 * 1024
    /// The most bytes that a client may send ahead while its response is streamed.
    private static let longestPipeline = 64 * 1024

    private let stream: Stream
    let peer: IPAddress
    private let registry: ConnectionRegistry
    private var parser: RequestParser
    private var state = State.reading
    private var readTimeout: ReadTimeout
    private var hasInputEnded = false
    /// The request that is being answered, or the last one, until the kernel has its response.
    private var answered: RequestHead?
    /// The memory counted for its responses that are not read.
    private var unread: MemoryShare?
    /// The memory counted for the request that comes in or is being answered.
    private var incoming: MemoryShare?
    var place = RegistryPlace()

    init(_ stream: Stream, peer: IPAddress, registry: ConnectionRegistry) {
        self.stream = stream
        self.peer = peer
        self.registry = registry
        parser = RequestParser(limits: registry.settings.head)
        readTimeout = ReadTimeout(now: registry.loop.now)
    }

    /// Starts to handle the stream's events.
    func start() {
        stream.handler = self
        watchTime()
    }
}

// Reading.
extension HTTPConnection: StreamHandler {
    func received(_ bytes: Span<UInt8>) {
        switch state {
        case .reading:
            if parser.isBetweenRequests { readTimeout.begin(.head, now: registry.loop.now) }
            readTimeout.count(bytes.count)
            parser.feed(bytes)
            process()
        case .answering, .streaming:
            parser.feed(bytes)
            if parser.bufferedBytes > HTTPConnection.longestPipeline { stream.abort() }
        case .throttled, .leaving, .gone: break
        }
    }

    func ended() {
        hasInputEnded = true
        switch state {
        case .reading: process()
        case .streaming: stream.abort()  // the stream's reader has gone
        case .answering(_, let task, isWaiting: true): task.cancel()
        case .answering, .throttled, .leaving, .gone: break
        }
    }

    /// Answers the requests that have arrived, while the client reads the responses.
    private func process() {
        while case .reading = state {
            guard stream.bufferedBytes <= registry.settings.pipelinedBytes else { return throttle() }
            do throws(RequestFault) {
                switch try parser.next() {
                case .head(let head): try acceptBody(of: head)
                case .request(let head, let body):
                    chargeIncoming(to: head)
                    answer(Request(head: head, body: body, peer: peer))
                case nil: return awaitMore()
                }
            } catch {
                refuse(.request(error))
            }
        }
    }

    private func acceptBody(of head: RequestHead) throws(RequestFault) {
        try parser.acceptBody(upTo: registry.responder.bodyLimit(for: head))
        chargeIncoming(to: head)
        readTimeout.begin(.body, now: registry.loop.now)
        readTimeout.count(parser.bufferedBytes)
        if head.expectsContinue, parser.bufferedBytes == 0 {
            stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
    }

    private func awaitMore() {
        if hasInputEnded || (registry.isDraining && parser.isBetweenRequests) { return leave() }
        countIncoming()
        stream.resumeReading()
        watchTime()
    }

    private func throttle() {
        state = .throttled
        stream.pauseReading()
    }

    private func leave() {
        state = .leaving
        stream.finish()
    }
}

// Answering.
extension HTTPConnection {
    private func answer(_ request: Request) {
        incoming?.pin()
        let keepsAlive = request.head.isKeepAlive && !registry.isDraining
        let serializer = ResponseSerializer(
            version: request.head.version, isHead: request.method == .head, keepsAlive: keepsAlive)
        let exchange = Exchange(serializer: serializer, keepsAlive: keepsAlive, version: request.head.version)
        answered = request.head
        perform(registry.responder.respond(to: request, on: registry.loop), exchange)
    }

    private func perform(_ reply: Reply, _ exchange: Exchange) {
        switch reply {
        case .later(let work): return think(work, exchange, isWaiting: false)
        case .waiting(let work): return think(work, exchange, isWaiting: true)
        case .response(let response):
            write(response, exchange)
            next(after: exchange)
        case .webSocket(let upgrade): become(upgrade, exchange)
        case .stream(let response, let open): beginStream(response, exchange, open)
        }
        incoming = nil
    }

    /// Begins an asynchronous answer.
    private func think(_ work: @escaping Reply.Work, _ exchange: Exchange, isWaiting: Bool) {
        if isWaiting { stream.resumeReading() } else { stream.pauseReading() }
        let task = registry.answers.begin(work, for: self)
        state = .answering(exchange, task, isWaiting: isWaiting)
        if isWaiting, hasInputEnded { task.cancel() }
    }

    /// Sends the reply of an asynchronous answer.
    func conclude(_ reply: Reply) {
        guard case .answering(let exchange, _, _) = state else { return }
        perform(reply, exchange)
        process()
    }

    private func write(_ response: Response, _ exchange: Exchange) {
        var bytes: [UInt8] = []
        guard response.body.count > HTTPConnection.longestCopiedBody else {
            exchange.serializer.write(response, date: registry.date.bytes, to: &bytes)
            return stream.write(bytes)
        }
        exchange.serializer.writeHead(
            response, body: .length(response.body.count), date: registry.date.bytes, to: &bytes)
        stream.write(bytes)
        if exchange.serializer.sendsBody(of: response.status) {
            stream.write(response.body, isShared: response.isBodyKept)
        }
    }

    private func next(after exchange: Exchange) {
        guard exchange.keepsAlive else { return leave() }
        readOn()
    }

    /// Reads the next request, which gets its full time, however long the last one took.
    private func readOn() {
        state = .reading
        readTimeout.begin(parser.isBetweenRequests ? .idle : .head, now: registry.loop.now)
    }

    private func refuse(_ refusal: Refusal) {
        var response = registry.responder.response(to: refusal)
        response.status = refusal.status
        var bytes: [UInt8] = []
        ResponseSerializer(version: .http11, isHead: false, keepsAlive: false)
            .write(response, date: registry.date.bytes, to: &bytes)
        stream.write(bytes)
        incoming = nil
        leave()
    }
}

// Streaming and upgrading.
extension HTTPConnection {
    private func beginStream(
        _ response: Response, _ exchange: Exchange, _ open: (ByteChannel) -> any ByteStreamHandler
    ) {
        guard exchange.serializer.sendsBody(of: response.status) else {
            // The answer to HEAD is the head of the stream alone.
            var bytes: [UInt8] = []
            exchange.serializer.writeHead(response, body: .untilClose, date: registry.date.bytes, to: &bytes)
            stream.write(bytes)
            return next(after: exchange)
        }
        let isChunked = exchange.version == .http11
        let kept = Exchange(
            serializer: exchange.serializer, keepsAlive: exchange.keepsAlive && isChunked, version: exchange.version)
        var bytes: [UInt8] = []
        ResponseSerializer(version: exchange.version, isHead: false, keepsAlive: kept.keepsAlive)
            .writeHead(response, body: isChunked ? .chunked : .untilClose, date: registry.date.bytes, to: &bytes)
        stream.write(bytes)
        let connection = LoopBound(self, to: registry.loop)
        let channel = ByteChannel(stream, peer: peer, isChunked: isChunked) {
            // Deferred, because `end` may be called from within `open`.
            connection.loop.execute { connection.value.endStream() }
        }
        state = .streaming(kept, channel, nil)
        stream.resumeReading()
        let handler = open(channel)
        guard case .streaming = state else { return handler.closed() }
        state = .streaming(kept, channel, handler)
    }

    private func endStream() {
        guard case .streaming(let exchange, _, let handler) = state else { return }
        next(after: exchange)
        handler?.closed()
        process()
    }

    private func become(_ upgrade: Reply.Upgrade, _ exchange: Exchange) {
        var response = Response(
            .switchingProtocols,
            headers: upgrade.handshake.accepting(upgrade.subprotocol, deflate: upgrade.settings.deflate))
        for (name, value) in upgrade.headers.all { response.headers.append(name, value) }
        var bytes: [UInt8] = []
        exchange.serializer.writeHead(response, body: .upgrade("websocket"), date: registry.date.bytes, to: &bytes)
        stream.write(bytes)
        state = .gone
        stopWatchingTime()
        unread = nil
        let channel = WebSocketChannel(stream, terms: registry.terms(upgrade.settings), registry: registry)
        registry.replace(self, by: channel)
        channel.start(upgrade.open, remainder: parser.takeRemainder())
        if hasInputEnded { channel.ended() }
    }
}

// Time.
extension HTTPConnection {
    private func watchTime() {
        guard let due, readTimeout.isUnwatched(until: due) else { return }
        readTimeout.watch(until: due, on: registry.loop) { [unowned self] in
            // The timer is cancelled when the connection is gone, and the stream holds the connection until then.
            timeIsUp()
        }
    }

    private func stopWatchingTime() { readTimeout.stop(on: registry.loop) }

    private var due: MonotonicInstant? {
        guard case .reading = state else { return nil }
        return readTimeout.due(registry.settings)
    }

    private func timeIsUp() {
        readTimeout.rang()
        guard let due else { return }
        guard due <= registry.loop.now else { return watchTime() }
        // A connection without a request in progress is closed without an answer.
        if parser.isBetweenRequests { leave() } else { refuse(.timeout) }
    }
}

// Writing and closing.
extension HTTPConnection {
    func drained() {
        unread = nil
        switch state {
        case .answering: break
        case .streaming(_, _, let handler): handler?.drained()
        case .reading, .leaving, .gone: answered = nil
        case .throttled:
            answered = nil
            readOn()
            process()
        }
    }

    func stalled() { stream.abort() }

    func closed(_ reason: CloseReason) {
        let last = state
        state = .gone
        stopWatchingTime()
        (answered, unread, incoming) = (nil, nil, nil)
        registry.leave(self)
        switch last {
        case .answering(_, let task, _): task.cancel()
        case .streaming(_, let channel, let handler):
            channel.connectionClosed()
            handler?.closed()
        case .reading, .throttled, .leaving, .gone: break
        }
    }
}

// Memory.
extension HTTPConnection {
    func backlogChanged() {
        let bytes = stream.heldBytes
        guard bytes > 0 else {
            unread = nil
            return
        }
        unread = unread ?? share(of: registry.unread, for: answered) { $0.stream.abort() }
        unread?.hold(bytes, moved: stream.lastProgress)
    }

    private func countIncoming() {
        guard parser.heldBytes > HTTPConnection.smallRequest else { return }
        incoming = incoming ?? share(of: registry.requests, for: parser.head) { $0.giveUpRequest() }
        incoming?.hold(parser.heldBytes, moved: registry.loop.now)
    }

    /// Charges what was counted for the peer while the head was incomplete to the client that sent the head.
    private func chargeIncoming(to head: RequestHead) { incoming?.charge(to: payer(of: head)) }

    private func payer(of head: RequestHead?) -> Payer {
        head.map { registry.responder.payer(for: $0, from: peer) } ?? .address(peer.network)
    }

    private func giveUpRequest() {
        if case .reading = state { refuse(.tooMuchAtOnce) }
    }

    /// Opens a share of a ledger for the client that sent a request. If the ledger needs the memory for others, it
    /// calls `giveWay`, on the loop.
    private func share(
        of ledger: MemoryLedger, for head: RequestHead?, giveWay: @escaping @Sendable (HTTPConnection) -> Void
    ) -> MemoryShare {
        let payer = payer(of: head)
        let connection = LoopBound(self, to: registry.loop)
        return ledger.share(for: payer, at: registry.loop.now) {
            connection.loop.execute { giveWay(connection.value) }
        }
    }
}

extension HTTPConnection: ManagedConnection {
    func drain() {
        guard case .reading = state, parser.isBetweenRequests else { return }
        // A connection just taken from the queue may have a request on its way.
        guard readTimeout.isFresh else { return leave() }
        readTimeout.begin(.last, now: registry.loop.now)
        watchTime()
    }

    func evict() {
        switch state {
        case .streaming(_, let channel, let handler?): handler.evicted(from: channel)
        case .streaming(_, let channel, nil): channel.abort()
        case .reading, .throttled, .answering: stream.abort()
        case .leaving, .gone: break
        }
    }

    func abandon() { stream.abort() }
}
