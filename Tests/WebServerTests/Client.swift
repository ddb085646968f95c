import Glibc
import Synchronization
import WebSocket

/// A blocking TCP client that gives up after ten seconds of silence.
final class Client: Sendable {
    struct Timeout: Error {}
    struct Failure: Error { let code: Int32 }

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

    private let descriptor: Int32
    private let buffer = Mutex<ArraySlice<UInt8>>([])

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

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(code: errno) }
            sent += count
        }
    }

    /// Says that nothing more will be sent.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Breaks the connection off.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        // Connecting to nowhere disconnects, which with this option is a reset.
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        Glibc.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// The next bytes; none when the other end has closed.
    func receive() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { throw errno == EAGAIN ? Timeout() as any Error : Failure(code: errno) }
        return Array(bytes[..<count])
    }

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
