/// The address of a machine, for limits and for the audit trail.
///
/// An IPv4 address that came in its IPv6 form (`::ffff:192.0.2.1`) equals the IPv4 address.
public struct IPAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// Takes the 4 or 16 bytes of an address in network order; `nil` for any other count.
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

    /// The address that means "not known".
    public static let unspecified = IPAddress(high: 0, low: 0)

    /// Whether this is an IPv4 address.
    public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether this means no machine in particular, or every address of one: 0.0.0.0 or ::.
    public var isUnspecified: Bool { high == 0 && (low == 0 || low == 0xFFFF_0000_0000) }

    /// Whether this is the machine itself: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        isIPv4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1
    }

    /// The network that limits apply to: the address itself for IPv4, the /64 that usually belongs to one household for
    /// IPv6.
    public var network: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// The /48 of an IPv6 address: one household, company or rented machine may hold all of its 65,536 networks. `nil`
    /// for IPv4, whose addresses are not given out in such numbers.
    public var site: IPAddress? { isIPv4 ? nil : IPAddress(high: high & ~0xFFFF, low: 0) }
}

extension IPAddress: CustomStringConvertible {
    /// The address as text in its canonical form (RFC 5952).
    public var description: String {
        if isIPv4 { return dotted }
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

    /// The text of an IPv4 address, short enough for a `String` without an allocation.
    private var dotted: String {
        var text = String((low >> 24) & 0xFF)
        for shift: UInt64 in [16, 8, 0] {
            text += "."
            text += String((low >> shift) & 0xFF)
        }
        return text
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
    public init?(_ text: String) { self.init(text[...]) }

    /// Reads a part of a text in the same way.
    init?(_ text: Substring) {
        let text = text.utf8.span
        if let address = IPAddress.dotted(text) {
            self.init(high: 0, low: 0xFFFF_0000_0000 | address)
            return
        }
        let gap = IPAddress.gap(in: text)
        guard let left = AddressGroups(text.extracting(..<(gap ?? text.count)), mayEndDotted: gap == nil) else {
            return nil
        }
        guard let gap else {
            guard left.bits == 128 else { return nil }
            self.init(left.value)
            return
        }
        // A gap stands for at least one group of zeros.
        guard let right = AddressGroups(text.extracting((gap + 2)...), mayEndDotted: true),
            left.bits + right.bits <= 112
        else { return nil }
        self.init(left.value << UInt128(128 - left.bits) | right.value)
    }

    private init(_ value: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }

    /// Returns the index of the first `::`; `nil` if there is none.
    private static func gap(in text: Span<UInt8>) -> Int? {
        let colon = UInt8(ascii: ":")
        for index in text.indices.dropLast() where text[index] == colon && text[index + 1] == colon { return index }
        return nil
    }

    /// Reads four decimal numbers without leading zeros; `nil` for anything else.
    fileprivate static func dotted(_ text: Span<UInt8>) -> UInt64? {
        var (address, number, digits, dots): (UInt64, UInt64, Int, Int) = (0, 0, 0, 0)
        for index in text.indices {
            let digit = text[index] &- 0x30
            if digit < 10 {
                guard digits == 0 || number > 0 else { return nil }
                number = number * 10 + UInt64(digit)
                digits += 1
                guard number < 256 else { return nil }
            } else {
                guard text[index] == UInt8(ascii: "."), digits > 0, dots < 3 else { return nil }
                address = address << 8 | number
                (number, digits, dots) = (0, 0, dots + 1)
            }
        }
        return dots == 3 && digits > 0 ? address << 8 | number : nil
    }
}

/// The groups on one side of an address's gap.
private struct AddressGroups {
    private(set) var value: UInt128 = 0
    private(set) var bits = 0

    /// Reads groups between colons; `nil` for anything else, and for more than 128 bits.
    init?(_ text: Span<UInt8>, mayEndDotted: Bool) {
        guard !text.isEmpty else { return }
        var start = 0
        for index in text.indices where text[index] == UInt8(ascii: ":") {
            guard append(hexadecimal: text.extracting(start..<index)) else { return nil }
            start = index + 1
        }
        let last = text.extracting(start...)
        if mayEndDotted, let tail = IPAddress.dotted(last) {
            guard append(UInt128(tail), bits: 32) else { return nil }
        } else {
            guard append(hexadecimal: last) else { return nil }
        }
    }

    private mutating func append(hexadecimal group: Span<UInt8>) -> Bool {
        guard (1...4).contains(group.count) else { return false }
        var number: UInt128 = 0
        for index in group.indices {
            guard let digit = Bytes.hexDigit(group[index]) else { return false }
            number = number << 4 | UInt128(digit)
        }
        return append(number, bits: 16)
    }

    private mutating func append(_ number: UInt128, bits more: Int) -> Bool {
        guard bits + more <= 128 else { return false }
        value = value << UInt128(more) | number
        bits += more
        return true
    }
}
