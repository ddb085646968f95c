/// Writes JSON straight into bytes: what is hot is written once and never built as a tree first.
///
/// The writer places the commas; the caller nests `object` and `array` and names each member.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object {
///     $0.member("code", "not_found")
///     $0.member("faults") { $0.array { _ in } }
/// }
/// ```
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// A writer with room for `capacity` bytes.
    public init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// What has been written, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Where the next value begins.
    package var nextPlace: Int { bytes.count + (needsComma ? 1 : 0) }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Writes an object; `body` writes its members.
    public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an object whose members take time to find.
    public mutating func object(_ body: (inout JSONWriter) async throws -> Void) async rethrows {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        try await body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an array; `body` writes its elements.
    public mutating func array<Result>(_ body: (inout JSONWriter) throws -> Result) rethrows -> Result {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        let result = try body(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
        return result
    }

    /// Writes a member's name; exactly one value must follow.
    public mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's name that is already encoded; exactly one value must follow.
    package mutating func name(utf8 name: ArraySlice<UInt8>) {
        string(utf8: name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    /// Writes a string that is already encoded.
    package mutating func string(utf8 value: ArraySlice<UInt8>) {
        separate()
        value.withUnsafeBufferPointer { quote($0) }
    }

    /// Writes an integer.
    public mutating func integer(_ value: some BinaryInteger) {
        if let digits = UInt64(exactly: value.magnitude) {
            decimal(digits, scale: 0, isNegative: value < 0)
        } else {
            raw(String(value).utf8)
        }
    }

    /// Writes digits with a point before the last `scale` of them, which zeros fill.
    package mutating func decimal(_ digits: UInt64, scale: Int, isNegative: Bool) {
        separate()
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        var (first, rest, place) = (bytes.count, digits, 0)
        // The last digit is found first: they are written backwards and turned round.
        repeat {
            if place == scale, scale > 0 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            place += 1
        } while rest > 0 || place <= scale
        var last = bytes.count - 1
        while first < last {
            bytes.swapAt(first, last)
            first += 1
            last -= 1
        }
    }

    /// Writes a truth value.
    public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { word("null") }

    private mutating func word(_ word: StaticString) {
        separate()
        part(word)
        needsComma = true
    }

    /// Writes the text of one whole JSON value, which the caller vouches for.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes any value.
    public mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let text): raw(text.utf8)
        case .string(let text): string(text)
        case .array(let elements): array { for element in elements { $0.value(element) } }
        case .object(let object):
            self.object { for member in object { $0.member(member.name, member.value) } }
        }
    }

    /// Writes the text of a part of an object, up to and with the colon after a name, which the caller vouches for.
    package mutating func part(_ json: ArraySlice<UInt8>) {
        bytes.append(contentsOf: json)
        needsComma = false
    }

    /// Writes a part of an object that is always the same.
    package mutating func part(_ json: StaticString) {
        // A literal's bytes live as long as the program.
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
        needsComma = false
    }

    /// Writes a string after a part; `nil` is `null`.
    package mutating func part(_ json: StaticString, _ value: String?) {
        part(json)
        if let value { string(value) } else { null() }
    }

    private mutating func quote(_ text: String) {
        var text = text
        text.withUTF8 { quote($0) }
    }

    private mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        if Self.isPlain(utf8) {
            bytes.append(contentsOf: utf8)
        } else {
            for byte in utf8 { escape(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether no byte needs an escape. Looks at all of them, because that is quicker than to stop at one.
    private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var special: UInt8 = 0
        for byte in utf8 {
            special |=
                (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
        }
        return special == 0
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            let hex = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(hex[Int(byte >> 4)])
            bytes.append(hex[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}

extension JSONWriter {
    /// Writes a member whose value `body` writes.
    public mutating func member(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.name(name)
        try body(&self)
    }

    /// Writes a string member; `nil` is `null`.
    public mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// Writes an integer member; `nil` is `null`.
    public mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
        self.name(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a truth member.
    public mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    /// Writes a member of any value.
    public mutating func member(_ name: String, _ value: JSON) {
        self.name(name)
        self.value(value)
    }
}

extension JSON {
    /// The value as JSON text without white space, members in written order.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The value as JSON text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
