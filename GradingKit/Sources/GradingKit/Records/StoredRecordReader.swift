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
        var draft = RecordDraft(partOf: shape)
        draft.reserve(bytes.count / 160)
        let root = draft.open(.record, kind: 0, in: 0)
        guard skip("{\"id\":"), string() != nil, skip(",\"program\":"), string() != nil, skip(",\"fields\":"),
            fields(of: 0, in: &draft), skip(",\"entries\":"), entries(in: (0, root), of: &draft), skip("}"),
            position == bytes.count
        else { return nil }
        return RecordTree(draft.body)
    }

    /// Recursion is bounded by the depth of the shape: each kind stands in one other.
    private mutating func entries(in place: (kind: Int, index: Int), of draft: inout RecordDraft) -> Bool {
        guard skip("[") else { return false }
        if !skip("]") {
            repeat {
                guard entry(in: place, of: &draft) else { return false }
            } while skip(",")
            guard skip("]") else { return false }
        }
        draft.close(place.index)
        return true
    }

    private mutating func entry(in place: (kind: Int, index: Int), of draft: inout RecordDraft) -> Bool {
        guard skip("{\"id\":"), let id = string(), (1...128).contains(id.utf8.count), skip(",\"kind\":"),
            let kind = kind(in: place.kind), skip(",\"position\":"), skipNumber(), skip(",\"status\":"),
            let status = status(of: kind), skip(",\"hidden\":"), let isHidden = flag(), skip(",\"fields\":")
        else { return false }
        let index = draft.open(EntryID(id), kind: kind, in: place.index)
        draft.set(status, of: index)
        draft.hide(index, isHidden)
        return fields(of: kind, in: &draft) && skip(",\"children\":") && entries(in: (kind, index), of: &draft)
            && skip("}")
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

    private mutating func fields(of kind: Int, in draft: inout RecordDraft) -> Bool {
        guard skip("{") else { return false }
        // By place, because a copy of a field's shape would count references to all it holds.
        for slot in kinds[kind].names.indices {
            guard skip(kinds[kind].names[slot]), let value = value(of: slot, in: kind) else { return false }
            draft.append(value)
        }
        return skip("}")
    }

    private mutating func value(of slot: Int, in kind: Int) -> FieldValue? {
        if skip("null") { return FieldValue.none }
        let start = position
        if skipNumber() {
            let text = bytes[start..<position]
            if let decimal = DecimalText(short: text) {
                return shape.kinds[kind].fields[slot].value(of: decimal)
            }
            return decoded(.number(String(decoding: text, as: UTF8.self)), slot, in: kind)
        }
        if let flag = flag() { return decoded(.bool(flag), slot, in: kind) }
        return string().flatMap { decoded(.string($0), slot, in: kind) }
    }

    private func decoded(_ json: JSON, _ slot: Int, in kind: Int) -> FieldValue? {
        try? shape.kinds[kind].fields[slot].decode(json).get()
    }

    /// A number as the writer writes it: `-`, digits, point, digits. The field decides what it may be.
    private mutating func skipNumber() -> Bool {
        let start = position
        _ = skip("-")
        // A leading zero stands alone.
        let isNumber =
            position < bytes.count && (bytes[position] != UInt8(ascii: "0") || !isDigit(position + 1))
            && skipDigits() && (!skip(".") || skipDigits())
        if !isNumber { position = start }
        return isNumber
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
