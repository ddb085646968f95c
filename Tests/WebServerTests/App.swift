import HTTP
import Synchronization
import Transport
import WebSocket

@testable import WebServer

/// A small application with one route for each kind of reply.
struct App: Responder {
    /// Bytes of a body that no kernel takes at once.
    static let large = 500_000
    /// A body that the application keeps anyway.
    private static let kept = {
        var response = Response(.ok, type: "a/b", body: Array(repeating: 0x61, count: large))
        response.isBodyKept = true
        return response
    }()

    /// Given when a request to `forever` was cancelled, or a stream or socket was closed.
    let gone = Signal()
    /// Given when a request to `held` or `forever` has arrived.
    let held = Signal()
    /// Lets a request to `held` go on.
    let release = Signal()

    func bodyLimit(for head: RequestHead) -> Int { head.target.segments.first == "large" ? 8 << 20 : 1024 }

    func payer(for head: RequestHead, from peer: IPAddress) -> Payer {
        head.headers["Payer"].map { .account($0) } ?? .address(peer.network)
    }

    func respond(to request: Request, on loop: EventLoop) -> Reply {
        switch request.target.segments.first {
        case "echo", "large": .response(Response(.ok, type: "application/octet-stream", body: request.body))
        case "peer": .response(Response(.ok, text: "\(request.peer)"))
        case "bytes": .response(Response(.ok, type: "a/b", body: Array(repeating: 0x61, count: count(request))))
        case "kept": .response(Self.kept)
        case "whole":
            .stream(Response(.ok, headers: ["Content-Type": "a/b"])) { channel in
                channel.send(Chunk(Array(repeating: 0x62, count: Self.large)))
                channel.end()
                return Part(channel, gone: gone)
            }
        case "later":
            .later {
                await Task.yield()
                return .response(Response(.ok, text: loop.isCurrent ? "on the loop" : "elsewhere"))
            }
        case "task":
            .later {
                await Task.yield()
                let task = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
                return .response(Response(.ok, text: "\(task) \(Task.isCancelled)"))
            }
        case "forever":
            .later {
                held.give()
                try? await Task.sleep(for: .seconds(3600))
                gone.give()
                return .response(Response(.ok, text: "too late"))
            }
        case "waiting":
            .waiting {
                held.give()
                try? await Task.sleep(for: .seconds(3600))
                return .response(Response(.ok, text: "nothing happened"))
            }
        case "held":
            .later {
                held.give()
                await release.wait()
                return .response(Response(.ok, text: "released"))
            }
        case "ticks":
            .stream(Response(.ok, headers: ["Content-Type": "text/event-stream"])) { channel in
                Ticker(channel, count: count(request), gone: gone)
            }
        case "part":
            .stream(Response(.ok, headers: ["Content-Type": "application/octet-stream"])) { Part($0, gone: gone) }
        case "socket": socket(request)
        case "socket-later":
            .later { socket(request) }
        default: .response(Response(.ok, text: "hello"))
        }
    }

    func response(to refusal: Refusal) -> Response {
        Response(refusal.status, type: "application/problem+json", body: Array("{\"status\":1}".utf8))
    }

    private func count(_ request: Request) -> Int { request.target.query("n").flatMap { Int($0) } ?? 0 }

    private func socket(_ request: Request) -> Reply {
        do throws(Handshake.Fault) {
            let handshake = try Handshake(request.head)
            var settings = WebSocketSettings()
            settings.closeTime = .milliseconds(200)
            settings.stallTime = .milliseconds(200)
            settings.stallCode = CloseCode(4003)
            return .webSocket(Reply.Upgrade(handshake, settings: settings) { Echo($0, gone: gone) })
        } catch {
            return .response(Response(error.status, text: "no"))
        }
    }
}

/// Sends every message back; understands a few commands.
final class Echo: WebSocketHandler {
    private let channel: WebSocketChannel

    private let gone: Signal

    init(_ channel: WebSocketChannel, gone: Signal) {
        self.channel = channel
        self.gone = gone
    }

    func received(_ message: Message) {
        switch String(decoding: message.payload, as: UTF8.self) {
        case "close": channel.close(CloseCode(4500), reason: "asked")
        case "abort": channel.abort()
        case "ping": channel.ping([1, 2, 3])
        case "flood": for _ in 0..<64 { channel.send(.binary(Array(repeating: 7, count: 1 << 20))) }
        default: channel.send(message.kind == .text ? .text(message.payload) : .binary(message.payload))
        }
    }

    func receivedPong(_ payload: [UInt8]) { channel.send(.text("pong \(payload)")) }

    func closed(_ code: CloseCode, reason: String) { gone.give() }
}

/// Streams a number of pieces, one per drained queue, and ends; without end if the number is zero.
final class Ticker: ByteStreamHandler {
    private let channel: ByteChannel
    private let gone: Signal
    private var left: Int

    init(_ channel: ByteChannel, count: Int, gone: Signal) {
        self.channel = channel
        self.gone = gone
        left = count
        channel.send(Chunk("start\n".utf8))
    }

    func drained() {
        guard left > 0 else { return }
        left -= 1
        channel.send(Chunk("tick\n".utf8))
        if left == 0 { channel.end() }
    }

    func closed() { gone.give() }
}

/// Streams the beginning of something that is worth nothing unless it is whole.
final class Part: ByteStreamHandler {
    private let gone: Signal

    init(_ channel: ByteChannel, gone: Signal) {
        self.gone = gone
        channel.send(Chunk("part\n".utf8))
    }

    func evicted(from channel: ByteChannel) { channel.abort() }

    func closed() { gone.give() }
}
