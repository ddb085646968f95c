import Glibc
import Synchronization
import TestKit
import WebSocket

/// A blocking client of HTTP.
final class Client: Sendable {
    typealias Timeout = BlockingSocket.Timeout
    typealias Failure = BlockingSocket.Failure

    /// A response as it was read.
    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").dropFirst()
                .first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { String($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
        }
    }

    private let socket: BlockingSocket
    private let buffer = Mutex<ArraySlice<UInt8>>([])

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        socket = try BlockingSocket(port: port, receiveBuffer: receiveBuffer)
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws { try socket.send(bytes) }

    /// Says that nothing more will be sent.
    func endSending() { socket.endSending() }

    /// Breaks the connection off.
    func reset() { socket.reset() }

    /// The next bytes; none when the other end has closed.
    func receive() throws -> [UInt8] { try socket.receive() }

    /// Exactly so many bytes.
    func read(_ count: Int) throws -> [UInt8] {
        while true {
            let taken = buffer.withLock { buffer -> [UInt8]? in
                guard buffer.count >= count else { return nil }
                defer { buffer = buffer.dropFirst(count) }
                return Array(buffer.prefix(count))
            }
            if let taken { return taken }
            let more = try receive()
            guard !more.isEmpty else { throw Failure(code: 0) }
            buffer.withLock { $0 += more }
        }
    }

    /// Everything until the other end closes.
    func receiveAll() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try receive()
            guard !more.isEmpty else { return bytes }
            bytes += more
        }
    }

    /// A line without its end.
    func readLine() throws -> String {
        var line: [UInt8] = []
        while !line.hasSuffix("\r\n") { line += try read(1) }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    /// Whether the other end closes, or has closed, without another byte.
    func isClosed() throws -> Bool {
        guard buffer.withLock({ $0.isEmpty }) else { return false }
        do { return try receive().isEmpty } catch let failure as Failure { return failure.code == ECONNRESET }
    }

    /// One whole response.
    func answer(toHead isHead: Bool = false) throws -> Answer {
        var head: [UInt8] = []
        while !head.hasSuffix("\r\n\r\n") { head += try read(1) }
        let text = String(decoding: head, as: UTF8.self)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let answer = Answer(status: status, head: text, body: [])
        guard !isHead, status >= 200 else { return answer }
        if answer.header("Transfer-Encoding") == "chunked" {
            return Answer(status: status, head: text, body: try chunks())
        }
        let length = answer.header("Content-Length").flatMap { Int($0) } ?? 0
        return Answer(status: status, head: text, body: try read(length))
    }

    /// The data of the next chunk; none for the last.
    func chunk() throws -> [UInt8] {
        let size = Int(try readLine(), radix: 16) ?? 0
        let data = try read(size)
        _ = try readLine()
        return data
    }

    private func chunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let data = try chunk()
            if data.isEmpty { return body }
            body += data
        }
    }
}

// WebSocket.
extension Client {
    static let upgrade =
        "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

    /// Sends a frame as a client must.
    func send(_ opcode: Frame.Opcode, _ payload: [UInt8]) throws {
        try send(Frame(opcode, payload, mask: 0x1234_5678).bytes)
    }

    /// The next message or control frame.
    func event() throws -> FrameDecoder.Event {
        var decoder = FrameDecoder(role: .client, limits: FrameDecoder.Limits(message: 64 << 20))
        while true {
            let byte = try read(1)
            var position = 0
            if let event = try decoder.next(in: byte.span, at: &position) { return event }
        }
    }
}

extension Array<UInt8> {
    func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
