import Shared
import Transport
import WebServer

/// Sends a copy of the store piece by piece, the next one when the client has taken the last.
///
/// States: *idle* → *reading* (a thread fetches a piece) → *idle* …, until the end or until the connection has gone. A
/// copy that cannot be sent whole is broken off, so that half a copy is not taken for a backup.
final class CopyStream: ByteStreamHandler {
    private enum State {
        case idle
        case reading
        case closed
    }

    private let copy: any StoreCopy
    private let channel: ByteChannel
    private var left: Int
    private var state = State.idle

    init(_ copy: any StoreCopy, to channel: ByteChannel) {
        self.copy = copy
        self.channel = channel
        left = copy.size
    }

    func drained() {
        guard case .idle = state else { return }
        state = .reading
        let stream = LoopBound(self, to: channel.loop)
        copy.read { piece in stream.loop.execute { stream.value.send(piece) } }
    }

    private func send(_ piece: Result<[UInt8], any Error>) {
        guard case .reading = state else { return }
        state = .idle
        guard case .success(let bytes) = piece, !bytes.isEmpty || left == 0 else { return channel.abort() }
        left -= bytes.count
        if bytes.isEmpty { channel.end() } else { channel.send(Chunk(bytes)) }
    }

    func evicted(from channel: ByteChannel) { channel.abort() }

    func closed() { state = .closed }
}
