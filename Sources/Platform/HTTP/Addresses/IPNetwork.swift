/// A range of addresses: a single address, or all that share a prefix (CIDR, RFC 4632).
public struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    private let base: IPAddress
    /// How many leading bits of the 128 count; an IPv4 prefix of n is one of 96 + n.
    private let length: Int

    /// Creates the network of a single address.
    public init(_ address: IPAddress) { self.init(base: address, length: 128) }

    private init(base: IPAddress, length: Int) {
        self.base = base
        self.length = length
    }

    /// Reads `192.0.2.1`, `10.0.0.0/8`, `::1` or `2001:db8::/32`.
    ///
    /// `nil` for anything else, for bits after the prefix that are not zero, and for a prefix of length 0, which would
    /// contain every address.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        guard parts.count == 2 else {
            self.init(address)
            return
        }
        let isDotted = !first.contains(":")
        guard let written = Int(parts[1]), parts[1] == String(written), (1...(isDotted ? 32 : 128)).contains(written)
        else { return nil }
        self.init(base: address, length: isDotted ? written + 96 : written)
        let (high, low) = mask
        guard address.high & ~high == 0, address.low & ~low == 0 else { return nil }
    }

    /// Returns whether the address is in this network. No IPv4 address is in an IPv6 network.
    public func contains(_ address: IPAddress) -> Bool {
        let (high, low) = mask
        return address.isIPv4 == base.isIPv4 && address.high & high == base.high && address.low & low == base.low
    }

    /// The network in its canonical form.
    public var description: String {
        length == 128 ? base.description : "\(base)/\(base.isIPv4 ? length - 96 : length)"
    }

    private var mask: (high: UInt64, low: UInt64) {
        // A shift by 64 or more gives 0, as intended.
        (length >= 64 ? .max : ~(UInt64.max >> UInt64(length)), length <= 64 ? 0 : ~(UInt64.max >> UInt64(length - 64)))
    }
}

extension [IPNetwork] {
    /// Returns whether the address is in one of the networks.
    public func contain(_ address: IPAddress) -> Bool { contains { $0.contains(address) } }
}
