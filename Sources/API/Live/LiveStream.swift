import Live
import Shared
import Transport
import WebServer

/// One event stream: the request waits until everything it asks for may be read, then its response becomes the stream.
final class LiveStream: LiveReader {
    /// How the request is to be answered.
    typealias Opening = Result<LoopBound<LiveStream>, LiveRefusal>

    private enum Door {
        /// The request waits.
        case asking((Opening) -> Void)
        /// It has been answered, the response has not begun; kept for then.
        case accepted([[UInt8]])
        case open(ByteChannel)
        case closed
    }

    /// How long a response may take to begin once it was decided on; the client may have gone meanwhile.
    private static let beginning = Duration.seconds(10)

    private let context: LiveLoopContext
    private let id: SubscriberID
    private let place: LivePlace
    private var stream: EventStream
    private var door: Door
    private var timer = LiveTimer()

    /// A stream that is entered in its room; `answered` is called once.
    init(
        _ id: SubscriberID, _ stream: EventStream, in context: LiveLoopContext, at place: LivePlace,
        answered: @escaping (Opening) -> Void
    ) {
        self.id = id
        self.context = context
        self.place = place
        self.stream = stream
        door = .asking(answered)
    }

    /// Asks for everything; to be called once it is entered.
    func begin() { handle(.begin) }

    /// The response begins.
    func attach(_ channel: ByteChannel) {
        guard case .accepted(let kept) = door else { return channel.abort() }
        door = .open(channel)
        for bytes in kept { channel.send(Chunk(bytes)) }
    }

    func changed(_ channel: ChannelID) { handle(.changed(channel)) }

    func revoked(_ revocation: Revocation) { handle(.revoked(revocation)) }

    func drain(within window: Duration) { handle(.drain(within: window)) }

    private func handle(_ event: ReaderEvent) {
        var actions: [ReaderAction] = []
        stream.handle(event, at: context.now, in: &context.hub, do: &actions)
        for action in actions { perform(action) }
        timer.set(stream.deadline, in: context) { self.handle(.tick) }
        context.advance()
    }

    private func perform(_ action: ReaderAction) {
        switch action {
        case .authorise(let request):
            context.authorise(request) { self.handle(.authorised(request, $0)) }
        case .accept: answer(.success(LoopBound(self, to: context.loop)), then: .accepted([]))
        case .refuse(let code):
            leave()
            answer(.failure(LiveRefusal(code: code)), then: .closed)
        case .send(let bytes): send(bytes)
        case .finish: end { $0.end() }
        case .cut:
            end {
                $0.dropUnsent()
                $0.abort()
            }
        case .answer, .unchanged: break  // a waiter's
        }
    }

    private func answer(_ opening: Opening, then next: Door) {
        guard case .asking(let answered) = door else { return }
        door = next
        answered(opening)
        guard case .accepted = next else { return }
        context.loop.schedule(after: Self.beginning) {
            if case .accepted = self.door { self.closed() }
        }
    }

    private func send(_ bytes: [UInt8]) {
        switch door {
        case .accepted(let kept): door = .accepted(kept + [bytes])
        case .open(let channel): channel.send(Chunk(bytes))
        case .asking, .closed: break
        }
    }

    private func end(_ end: (ByteChannel) -> Void) {
        guard case .open(let channel) = door else { return closed() }
        door = .closed
        end(channel)
    }

    private func leave() {
        context.leave(id)
        place.leave()
    }
}

extension LiveStream: ByteStreamHandler {
    func drained() { handle(.flushed) }

    func closed() {
        door = .closed
        handle(.closed)
        leave()
    }
}

/// Why a stream or a wait was refused.
struct LiveRefusal: Error {
    let code: LiveErrorCode
}
