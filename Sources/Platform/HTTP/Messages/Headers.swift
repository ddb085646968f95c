/// The header fields of a message, in the order they came; names are compared without regard to case.
///
/// All fields are in one buffer in their wire form, each as `Name: value` with a line end, with ranges into the buffer.
/// So a request's head costs two allocations however many fields it has, and a response's fields are written by one
/// copy.
public struct Headers: Sendable {
    private struct Field {
        var name: Range<UInt32>
        var value: Range<UInt32>
    }

    /// The fields as they go onto the wire. In a request's head, the target comes before them.
    private(set) var wire: [UInt8] = []
    private var fields: [Field] = []

    /// The bytes that the fields of an ordinary response need.
    private static let ordinaryResponse = 640

    /// Creates an empty list.
    public init() {}

    /// Creates an empty list with room for so many bytes.
    init(roomFor bytes: Int) { reserve(bytes: bytes) }

    /// How many fields there are; a name that came twice counts twice.
    public var count: Int { fields.count }

    /// Whether there are none.
    public var isEmpty: Bool { fields.isEmpty }

    /// Returns the first value under `name`; `nil` if there is none.
    public subscript(name: String) -> String? {
        guard let index = firstIndex(of: name) else { return nil }
        return text(fields[index].value)
    }

    /// Returns the first value under `name` as the bytes that were sent, for callers who do not need a string.
    public func bytes(of name: String) -> ArraySlice<UInt8>? {
        guard let index = firstIndex(of: name) else { return nil }
        return wire[bounds(fields[index].value)]
    }

    /// Returns every value under `name`, in order.
    public func values(_ name: String) -> [String] {
        fields.indices.filter { matches($0, name) }.map { text(fields[$0].value) }
    }

    /// Returns whether any field has this name.
    public func contains(_ name: String) -> Bool { firstIndex(of: name) != nil }

    /// Returns how many fields have this name.
    public func count(of name: String) -> Int {
        var count = 0
        for index in fields.indices where matches(index, name) { count += 1 }
        return count
    }

    /// Returns whether a comma-separated list under `name` has `token` among its members, in any case.
    public func hasToken(_ token: String, in name: String) -> Bool {
        for index in fields.indices where matches(index, name) {
            let range = bounds(fields[index].value)
            for member in wire[range].split(separator: UInt8(ascii: ",")) where equals(trimmed(member).indices, token) {
                return true
            }
        }
        return false
    }

    /// Every field as text, in order.
    public var all: [(name: String, value: String)] {
        fields.map { (text($0.name), text($0.value)) }
    }

    /// Adds a field after those already there.
    ///
    /// A field can never break out of its line: control characters in the value become spaces, and a name that is
    /// not a token leaves the field out.
    public mutating func append(_ name: String, _ value: String) {
        append(name) { $0.append(contentsOf: value.utf8) }
    }

    /// Adds a field whose value `write` appends in place, without the string that `append(_:_:)` would need.
    public mutating func append(_ name: String, writing write: (inout [UInt8]) -> Void) {
        guard !name.isEmpty, name.utf8.allSatisfy({ Bytes.token.contains($0) }) else { return }
        if wire.isEmpty { reserve(bytes: Self.ordinaryResponse) }
        let start = wire.count
        wire.append(contentsOf: name.utf8)
        let nameEnd = wire.count
        wire.append(UInt8(ascii: ":"))
        wire.append(Bytes.space)
        let valueStart = wire.count
        write(&wire)
        for index in valueStart..<wire.count where !Bytes.isFieldContent(wire[index]) { wire[index] = Bytes.space }
        let valueEnd = wire.count
        wire.append(Bytes.carriageReturn)
        wire.append(Bytes.lineFeed)
        fields.append(Field(name: range(start, nameEnd), value: range(valueStart, valueEnd)))
    }

