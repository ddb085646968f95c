import HTTP
import JSON
import Transport
import WebServer
import WebSocket

/// A server that says what it understood: for conformance suites and for comparison with other parsers. It is the
/// web server and the codecs of the product with nothing above them.
///
///     EchoServer PORT
@main
struct EchoServer: Responder {
    /// What a conformance suite sends in one message: 16 MiB in small pieces.
    private static let longestMessage = 16 << 20

    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0
        let group = try EventLoopGroup(count: 1)
        let address = try SocketAddress(host: "127.0.0.1", port: port)
        let server = try WebServer(at: address, on: group.loops, responder: EchoServer())
        print("http://\(server.address)")
        try await server.run()
    }

    func respond(to request: Request, on loop: EventLoop) -> Reply {
        if request.head.headers.hasToken("websocket", in: "Upgrade") { return socket(request) }
        return .response(Response(.ok, type: "application/json", body: Self.understood(request)))
    }

    private func socket(_ request: Request) -> Reply {
        do throws(Handshake.Fault) {
            var settings = WebSocketSettings()
            settings.stallTime = .seconds(120)  // suites read slowly
            settings.limits = FrameDecoder.Limits(message: Self.longestMessage, fragments: Self.longestMessage)
            let handshake = try Handshake(request.head)
            settings.deflate = handshake.deflate
            return .webSocket(Reply.Upgrade(handshake, settings: settings) { EchoHandler($0) })
        } catch {
            return .response(Response(error.status, text: "\(error)"))
        }
    }

    /// The request as it was understood.
    private static func understood(_ request: Request) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("method", request.method.description)
            writer.member("target", request.target.description)
            writer.member("headers") { writer in
                writer.array {
                    for (name, value) in request.headers.all { $0.value(.array([.string(name), .string(value)])) }
                }
            }
            writer.member("body", hexadecimal(request.body))
        }
        return writer.bytes
    }
}

/// Sends every message back.
private final class EchoHandler: WebSocketHandler {
    private let channel: WebSocketChannel

    init(_ channel: WebSocketChannel) { self.channel = channel }

    func received(_ message: Message) {
        channel.send(Frame(message.kind == .text ? .text : .binary, message.payload, by: channel.deflate))
    }

    func closed(_ code: CloseCode, reason: String) {}
}

/// Two digits a byte.
private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
