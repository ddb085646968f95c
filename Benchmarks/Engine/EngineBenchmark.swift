import HTTP
import Transport
import WebServer
import WebSocket

/// The web server with next to nothing above it, for comparison with a loop of plain C: a small document, and topics
/// to which a POST sends one message each.
///
///     EngineBenchmark PORT [send]       with `send` each frame goes to the kernel by itself
@main
struct EngineBenchmark: Responder {
    private static let document = Response(
        .ok, type: "application/json", body: Array(#"{"message":"hello","n":123}"#.utf8))
    private let topics: LoopBound<Topics>

    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0
        // One loop: what is compared is the work of one thread.
        let group = try EventLoopGroup(count: 1, batchesSends: CommandLine.arguments.dropFirst(2).first != "send")
        let address = try SocketAddress(host: "127.0.0.1", port: port)
        let loop = group.loops[0]
        let responder = await loop.run { EngineBenchmark(topics: LoopBound(Topics(), to: loop)) }
        try await WebServer(at: address, on: group.loops, responder: responder, settings: settings).run()
    }

    private static var settings: Settings {
        var settings = Settings()
        settings.connectionsPerAddress = settings.connections
        return settings
    }

    func respond(to request: Request, on loop: EventLoop) -> Reply {
        let segments = request.target.segments
        switch (request.method, segments.first) {
        case (.get, "json"?): return .response(Self.document)
        case (.post, "pub"?):
            topics.value.publish(request.body, to: segments.last ?? "")
            return .response(Response(.accepted))
        case (.get, "ws"?):
            do throws(Handshake.Fault) {
                let (topics, topic) = (topics, segments.last ?? "")
                return .webSocket(
                    Reply.Upgrade(try Handshake(request.head)) { channel in
                        Subscriber(channel, of: topic, in: topics.value)
                    })
            } catch {
                return .response(Response(error.status))
            }
        default: return .response(Response(.notFound))
        }
    }
}

/// Who listens to what, on the one loop there is.
final class Topics {
    private var subscribers: [String: [WebSocketChannel]] = [:]

    func add(_ channel: WebSocketChannel, to topic: String) {
        subscribers[topic, default: []].append(channel)
    }

    func remove(_ channel: WebSocketChannel, from topic: String) {
        subscribers[topic]?.removeAll { $0 === channel }
    }

    /// Encodes once, sends to everybody.
    func publish(_ message: [UInt8], to topic: String) {
        let frame = Frame.text(message)
        for channel in subscribers[topic] ?? [] { channel.send(frame) }
    }
}

/// One connection's place in its topic.
private final class Subscriber: WebSocketHandler {
    private let channel: WebSocketChannel
    private let topic: String
    private let topics: Topics

    init(_ channel: WebSocketChannel, of topic: String, in topics: Topics) {
        (self.channel, self.topic, self.topics) = (channel, topic, topics)
        topics.add(channel, to: topic)
    }

    func received(_ message: Message) {}

    func closed(_ code: CloseCode, reason: String) { topics.remove(channel, from: topic) }
}