    /// Adds the fields of another message, unchanged, after those already there.
    public mutating func append(contentsOf others: Headers) {
        guard let first = others.fields.first else { return }
        if wire.isEmpty { reserve(bytes: Self.ordinaryResponse) }
        let (start, end) = (Int(first.name.lowerBound), wire.count)
        wire.append(contentsOf: others.wire[start...])
        for field in others.fields {
            let (name, value) = (bounds(field.name), bounds(field.value))
            fields.append(
                Field(
                    name: range(name.lowerBound - start + end, name.upperBound - start + end),
                    value: range(value.lowerBound - start + end, value.upperBound - start + end)))
        }
    }

    /// Replaces every field of that name with one field.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        append(name, value)
    }

    /// Replaces every field of that name with one field, whose value `write` appends in place.
    public mutating func set(_ name: String, writing write: (inout [UInt8]) -> Void) {
        remove(name)
        append(name, writing: write)
    }

    /// Removes every field of that name.
    public mutating func remove(_ name: String) {
        guard contains(name) else { return }
        let kept = fields.indices.filter { !matches($0, name) }.map { (text(fields[$0].name), text(fields[$0].value)) }
        self = Headers()
        for (name, value) in kept { append(name, value) }
    }
}

// What the parser uses: it works with bytes, not strings.
extension Headers {
    private mutating func reserve(bytes: Int) {
        wire.reserveCapacity(bytes)
        // Few fields are shorter than 32 bytes, and a cookie of a few kilobytes needs no room for many fields.
        fields.reserveCapacity(min(max(bytes / 32, 4), 24))
    }

    /// Puts bytes before the first field.
    mutating func prefix(_ bytes: Span<UInt8>) { bytes.withUnsafeBufferPointer { wire.append(contentsOf: $0) } }

    /// Adds one checked line, without its line end; the offsets are into `line`.
    ///
    /// - Returns: where the value is in `wire`.
    mutating func append(line: Span<UInt8>, nameEnd: Int, value: Range<Int>) -> Range<Int> {
        let start = wire.count
        line.withUnsafeBufferPointer { wire.append(contentsOf: $0) }
        wire.append(Bytes.carriageReturn)
        wire.append(Bytes.lineFeed)
        let stored = (start + value.lowerBound)..<(start + value.upperBound)
        fields.append(
            Field(name: range(start, start + nameEnd), value: range(stored.lowerBound, stored.upperBound)))
        return stored
    }

    private func firstIndex(of name: String) -> Int? {
        for index in fields.indices where matches(index, name) { return index }
        return nil
    }

    private func matches(_ index: Int, _ name: String) -> Bool {
        equals(bounds(fields[index].name), name)
    }

    /// Returns whether the bytes in a range spell a word, in any case.
    private func equals(_ range: Range<Int>, _ word: String) -> Bool {
        guard range.count == word.utf8.count else { return false }
        var place = range.lowerBound
        for byte in word.utf8 {
            if Bytes.lowercased(wire[place]) != Bytes.lowercased(byte) { return false }
            place += 1
        }
        return true
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, Bytes.isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, Bytes.isBlank(last) { bytes.removeLast() }
        return bytes
    }

    private func text(_ range: Range<UInt32>) -> String { String(decoding: wire[bounds(range)], as: UTF8.self) }

    private func bounds(_ range: Range<UInt32>) -> Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }

    private func range(_ start: Int, _ end: Int) -> Range<UInt32> {
        // A head of four gigabytes is refused long before; clamping keeps even that from trapping.
        UInt32(clamping: start)..<UInt32(clamping: end)
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Creates a list of fields, in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension Headers: Equatable {
    /// Returns whether both have the same fields in the same order, names compared without regard to case.
    public static func == (left: Headers, right: Headers) -> Bool {
        left.count == right.count
            && left.fields.indices.allSatisfy { index in
                right.matches(index, left.text(left.fields[index].name))
                    && left.text(left.fields[index].value) == right.text(right.fields[index].value)
            }
    }
}
