/// A writer of JSON that appends directly to bytes, without building a tree first.
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
    // Inlinable throughout, because other modules write their documents through this type.
    @usableFromInline var buffer: [UInt8] = []
    @usableFromInline var needsComma = false

    /// The bytes written so far.
    @inlinable
    public var bytes: [UInt8] { buffer }

    /// Creates a writer with room for `capacity` bytes.
    @inlinable
    public init(capacity: Int = 256) { buffer.reserveCapacity(capacity) }

    /// The text written so far.
    @inlinable
    public var text: String { String(decoding: buffer, as: UTF8.self) }

    /// The offset at which the next value begins.
    @inlinable
    package var nextPlace: Int { buffer.count + (needsComma ? 1 : 0) }

    @inlinable
    mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Writes an object; `body` writes its members.
    @inlinable
    public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        separate()
        buffer.append(UInt8(ascii: "{"))
        needsComma = false
        try body(&self)
        buffer.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an object whose members are found asynchronously.
    @inlinable
    public mutating func object(_ body: (inout JSONWriter) async throws -> Void) async rethrows {
        separate()
        buffer.append(UInt8(ascii: "{"))
        needsComma = false
        try await body(&self)
        buffer.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an array; `body` writes its elements.
    @inlinable
    public mutating func array<Result>(_ body: (inout JSONWriter) throws -> Result) rethrows -> Result {
        separate()
        buffer.append(UInt8(ascii: "["))
        needsComma = false
        let result = try body(&self)
        buffer.append(UInt8(ascii: "]"))
        needsComma = true
        return result
    }

    /// Writes a member's name; exactly one value must follow.
    @inlinable
    public mutating func name(_ name: String) {
        separate()
        quote(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's name that is already UTF-8; exactly one value must follow.
    @inlinable
    package mutating func name(utf8 name: ArraySlice<UInt8>) {
        string(utf8: name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    @inlinable
    public mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    /// Writes a string that is already UTF-8.
    @inlinable
    package mutating func string(utf8 value: ArraySlice<UInt8>) {
        separate()
        value.withUnsafeBufferPointer { quote($0) }
    }

    /// Writes a string whose content, without characters that need escapes, is written by `body`.
    @inlinable
    package mutating func quoted(_ body: (inout JSONWriter) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        needsComma = false
        body(&self)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes an integer.
    @inlinable
    public mutating func integer(_ value: some BinaryInteger) {
        if let digits = UInt64(exactly: value.magnitude) {
            decimal(digits, scale: 0, isNegative: value < 0)
        } else {
            raw(String(value).utf8)
        }
    }

    /// Writes digits with a point before the last `scale` of them, padded with zeros.
    @inlinable
    package mutating func decimal(_ digits: UInt64, scale: Int, isNegative: Bool) {
        separate()
        if isNegative { buffer.append(UInt8(ascii: "-")) }
        var (first, rest, place) = (buffer.count, digits, 0)
        // The last digit is found first, so the digits are written backwards and then reversed.
        repeat {
            if place == scale, scale > 0 { buffer.append(UInt8(ascii: ".")) }
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            place += 1
        } while rest > 0 || place <= scale
        var last = buffer.count - 1
        while first < last {
            buffer.swapAt(first, last)
            first += 1
            last -= 1
        }
    }

    /// Writes a Boolean.
    @inlinable
    public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    /// Writes `null`.
    @inlinable
    public mutating func null() { word("null") }

    @inlinable
    mutating func word(_ word: StaticString) {
        separate()
        part(word)
        needsComma = true
    }

    /// Writes the text of one complete JSON value; the caller guarantees that it is valid.
    @inlinable
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        buffer.append(contentsOf: json)
    }

    /// Writes any value.
    @inlinable
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

    /// Writes a part of an object, up to and including the colon after a name; the caller guarantees that it is valid.
    @inlinable
    package mutating func part(_ json: ArraySlice<UInt8>) {
        buffer.append(contentsOf: json)
        needsComma = false
    }

    /// Writes a constant part of an object.
    @inlinable
    package mutating func part(_ json: StaticString) {
        // A literal's bytes exist as long as the program.
        buffer.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
        needsComma = false
    }

    /// Writes a constant part, then a string; `nil` becomes `null`.
    @inlinable
    package mutating func part(_ json: StaticString, _ value: String?) {
        part(json)
        if let value { string(value) } else { null() }
    }

    @inlinable
    mutating func quote(_ text: String) {
        var text = text
        text.withUTF8 { quote($0) }
    }

    @inlinable
    mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>) {
        buffer.append(UInt8(ascii: "\""))
        if Self.isPlain(utf8) {
            buffer.append(contentsOf: utf8)
        } else {
            for byte in utf8 { escape(byte) }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Returns whether no byte needs an escape. Examines all bytes, which is faster than stopping at the first.
    @inlinable
    static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var special: UInt8 = 0
        for byte in utf8 {
            special |=
                (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
        }
        return special == 0
    }

    @inlinable
    mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            buffer.append(UInt8(ascii: "\\"))
            buffer.append(byte)
        case 0x0A: buffer.append(contentsOf: "\\n".utf8)
        case 0x0D: buffer.append(contentsOf: "\\r".utf8)
        case 0x09: buffer.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            let hex = Array("0123456789abcdef".utf8)
            buffer.append(contentsOf: "\\u00".utf8)
            buffer.append(hex[Int(byte >> 4)])
            buffer.append(hex[Int(byte & 15)])
        default: buffer.append(byte)
        }
    }
}

extension JSONWriter {
    /// Writes a member whose value `body` writes.
    @inlinable
    public mutating func member(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.name(name)
        try body(&self)
    }

    /// Writes a string member; `nil` becomes `null`.
    @inlinable
    public mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// Writes an integer member; `nil` becomes `null`.
    @inlinable
    public mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
        self.name(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a Boolean member.
    @inlinable
    public mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    /// Writes a member of any value.
    @inlinable
    public mutating func member(_ name: String, _ value: JSON) {
        self.name(name)
        self.value(value)
    }
}

extension JSON {
    /// The value as JSON text without white space, members in written order.
    @inlinable
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The value as JSON text.
    @inlinable
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
