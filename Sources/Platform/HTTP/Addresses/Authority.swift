/// The host and port of an address, as in `Host`: `grades.example.org:8443`, `192.0.2.1`, `[::1]:8080`.
public struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// The host in lower case; an IPv6 address has its canonical form, without brackets.
    public let name: String
    /// The port, unless it is the scheme's default.
    public let port: UInt16?
    /// The host as an address; `nil` for a name.
    public let address: IPAddress?

    private static let longest = 255

    /// Reads a host and an optional port; `nil` for anything else, user names and lists included.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ Bytes.authority.contains($0) })
        else {
            return nil
        }
        let host: Substring
        var rest: Substring
        if text.utf8.first == UInt8(ascii: "[") {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[text.utf8.index(after: text.startIndex)..<end]
            rest = text[text.utf8.index(after: end)...]
            guard let address = IPAddress(host), host.utf8.contains(UInt8(ascii: ":")) else { return nil }
            (self.address, name) = (address, address.description)
        } else {
            host = text[..<(text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex)]
            rest = text[host.endIndex...]
            guard !host.isEmpty, host.utf8.allSatisfy({ $0 != 0x5B && $0 != 0x5D }) else { return nil }
            address = IPAddress(host)
            name = host.utf8.contains { $0 &- 0x41 < 26 } ? host.lowercased() : String(host)
        }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        guard rest.removeFirst() == ":", rest.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(rest)
        else { return nil }
        self.port = port
    }

    /// The same host without a port.
    public var withoutPort: Authority { Authority(name: name, port: nil, address: address) }

    private init(name: String, port: UInt16?, address: IPAddress?) {
        self.name = name
        self.port = port
        self.address = address
    }

    /// Whether the host means this machine itself: a loopback address, or `localhost`.
    public var isLoopback: Bool { address?.isLoopback ?? (name == "localhost") }

    /// The host and the port as text, in lower case.
    public var description: String {
        let host = name.contains(":") ? "[\(name)]" : name
        return port.map { "\(host):\($0)" } ?? host
    }
}
