internal import Glibc

/// A bound socket at which connections queue up. Several share one port, one per loop; the kernel distributes the
/// connections among them.
public struct ListeningSocket: Sendable {
    /// How many unsent bytes the kernel accepts for a connection. The rest waits in this process, where it can be
    /// counted, taken back, or replaced by something newer.
    private static let unsentBytes: Int32 = 16 * 1024
    /// How many bytes the kernel keeps for a connection in total, until they are acknowledged: enough for 40 Mbit/s to
    /// a reader 50 ms away.
    private static let sendBuffer: Int32 = 256 * 1024

    let descriptor: Int32
    /// The address it listens on, with the port that the kernel chose if it was asked to choose.
    public let address: SocketAddress

    /// Binds and listens. An IPv6 address takes IPv6 connections only, so that `0.0.0.0` and `::` can be used side by
    /// side.
    init(_ address: SocketAddress, backlog: Int32 = 4096) throws(TransportError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = try check(Glibc.socket(address.family, type, 0), "socket")
        do throws(TransportError) {
            if address.family == AF_INET6 { try enable(IPV6_V6ONLY, level: Int32(IPPROTO_IPV6), socket) }
            try enable(SO_REUSEADDR, level: SOL_SOCKET, socket)
            try enable(SO_REUSEPORT, level: SOL_SOCKET, socket)
            // The connections inherit these.
            try set(SO_SNDBUF, level: SOL_SOCKET, to: ListeningSocket.sendBuffer, socket)
            try set(TCP_NOTSENT_LOWAT, level: Int32(IPPROTO_TCP), to: ListeningSocket.unsentBytes, socket)
            try check(address.withSockaddr { Glibc.bind(socket, $0, $1) }, "bind")
            try check(listen(socket, backlog), "listen")
            descriptor = socket
            self.address = try ListeningSocket.localAddress(socket)
        } catch {
            _ = Glibc.close(socket)
            throw error
        }
    }

    /// Binds one socket per loop. With port 0, all sockets get the port of the first one.
    ///
    /// Binds without sharing first, to find another owner of the port: otherwise two servers of one user would share
    /// the connections unnoticed.
    public static func bind(_ address: SocketAddress, count: Int) throws(TransportError) -> [ListeningSocket] {
        if address.port != 0 { try checkFree(address) }
        var sockets: [ListeningSocket] = []
        do throws(TransportError) {
            for _ in 0..<max(1, count) {
                sockets.append(try ListeningSocket(sockets.first?.address ?? address))
            }
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
        return sockets
    }

    /// Stops listening, for a socket that no listener has taken over.
    public func close() { _ = Glibc.close(descriptor) }

    /// Checks that no other socket listens at an address, and throws `TransportError` if one does.
    private static func checkFree(_ address: SocketAddress) throws(TransportError) {
        let probe = try check(socket(address.family, Int32(SOCK_STREAM.rawValue), 0), "socket")
        defer { _ = Glibc.close(probe) }
        if address.family == AF_INET6 { try enable(IPV6_V6ONLY, level: Int32(IPPROTO_IPV6), probe) }
        try enable(SO_REUSEADDR, level: SOL_SOCKET, probe)
        try check(address.withSockaddr { Glibc.bind(probe, $0, $1) }, "bind")
    }

    private static func localAddress(_ descriptor: Int32) throws(TransportError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        try check(result, "getsockname")
        guard let address = SocketAddress(storage) else { throw TransportError("getsockname", code: EAFNOSUPPORT) }
        return address
    }
}

/// Enables a socket option.
func enable(_ option: Int32, level: Int32, _ descriptor: Int32) throws(TransportError) {
    try set(option, level: level, to: 1, descriptor)
}

/// Sets a socket option that is a number.
private func set(_ option: Int32, level: Int32, to value: Int32, _ descriptor: Int32) throws(TransportError) {
    var value = value
    try check(setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)), "setsockopt")
}
