internal import COpenSSL
internal import Glibc

/// A connected TCP socket with TLS over it. The handshake happens in the attempts to receive or send; until it is done,
/// neither moves a byte.
///
/// States: *running* → *ended* (the other end has sent its last byte; ours may go on) → *failed* (broken; OpenSSL must
/// not be called any more).
final class TLSSocket {
    private enum State {
        case running
        case ended
        case failed(TransportError)
    }

    let descriptor: Int32
    /// How many bytes of the last offer were not moved and must be offered again unchanged.
    private(set) var committed = 0
    private let session: OpaquePointer
    private var state = State.running

    init(descriptor: Int32, context: TLSContext) throws(TransportError) {
        guard let session = context.makeSession() else { throw TransportError("SSL_new", code: ENOMEM) }
        self.session = session
        self.descriptor = descriptor
        guard SSL_set_fd(session, descriptor) == 1 else { throw TransportError("SSL_set_fd", code: ENOMEM) }
        SSL_set_accept_state(session)
    }

    deinit { SSL_free(session) }

    /// Whether the other end has sent its last byte, or the connection is broken.
    var hasEnded: Bool {
        if case .running = state { false } else { true }
    }

    /// Receives record by record until the buffer is full or the kernel has no more.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        var filled = 0
        while filled < buffer.count, case .running = state {
            var count = 0
            ERR_clear_error()
            let result = SSL_read_ex(session, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, &count)
            if result == 1 { filled += count } else if isBlocked(result, "SSL_read") { break }
        }
        guard filled == 0 else { return .moved(filled) }
        return switch state {
        case .running: .blocked
        case .ended: .ended
        case .failed(let error): .failed(error)
        }
    }

    /// Sends record by record until all is with the kernel or it takes no more.
    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        var sent = 0
        while sent < bytes.count {
            if case .failed(let error) = state { return .failed(error) }
            let length = min(bytes.count - sent, TLSContext.recordLength)
            var count = 0
            ERR_clear_error()
            let result = SSL_write_ex(session, bytes.baseAddress?.advanced(by: sent), length, &count)
            if result == 1 {
                sent += count
                committed = 0
            } else if isBlocked(result, "SSL_write") {
                // The record is made, and the kernel may have half of it. During the handshake there is none yet.
                committed = SSL_want(session) == SSL_WRITING && SSL_is_init_finished(session) == 1 ? length : 0
                return sent > 0 ? .moved(sent) : .blocked
            }
        }
        return .moved(sent)
    }

    /// Sends close_notify, so that the peer can tell the end of the data from a connection that was cut.
    func endSending() {
        if canSayGoodbye {
            ERR_clear_error()
            _ = SSL_shutdown(session)
        }
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    private var canSayGoodbye: Bool {
        if case .failed = state { return false }
        return SSL_is_init_finished(session) == 1
    }

    /// Returns whether a call that moved nothing only has to wait; if not, the state holds the reason.
    private func isBlocked(_ result: Int32, _ call: String) -> Bool {
        let code = errno
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return true
        case SSL_ERROR_ZERO_RETURN: state = .ended
        case SSL_ERROR_SYSCALL: state = .failed(TransportError(call, code: code == 0 ? ECONNRESET : code))
        // The peer broke the protocol, and OpenSSL has told it so; or it left without close_notify.
        default: state = .failed(TransportError(call, code: EPROTO))
        }
        return false
    }
}
