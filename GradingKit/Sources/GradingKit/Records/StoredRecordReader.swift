/// Reads the text that a record is stored as: the very form that `RecordTree` writes, every member in its place.
///
/// A store is read far more often than it is written, so no JSON value is built on the way. Whatever is not in that
/// form to the byte, such as a text with an escape in it, is left to the general reader, which also says what is wrong.
struct StoredRecordReader {
    /// What the reader knows of one kind beforehand.
    struct Kind: Sendable {
        let parent: Int?
        /// For each field the bytes that come before its value: `"name":`, with the comma where one stands.
        let names: [[UInt8]]
    }

    private let shape: RecordShape
    private let kinds: [Kind]
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8], of rules: CompiledScheme) {
        shape = rules.shape
        kinds = rules.storedKinds
        self.bytes = bytes
    }

    /// What has to be known of the kinds of a shape.
    static func kinds(of shape: RecordShape) -> [Kind] {
        shape.kinds.map { kind in
            Kind(
                parent: kind.parent.flatMap { shape.index(of: $0) },
                names: kind.fields.enumerated().map { Array("\($0 > 0 ? "," : "")\"\($1.name)\":".utf8) })
        }
    }

    /// The record, from `{"id":…,"program":…,"fields":{…},"entries":[…]}`; `nil` for another form.
    mutating func record() -> RecordTree? {
        var tree = RecordTree(shape: shape)
        guard skip("{\"id\":"), string() != nil, skip(",\"program\":"), string() != nil, skip(",\"fields\":"),
            let values = fields(of: 0), skip(",\"entries\":"), let children = entries(in: 0), skip("}"),
            position == bytes.count
        else { return nil }
        tree.root.values = values
        tree.root.children = children
        return tree
    }

    /// Recursion is bounded by the depth of the shape: each kind stands in one other.
    private mutating func entries(in parent: Int) -> [Entry]? {
        guard skip("[") else { return nil }
        var entries: [Entry] = []
        if skip("]") { return entries }
        repeat {
            guard let entry = entry(in: parent) else { return nil }
            entries.append(entry)
        } while skip(",")
        return skip("]") ? entries : nil
    }

    private mutating func entry(in parent: Int) -> Entry? {
        guard skip("{\"id\":"), let id = string(), (1...128).contains(id.utf8.count), skip(",\"kind\":"),
            let kind = kind(in: parent), skip(",\"position\":"), number() != nil, skip(",\"status\":"),
            let status = status(of: kind), skip(",\"hidden\":"), let isHidden = flag(), skip(",\"fields\":"),
            let values = fields(of: kind), skip(",\"children\":"), let children = entries(in: kind), skip("}")
        else { return nil }
        var entry = Entry(id: EntryID(id), kind: kind, values: values)
        entry.status = status
        entry.isHidden = isHidden
        entry.children = children
        return entry
    }

    private mutating func kind(in parent: Int) -> Int? {
        guard let name = string(), let kind = shape.index(named: name), kinds[kind].parent == parent else { return nil }
        return kind
    }

    private mutating func status(of kind: Int) -> Status?? {
        if skip("null") { return .some(nil) }
        guard let text = string(), let status = Status(rawValue: text), shape.kinds[kind].statuses.contains(status)
        else { return nil }
        return .some(status)
    }

    private mutating func flag() -> Bool? { skip("false") ? false : skip("true") ? true : nil }

    private mutating func fields(of kind: Int) -> [FieldValue]? {
        guard skip("{") else { return nil }
        let shapes = shape.kinds[kind].fields
        var values: [FieldValue] = []
        values.reserveCapacity(shapes.count)
        for slot in shapes.indices {
            guard skip(kinds[kind].names[slot]), let leaf = leaf(),
                case .success(let value) = shapes[slot].decode(leaf)
            else { return nil }
            values.append(value)
        }
        return skip("}") ? values : nil
    }

    /// A value without members.
    private mutating func leaf() -> JSON? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "n"): return skip("null") ? .null : nil
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return flag().map { .bool($0) }
        default: return number()
        }
    }

    /// A number as the writer writes it: `-`, digits, point, digits. The field decides what it may be.
    private mutating func number() -> JSON? {
        let start = position
        _ = skip("-")
        // A leading zero stands alone.
        guard position < bytes.count, bytes[position] != UInt8(ascii: "0") || !isDigit(position + 1), skipDigits(),
            !skip(".") || skipDigits()
        else { return nil }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private func isDigit(_ place: Int) -> Bool { place < bytes.count && bytes[place] &- UInt8(ascii: "0") < 10 }

    private mutating func skipDigits() -> Bool {
        let start = position
        while isDigit(position) { position += 1 }
        return position > start
    }

    /// A text without escapes.
    private mutating func string() -> String? {
        guard skip("\"") else { return nil }
        let start = position
        var all: UInt8 = 0
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            let byte = bytes[position]
            if byte < 0x20 || byte == UInt8(ascii: "\\") { return nil }
            all |= byte
            position += 1
        }
        let slice = bytes[start..<position]
        // Decoding mends what is not UTF-8; where every byte is ASCII there is nothing to mend.
        let text = all < 0x80 ? String(decoding: slice, as: UTF8.self) : String(validating: slice, as: UTF8.self)
        return skip("\"") ? text : nil
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
        position += count
        return true
    }

    private mutating func skip(_ word: [UInt8]) -> Bool {
        guard bytes.count - position >= word.count else { return false }
        for index in word.indices where bytes[position + index] != word[index] { return false }
        position += word.count
        return true
    }
}
