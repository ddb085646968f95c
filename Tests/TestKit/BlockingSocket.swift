import Glibc

/// A connection to a server on loopback, for clients that wait for what they ask. It gives up after a silence as long as
/// its patience, which ends a test that would otherwise hang.
public final class BlockingSocket: Sendable {
    /// Nothing came in time.
    public struct Timeout: Error {
        /// A silence that lasted too long.
        public init() {}
    }

    /// What the system said; 0 when the other end closed too early.
    public struct Failure: Error {
        /// `errno`.
        public let code: Int32

        /// A failure.
        public init(code: Int32) { self.code = code }
    }

    private let descriptor: Int32

    /// Connects.
    ///
    /// - Parameter receiveBuffer: how much the kernel may hold back for a reader that does not read; `nil` for its own
    ///   choice.
    public init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var patience = timeval(tv_sec: Patience.seconds, tv_usec: 0)
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

    /// Sends all of it.
    public func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(code: errno) }
            sent += count
        }
    }

    /// The next bytes; none when the other end has closed.
    public func receive() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = recv(descriptor, &bytes, bytes.count, 0)
        while count < 0, errno == EINTR { count = recv(descriptor, &bytes, bytes.count, 0) }
        if count < 0 { throw errno == EAGAIN ? Timeout() as any Error : Failure(code: errno) }
        return Array(bytes[..<count])
    }

    /// Says that nothing more will be sent.
    public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Breaks the connection off.
    public func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        // Connecting to nowhere disconnects, which with this option is a reset.
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        Glibc.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
