/// The application's end of a streamed response. All calls are on the channel's loop; `closed` is called exactly once
/// and last.
public protocol ByteStreamHandler: AnyObject {
    /// Called when everything sent so far is with the kernel.
    func drained()
    /// Called when the server stops and this response must end now. If it then counts as complete, end the channel;
    /// otherwise abort it.
    func evicted(from channel: ByteChannel)
    /// Called when the response is over: the application has ended it, or the client has gone.
    func closed()
}

extension ByteStreamHandler {
    /// Does nothing.
    public func drained() {}

    /// Ends the channel: an event stream is complete whenever it ends.
    public func evicted(from channel: ByteChannel) { channel.end() }
}

/// A piece of a streamed response: framed once, then the same bytes for every receiver.
public struct Chunk: Sendable, Hashable {
    /// The piece as a chunk of HTTP/1.1; empty if the payload is, because an empty chunk would end the body.
    let framed: [UInt8]
    private let start: Int

    /// Makes a piece of `payload`.
    public init(_ payload: some Collection<UInt8>) {
        var bytes: [UInt8] = []
        let count = payload.count
        guard count > 0 else {
            framed = []
            start = 0
            return
        }
        bytes.reserveCapacity(count + 16)
        bytes.append(contentsOf: String(count, radix: 16).utf8)
        bytes.append(contentsOf: "\r\n".utf8)
        start = bytes.count
        bytes.append(contentsOf: payload)
        bytes.append(contentsOf: "\r\n".utf8)
        framed = bytes
    }

    /// The bytes without a frame, for HTTP/1.0.
    var payload: [UInt8] { framed.isEmpty ? [] : Array(framed[start..<(framed.count - 2)]) }
}
