import Transport
import WebServer

/// Sends a long body piece by piece, the next one when the client has taken the last.
///
/// States: *idle* → *reading* (the next piece is fetched) → *idle* …, until the end or until the connection has gone. A
/// body that cannot be sent whole is broken off, so that half of it is not taken for all.
final class PieceStream: ByteStreamHandler {
    /// Reads the next piece and calls `done` from any thread; empty at the end. One read at a time.
    typealias Read = @Sendable (_ done: @escaping @Sendable (Result<[UInt8], any Error>) -> Void) -> Void

    private enum State {
        case idle
        case reading
        case closed
    }

    private let read: Read
    private let channel: ByteChannel
    /// How many bytes are still to come, where that is known.
    private var left: Int?
    private var state = State.idle

    /// A body of `size` bytes, or of an unknown size.
    init(to channel: ByteChannel, size: Int? = nil, _ read: @escaping Read) {
        self.read = read
        self.channel = channel
        left = size
    }

    /// A body whose pieces a function makes; it is called off the loop.
    convenience init(to channel: ByteChannel, next: @escaping @Sendable () async throws -> [UInt8]) {
        self.init(to: channel) { done in
            Task {
                do { done(.success(try await next())) } catch { done(.failure(error)) }
            }
        }
    }

    func drained() {
        guard case .idle = state else { return }
        state = .reading
        let stream = LoopBound(self, to: channel.loop)
        read { piece in stream.loop.execute { stream.value.send(piece) } }
    }

    private func send(_ piece: Result<[UInt8], any Error>) {
        guard case .reading = state else { return }
        state = .idle
        guard case .success(let bytes) = piece, !bytes.isEmpty || left ?? 0 == 0 else { return channel.abort() }
        left = left.map { $0 - bytes.count }
        if bytes.isEmpty { channel.end() } else { channel.send(Chunk(bytes)) }
    }

    func evicted(from channel: ByteChannel) { channel.abort() }

    func closed() { state = .closed }
}
