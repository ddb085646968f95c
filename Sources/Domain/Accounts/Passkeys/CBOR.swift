/// The part of CBOR (RFC 8949) that WebAuthn uses: integers, bytes, text, lists, maps, Booleans and null, all with
/// definite lengths in their shortest form.
///
/// The input is untrusted: lengths are checked against the bytes that are there, nesting is limited to ``depth``, and
/// the whole to ``longest`` bytes.
enum CBOR: Equatable, Sendable {
    /// The maximum nesting of lists and maps.
    static let depth = 4
    /// The maximum number of bytes to parse.
    static let longest = 65_536

    case unsigned(UInt64)
    /// The integer -1 minus the associated number.
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

    /// Parses exactly one value; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard let (value, rest) = CBOR.first(of: bytes[...]), rest.isEmpty else { return nil }
        self = value
    }

    /// Parses the value at the beginning of the bytes; returns it with the bytes that follow.
    static func first(of bytes: ArraySlice<UInt8>) -> (value: CBOR, rest: ArraySlice<UInt8>)? {
        guard bytes.count <= longest else { return nil }
        var reader = CBORReader(rest: bytes)
        return reader.value(within: depth).map { ($0, reader.rest) }
    }

    /// The value of a map for a text key.
    subscript(key: String) -> CBOR? { value(under: .text(key)) }

    /// The value of a map for an integer key.
    subscript(key: Int64) -> CBOR? {
        value(under: key < 0 ? .negative(UInt64(-1 - key)) : .unsigned(UInt64(key)))
    }

    /// Whether WebAuthn has such keys: integers and short texts.
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
    /// The integer; `nil` for another kind or if it does not fit.
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

/// Reads one value after another.
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

    /// Reads the number of an item's head; `nil` unless it is in its shortest form.
    private mutating func number(_ short: UInt8) -> UInt64? {
        guard short >= 24 else { return UInt64(short) }
        guard short <= 27, let bytes = take(1 << UInt64(short - 24)) else { return nil }
        let number = bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        // The least numbers are 24, 2^8, 2^16 and 2^32.
        let least: UInt64 = short == 24 ? 24 : 1 << (4 << UInt64(short - 24))
        return number >= least ? number : nil
    }

    private mutating func take(_ count: UInt64) -> [UInt8]? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    private mutating func list(_ count: UInt64, within depth: Int) -> CBOR? {
        // Each value takes at least one byte.
        guard depth > 0, count <= UInt64(rest.count) else { return nil }
        var values: [CBOR] = []
        for _ in 0..<count {
            guard let value = value(within: depth - 1) else { return nil }
            values.append(value)
        }
        return .list(values)
    }

    /// Reads a map. Maps have at most 64 keys, so a linear search finds duplicates.
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
