import Glibc
import Testing
import WebSocket

/// A blocking client that speaks HTTP and WebSocket and gives up after ten seconds of silence.
final class LiveClient {
    struct Failure: Error { let code: Int32 }

    private let descriptor: Int32
    private var buffer: ArraySlice<UInt8> = []
    private var decoder = FrameDecoder(role: .client, limits: FrameDecoder.Limits(message: 64 << 20))

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    deinit { Glibc.close(descriptor) }

    // MARK: Bytes

    func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(code: errno) }
            sent += count
        }
    }

    /// Fills the buffer; `false` when the other end has closed.
    private func fill() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else {
            if errno == ECONNRESET { return false }
            throw Failure(code: errno)
        }
        buffer += bytes[..<count]
        return count > 0
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
