import Live
import Shared
import Transport
import WebServer

/// A conversation as an event stream: the request waits until everything in it may be read, then its response becomes
/// the stream.
final class LiveStream: LiveConnection {
    /// The answer to the request.
    typealias Opening = Result<LoopBound<LiveStream>, LiveRefusal>

    private enum Phase {
        /// The request waits.
        case asking((Opening) -> Void)
        /// It is answered, but the response has not begun; the chunks are kept until then.
        case accepted([Chunk])
        case open(ByteChannel)
        case closed
    }

    /// How long a response may take to begin after the decision; the client may have left meanwhile.
    private static let beginning = Duration.seconds(10)

    private var events: EventStream
    private var phase: Phase

    /// Creates a stream that is about to be registered under its name; `answered` is called once.
    init(
        _ id: SubscriberID, _ events: EventStream, in context: LiveLoopContext, at place: LivePlace,
        answered: @escaping (Opening) -> Void
    ) {
        self.events = events
        phase = .asking(answered)
        super.init(id, in: context, at: place)
    }

    /// Asks for everything. Call it once after registration.
    func begin(for identity: LiveIdentity?) { handle(.request(identity, events.topics, time: nil)) }

    /// The response begins.
    func attach(_ channel: ByteChannel) {
        guard case .accepted(let kept) = phase else { return channel.abort() }
        phase = .open(channel)
        for chunk in kept { channel.send(chunk) }
    }

    override func accept() {
        answer(.success(LoopBound(self, to: context.loop)), then: .accepted([]))
        context.loop.schedule(after: Self.beginning) {
            if case .accepted = self.phase { self.closed() }
        }
    }

    private func refuse(_ code: LiveErrorCode) {
        answer(.failure(LiveRefusal(code: code)), then: .closed)
        leave()
    }

    private func answer(_ opening: Opening, then next: Phase) {
        guard case .asking(let answered) = phase else { return }
        phase = next
        answered(opening)
    }

    override var form: LiveInstruments.Form { .stream }

    override func send(_ message: ServerMessage) {
        if case .asking = phase, case .failed(let code, _, _) = message { return refuse(code) }
        let id = events.id(of: message)
        if !id.isEmpty { write(Chunk(id)) }
        if let shared = message.shared {
            write(shared.event)
        } else {
            write(Chunk(EventStream.data(message.text(context.hub.limits))))
        }
        if events.isOver { end { $0.end() } }
    }

    private func write(_ chunk: Chunk) {
        switch phase {
        case .accepted(let kept): phase = .accepted(kept + [chunk])
        case .open(let channel): channel.send(chunk)
        case .asking, .closed: break
        }
    }

    override func close(_ code: LiveCloseCode) {
        if case .asking = phase { return refuse(code.refusal) }
        end { $0.end() }
    }

    override func cut() {
        end {
            $0.dropUnsent()
            $0.abort()
        }
    }

    private func end(_ end: (ByteChannel) -> Void) {
        guard case .open(let channel) = phase else { return closed() }
        phase = .closed
        end(channel)
    }
}

extension LiveStream: ByteStreamHandler {
    func drained() { handle(.flushed) }

    func closed() {
        phase = .closed
        leave()
    }
}

/// Why a stream or a wait was refused.
struct LiveRefusal: Error {
    let code: LiveErrorCode
}
