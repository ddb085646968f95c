import Glibc
import TestKit
import Testing
import WebSocket

/// A blocking client that speaks HTTP and WebSocket.
final class LiveClient {
    typealias Failure = BlockingSocket.Failure

    private let socket: BlockingSocket
    private var buffer: ArraySlice<UInt8> = []
    private var decoder = FrameDecoder(role: .client, limits: FrameDecoder.Limits(message: 64 << 20))

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        socket = try BlockingSocket(port: port, receiveBuffer: receiveBuffer)
    }

    // MARK: Bytes

    func write(_ bytes: [UInt8]) throws { try socket.send(bytes) }

    /// Fills the buffer; `false` when the other end has closed.
    private func fill() throws -> Bool {
        do {
            let bytes = try socket.receive()
            buffer += bytes
            return !bytes.isEmpty
        } catch let failure as Failure where failure.code == ECONNRESET {
            return false
        }
    }

    /// A line without its end.
    func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                defer { buffer = buffer[(end + 1)...] }
                return String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
            }
            guard try fill() else { throw Failure(code: 0) }
        }
    }

    // MARK: HTTP

    /// Asks to become a WebSocket and returns the status.
    @discardableResult
    func upgrade(
        _ headers: [String] = [], subprotocol: String? = "gradecast.live.v1", version: Int = 13
    ) throws -> Int {
        var lines = [
            "GET /v1/live HTTP/1.1", "Host: 127.0.0.1:80", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: \(version)", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        return try request(lines + headers)
    }

    /// Sends a head and returns the status of the answer; its head is read.
    func request(_ lines: [String]) throws -> Int {
        try write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        let status = try line().split(separator: " ").dropFirst().first.flatMap { Int($0) }
        while try !line().isEmpty {}
        return status ?? 0
    }

    // MARK: WebSocket

    func say(_ text: String) throws { try write(Frame(.text, text.utf8, mask: 0x1234_5678).bytes) }

    /// The next text message, or `close CODE`, or `broken` when the connection ends without. Pings of the protocol
    /// are passed over.
    func next(passingPings: Bool = true) throws -> String {
        while true {
            var position = 0
            let event = try decoder.next(in: Array(buffer).span, at: &position)
            buffer = buffer.dropFirst(position)
            switch event {
            case .message(let message):
                let text = String(decoding: message.payload, as: UTF8.self)
                if passingPings, text.hasPrefix(#"{"t":"ping""#) { continue }
                return text
            case .close(let code, _):
                try? write(Frame(.close, [], mask: 1).bytes)
                return "close \(code)"
            case .ping, .pong: continue
            case nil: guard try fill() else { return "broken" }
            }
        }
    }

    /// Reads on until the connection ends, and returns how.
    func end() throws -> String {
        while true {
            let message = try next()
            if message.hasPrefix("close") || message == "broken" { return message }
        }
    }

    func subscribe(_ topic: String, have: String? = nil) throws -> String {
        let have = have.map { #","have":\#($0)"# } ?? ""
        try say(#"{"t":"sub","topic":"\#(topic)"\#(have)}"#)
        return try next()
    }
}
