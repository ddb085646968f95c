public import HTTP

/// The rules for where requests may go, and what they may cost.
///
/// A provider's address comes from the configuration, but the addresses in its documents come from outside, and so do
/// the answers of the name service. So each address is checked when a connection to it is opened.
public struct OutboundPolicy: Sendable {
    /// Networks that are allowed although they are not public.
    public var networks: [IPNetwork]
    /// The time for a request in milliseconds, from the look-up of its host to the last byte.
    public var milliseconds = 5_000
    /// The largest answer, in bytes.
    public var bytes = 256 << 10
    /// Whether an answer that is longer, or not complete in time, is cut there; otherwise it counts as none.
    public var cutsAnswers = false

    /// Creates a policy that allows these networks besides the public ones.
    public init(allowing networks: [IPNetwork] = []) { self.networks = networks }

    /// Returns whether a request may go to a URL, as far as that shows without one: a host that is a number must be of a
    /// network that is allowed, too.
    public func mayAllow(url: String) -> Bool {
        guard allows(url: url) else { return false }
        return Self.address(in: Self.authority(of: url)).map { allows($0) } ?? true
    }

    /// Returns whether the URL alone permits a request: it must be `https`, or plain `http` to an allowed address of
    /// this machine.
    func allows(url: String) -> Bool {
        let lower = url.lowercased()
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), url.utf8.count <= 8_192 else { return false }
        let isSecure = lower.hasPrefix("https://")
        guard isSecure || lower.hasPrefix("http://") else { return false }
        let authority = Self.authority(of: lower)
        // The part before an `@` is a name and a password, but looks like a host.
        guard !authority.isEmpty, !authority.contains(where: { "@\\".contains($0) }) else { return false }
        if isSecure { return true }
        guard let address = Self.address(in: authority) else { return false }
        return address.isLoopback && networks.contain(address)
    }

    /// Returns the host of an authority if it is a number.
    private static func address(in authority: String) -> IPAddress? {
        let host =
            authority.hasPrefix("[") ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return IPAddress(String(host))
    }

    /// Returns the host of a URL with its port, in lower case.
    static func authority(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        return String(url[scheme.upperBound...].prefix { !"/?#".contains($0) }).lowercased()
    }

    /// Returns whether a connection may be opened to an address.
    func allows(_ address: IPAddress) -> Bool {
        networks.contain(address) || !address.isUnspecified && !Self.closed.contain(address)
    }

    /// Addresses that are not public: this machine, private networks, neighbours, and those reserved for special uses
    /// (RFC 6890), as well as forms of IPv6 that contain an IPv4 address.
    private static let closed = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "::1", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23",
        "2001:db8::/32", "2002::/16", "fc00::/7", "fe80::/10", "ff00::/8",
    ].compactMap { IPNetwork($0) }
}
