/// CBOR (RFC 8949) as far as WebAuthn speaks it: whole numbers, bytes, text, lists, maps, true, false and null, all with
/// definite lengths in their shortest form.
///
/// Everything comes from a stranger: no length is believed beyond the bytes that are there, nesting ends at ``depth``, and
/// the whole at ``longest`` bytes.
enum CBOR: Equatable, Sendable {
    /// How deep lists and maps may be nested.
    static let depth = 4
    /// The most bytes that are read.
    static let longest = 65_536

    case unsigned(UInt64)
    /// -1 minus the number.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case list([CBOR])
    case map([Pair])
    case bool(Bool)
    case null

    /// A key of a map with its value.
    struct Pair: Equatable, Sendable {
        let key: CBOR
        let value: CBOR
    }

    /// The one value that the bytes are; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard let (value, rest) = CBOR.first(of: bytes[...]), rest.isEmpty else { return nil }
        self = value
    }

    /// The value with which bytes begin, and what follows it.
    static func first(of bytes: ArraySlice<UInt8>) -> (value: CBOR, rest: ArraySlice<UInt8>)? {
        guard bytes.count <= longest else { return nil }
        var reader = CBORReader(rest: bytes)
        return reader.value(within: depth).map { ($0, reader.rest) }
    }

    /// The value of a map under a text.
    subscript(key: String) -> CBOR? { value(under: .text(key)) }

    /// The value of a map under a whole number.
    subscript(key: Int64) -> CBOR? {
        value(under: key < 0 ? .negative(UInt64(-1 - key)) : .unsigned(UInt64(key)))
    }

    /// Whether WebAuthn has such keys: whole numbers and short texts.
    fileprivate var isKey: Bool {
        switch self {
        case .unsigned, .negative: true
        case .text(let text): text.utf8.count <= 64
        case .bytes, .list, .map, .bool, .null: false
        }
    }

    /// The bytes; `nil` for another kind.
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    /// The text; `nil` for another kind.
    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The number; `nil` for another kind or one that does not fit.
    var integer: Int64? {
        switch self {
        case .unsigned(let number): Int64(exactly: number)
        case .negative(let number): Int64(exactly: number).map { -1 - $0 }
        default: nil
        }
    }

    private func value(under key: CBOR) -> CBOR? {
        guard case .map(let pairs) = self else { return nil }
        return pairs.first { $0.key == key }?.value
    }
}

/// Reads one value after the other.
private struct CBORReader {
    var rest: ArraySlice<UInt8>

    mutating func value(within depth: Int) -> CBOR? {
        guard let head = rest.popFirst() else { return nil }
        let (kind, short) = (head >> 5, head & 31)
        if kind == 7 { return simple(short) }
        guard let number = number(short) else { return nil }
        switch kind {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return take(number).map { .bytes($0) }
        case 3: return take(number).flatMap { String(validating: $0, as: UTF8.self) }.map { .text($0) }
        case 4: return list(number, within: depth)
        case 5: return map(number, within: depth)
        default: return nil
        }
    }

    private func simple(_ short: UInt8) -> CBOR? {
        switch short {
        case 20: .bool(false)
        case 21: .bool(true)
        case 22: .null
        default: nil
        }
    }

    /// The number of a head, in its shortest form.
    private mutating func number(_ short: UInt8) -> UInt64? {
        guard short >= 24 else { return UInt64(short) }
        guard short <= 27, let bytes = take(1 << UInt64(short - 24)) else { return nil }
        let number = bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        // 24, 2^8, 2^16 and 2^32.
        let least: UInt64 = short == 24 ? 24 : 1 << (4 << UInt64(short - 24))
        return number >= least ? number : nil
    }

    private mutating func take(_ count: UInt64) -> [UInt8]? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    private mutating func list(_ count: UInt64, within depth: Int) -> CBOR? {
        // Each value takes a byte at least.
        guard depth > 0, count <= UInt64(rest.count) else { return nil }
        var values: [CBOR] = []
        for _ in 0..<count {
            guard let value = value(within: depth - 1) else { return nil }
            values.append(value)
        }
        return .list(values)
    }

    /// Maps are small here, and so are their keys: one that comes twice is looked for among all.
    private mutating func map(_ count: UInt64, within depth: Int) -> CBOR? {
        guard depth > 0, count <= 64, count * 2 <= UInt64(rest.count) else { return nil }
        var pairs: [CBOR.Pair] = []
        for _ in 0..<count {
            guard let key = value(within: 0), key.isKey, !pairs.contains(where: { $0.key == key }),
                let value = value(within: depth - 1)
            else { return nil }
            pairs.append(CBOR.Pair(key: key, value: value))
        }
        return .map(pairs)
    }
}
