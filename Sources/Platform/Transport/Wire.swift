internal import CLinux
internal import Glibc

/// The outcome of an attempt to move bytes.
enum Transfer {
    /// This many bytes were moved, at least one.
    case moved(Int)
    /// Nothing can be moved now; the loop reports when that changes.
    case blocked
    /// The other end sends no more.
    case ended
    /// The connection is broken.
    case failed(TransportError)
}

/// What a `Stream` sends and receives through: the socket, or TLS over it, which owns the socket.
///
/// An enum, because every stream has one: the box of a protocol takes four times the memory.
enum Wire {
    case plain(Socket)
    case secure(TLSSocket)

    /// The socket's descriptor, to be watched.
    var descriptor: Int32 {
        switch self {
        case .plain(let socket): socket.descriptor
        case .secure(let socket): socket.descriptor
        }
    }

    /// Whether the connection is encrypted. Then receiving may have to wait until something can be sent, and vice
    /// versa.
    var isSecure: Bool {
        if case .secure = self { true } else { false }
    }

    /// How many bytes of the last offer were not moved and must be offered again unchanged.
    var committed: Int {
        switch self {
        case .plain: 0
        case .secure(let socket): socket.committed
        }
    }

    /// Whether the end is known to follow the bytes received last.
    var hasEnded: Bool {
        switch self {
        case .plain: false
        case .secure(let socket): socket.hasEnded
        }
    }

    /// Receives at most as many bytes as fit.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        switch self {
        case .plain(let socket): socket.receive(into: buffer)
        case .secure(let socket): socket.receive(into: buffer)
        }
    }

    /// Sends some of the bytes.
    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        switch self {
        case .plain(let socket): socket.send(bytes)
        case .secure(let socket): socket.send(bytes)
        }
    }

    /// Tells the other end that nothing more will be sent.
    func endSending() {
        switch self {
        case .plain(let socket): socket.endSending()
        case .secure(let socket): socket.endSending()
        }
    }

    /// Closes the descriptor.
    func close() { _ = Glibc.close(descriptor) }
}

extension Wire {
    /// Bytes in the kernel that the other end has not acknowledged; the end of sending counts as one.
    var unacknowledged: Int32 { clinux_unacknowledged(descriptor) }

    /// Makes the connection end with a reset when it is closed, so that the kernel frees unread bytes at once instead
    /// of holding them for minutes.
    func willReset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}

/// A connected TCP socket without a layer over it.
struct Socket {
    let descriptor: Int32

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .moved(count) }
            if count == 0 { return .ended }
            if errno != EINTR { return Socket.outcome("recv", errno) }
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .moved(count) }
            if errno != EINTR { return Socket.outcome("send", errno) }
        }
    }

    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    private static func outcome(_ call: String, _ code: Int32) -> Transfer {
        code == EAGAIN || code == EWOULDBLOCK ? .blocked : .failed(TransportError(call, code: code))
    }
}
