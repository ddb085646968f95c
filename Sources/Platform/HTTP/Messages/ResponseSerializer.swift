/// Writes responses as bytes.
public struct ResponseSerializer: Sendable {
    /// What follows the head.
    public enum Body: Sendable {
        /// A body of this many bytes.
        case length(Int)
        /// Chunks, the last one empty.
        case chunked
        /// Bytes until the connection closes: the only way to stream to HTTP/1.0.
        case untilClose
        /// Another protocol; the head gets `Connection` and `Upgrade` for it.
        case upgrade(String)
    }

    /// The bytes that a head needs besides the response's own fields: for the status line, the date and the framing.
    private static let greatestRest = 192

    private let version: RequestHead.Version
    private let isHead: Bool
    private let keepsAlive: Bool

    /// Creates a serialiser for the answer to one request.
    ///
    /// - Parameters:
    ///   - version: the client's version: HTTP/1.0 must be told that the connection stays open, HTTP/1.1 that it
    ///     closes.
    ///   - isHead: whether the request was HEAD: the answer states the body's length without the body.
    ///   - keepsAlive: whether another request may follow.
    public init(version: RequestHead.Version, isHead: Bool, keepsAlive: Bool) {
        self.version = version
        self.isHead = isHead
        self.keepsAlive = keepsAlive
    }

    /// Returns whether the body follows the head of a response with this status.
    public func sendsBody(of status: Status) -> Bool { !isHead && !status.isBodiless }

    /// Appends a response's head.
    ///
    /// - Parameter date: the current time as `HTTPDate` writes it.
    public func writeHead(_ response: Response, body: Body, date: [UInt8], to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + response.headers.wire.count + Self.greatestRest)
        if response.status == .ok {
            bytes.append("HTTP/1.1 200 OK\r\nDate: ")
        } else {
            bytes.append("HTTP/1.1 ")
            bytes.append(decimal: response.status.code)
            bytes.append(Bytes.space)
            bytes.append(contentsOf: response.status.phrase.utf8)
            bytes.append("\r\nDate: ")
        }
        bytes.append(contentsOf: date)
        bytes.append("\r\n")
        bytes.append(contentsOf: response.headers.wire)
        writeFraming(body, status: response.status, to: &bytes)
        bytes.append("\r\n")
    }

    /// Appends a whole response.
    public func write(_ response: Response, date: [UInt8], to bytes: inout [UInt8]) {
        let room = bytes.count + response.headers.wire.count + Self.greatestRest + response.body.count
        bytes.reserveCapacity(room)
        writeHead(response, body: .length(response.body.count), date: date, to: &bytes)
        if sendsBody(of: response.status) { bytes.append(contentsOf: response.body) }
    }

    private func writeFraming(_ body: Body, status: Status, to bytes: inout [UInt8]) {
        switch body {
        case .upgrade(let name):
            bytes.append(contentsOf: "Connection: Upgrade\r\nUpgrade: \(name)\r\n".utf8)
            return
        case .length where status.isBodiless: break
        case .length(let count):
            bytes.append("Content-Length: ")
            bytes.append(decimal: count)
            bytes.append("\r\n")
        case .chunked:
            bytes.append("Transfer-Encoding: chunked\r\n")
        case .untilClose: break
        }
        if !keepsAlive {
            bytes.append("Connection: close\r\n")
        } else if version == .http10 {
            bytes.append("Connection: keep-alive\r\n")
        }
    }
}
