/// The address of a machine, as counted by limits and written into the audit.
///
/// An IPv4 address that came in its IPv6 disguise (`::ffff:192.0.2.1`) is the IPv4 address.
public struct IPAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The address of 4 or 16 bytes in network order; `nil` for any other count.
    public init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4:
            high = 0
            low = 0xFFFF_0000_0000 | bytes.reduce(0) { $0 << 8 | UInt64($1) }
        case 16:
            high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        default:
            return nil
        }
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The address that stands for "not known".
    public static let unspecified = IPAddress(high: 0, low: 0)

    /// Whether this is an IPv4 address.
    public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether this stands for no machine in particular, or for every address of one: 0.0.0.0 or ::.
    public var isUnspecified: Bool { high == 0 && (low == 0 || low == 0xFFFF_0000_0000) }

    /// Whether this is the machine itself: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        isIPv4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1
    }

    /// What limits count by: the address itself, or the /64 that one IPv6 household has to itself.
    public var network: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }
}

extension IPAddress: CustomStringConvertible {
    /// The address as text in its canonical form (RFC 5952).
    public var description: String {
        if isIPv4 {
            return [24, 16, 8, 0].map { String((low >> UInt64($0)) & 0xFF) }.joined(separator: ".")
        }
        let groups = [high, low].flatMap { half in
            [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> UInt64($0)) }
        }
        guard let gap = IPAddress.longestZeros(in: groups) else {
            return groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        let left = groups[..<gap.lowerBound].map { String($0, radix: 16) }.joined(separator: ":")
        let right = groups[gap.upperBound...].map { String($0, radix: 16) }.joined(separator: ":")
        return "\(left)::\(right)"
    }

    private static func longestZeros(in groups: [UInt16]) -> Range<Int>? {
        var best = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 { start = index + 1 }
            if index + 1 - start > best.count { best = start..<(index + 1) }
        }
        return best.count > 1 ? best : nil
    }
}

extension IPAddress {
    /// Reads `192.0.2.1`, `2001:db8::1` or `::ffff:192.0.2.1`; no brackets, ports or zones.
    public init?(_ text: String) {
        if let bytes = IPAddress.dotted(text) {
            self.init(bytes: bytes)
            return
        }
        let gap = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard gap.count <= 2, !(gap.last ?? "").contains("::") else { return nil }
        guard let left = IPAddress.groups(gap[0], isLast: gap.count == 1),
            let right = gap.count == 2 ? IPAddress.groups(gap[1], isLast: true) : []
        else { return nil }
        let missing = 16 - left.count - right.count
        guard gap.count == 2 ? missing >= 2 : missing == 0 else { return nil }
        self.init(bytes: left + Array(repeating: 0, count: missing) + right)
    }

    private static func dotted(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard let byte = UInt8(part), part == String(byte) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func groups(_ text: String, isLast: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 8 else { return nil }
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, let tail = dotted(part) {
                bytes += tail
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ Bytes.hexDigit($0) != nil }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes.count <= 16 ? bytes : nil
    }
}
