import Transport
import WebServer

/// Sends a long body piece by piece, fetching the next one when the client has taken the last.
///
/// States: *idle* → *reading* (the next piece is being fetched) → *idle* …, until the body ends or the connection
/// closes. A body that cannot be completed is aborted, so that the client does not take a part for the whole.
final class PieceStream: ByteStreamHandler {
    /// Reads the next piece and passes it to `done`, on any thread; an empty piece ends the body. One read runs at a
    /// time.
    typealias Read = @Sendable (_ done: @escaping @Sendable (Result<[UInt8], any Error>) -> Void) -> Void

    private enum State {
        case idle
        case reading
        case closed
    }

    private let read: Read
    private let channel: ByteChannel
    /// How many bytes are still to be sent; `nil` if that is not known.
    private var left: Int?
    private var state = State.idle

    /// Creates a stream of `size` bytes; `nil` for an unknown size.
    init(to channel: ByteChannel, size: Int? = nil, _ read: @escaping Read) {
        self.read = read
        self.channel = channel
        left = size
    }

    /// Creates a stream whose pieces `next` makes, off the event loop.
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
