internal import Glibc

/// An IPv4 or IPv6 address and a port.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in network order: 4 or 16 bytes.
    public var ip: [UInt8] {
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64((7 - $0 % 8) * 8)) }
        return isIPv4 ? Array(bytes.suffix(4)) : bytes
    }
    private let high: UInt64
    private let low: UInt64
    /// The port; 0 lets the kernel choose one.
    public private(set) var port: UInt16
    private let isIPv4: Bool

    /// Reads a numeric address such as `127.0.0.1`, `0.0.0.0` or `::1`.
    ///
    /// - Throws: `TransportError` if `host` is not a numeric address; names are not looked up.
    public init(host: String, port: UInt16) throws(TransportError) {
        var v4 = in_addr()
        var v6 = in6_addr()
        self.port = port
        if inet_pton(AF_INET, host, &v4) == 1 {
            isIPv4 = true
            high = 0
            low = UInt64(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, host, &v6) == 1 {
            isIPv4 = false
            (high, low) = SocketAddress.halves(v6)
        } else {
            throw TransportError("inet_pton", code: EINVAL)
        }
    }

    /// Any IPv4 address, and a port that the kernel chooses.
    public static let anywhere = SocketAddress(port: 0, high: 0, low: 0, isIPv4: true)

    private init(port: UInt16, high: UInt64, low: UInt64, isIPv4: Bool) {
        self.port = port
        self.high = high
        self.low = low
        self.isIPv4 = isIPv4
    }

    /// Returns the same address with another port.
    public func with(port: UInt16) -> SocketAddress {
        var copy = self
        copy.port = port
        return copy
    }

    /// `192.0.2.1:80` or `[2001:db8::1]:80`.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = ip.withUnsafeBytes {
            inet_ntop(isIPv4 ? AF_INET : AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
        }
        let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
    }
}

// Conversions from and to the kernel's structures.
extension SocketAddress {
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            // A sockaddr_storage is large and aligned enough for either; its family says which it holds.
            let address = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in.self) }
            isIPv4 = true
            high = 0
            low = UInt64(UInt32(bigEndian: address.sin_addr.s_addr))
            port = UInt16(bigEndian: address.sin_port)
        case AF_INET6:
            let address = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in6.self) }
            isIPv4 = false
            (high, low) = SocketAddress.halves(address.sin6_addr)
            port = UInt16(bigEndian: address.sin6_port)
        default: return nil
        }
    }

    var family: Int32 { isIPv4 ? AF_INET : AF_INET6 }

    func withSockaddr<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var storage = sockaddr_storage()
        let length: Int
        if isIPv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
            length = MemoryLayout<sockaddr_in>.size
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
        } else {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: ip) }
            length = MemoryLayout<sockaddr_in6>.size
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in6.self) }
        }
        return withUnsafePointer(to: storage) { pointer in
            // A sockaddr_storage begins with a sockaddr.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    private static func halves(_ address: in6_addr) -> (UInt64, UInt64) {
        withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.load(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
