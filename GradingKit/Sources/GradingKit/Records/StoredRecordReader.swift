/// Reads the text that a record is stored as: the very form that `RecordTree` writes, every member in its place.
///
/// A store is read far more often than it is written, so no JSON value is built on the way. Whatever is not in that
/// form to the byte, such as a text with an escape in it, is left to the general reader, which also says what is wrong.
struct StoredRecordReader {
    private let shape: RecordShape
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8], of shape: RecordShape) {
        self.shape = shape
        self.bytes = bytes
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
        guard skip("{\"id\":"), let id = string(), (1...128).contains(id.utf8.count),
            let kind = kind(in: place.kind), skipNumber(), skip(",\"status\":"), let status = status(of: kind),
            skip(",\"hidden\":"), let isHidden = flag(), skip(",\"fields\":")
        else { return false }
        let index = draft.open(EntryID(id), kind: kind, in: place.index)
        draft.set(status, of: index)
        draft.hide(index, isHidden)
        return fields(of: kind, in: &draft) && skip(",\"children\":") && entries(in: (kind, index), of: &draft)
            && skip("}")
    }

    private mutating func kind(in parent: Int) -> Int? {
        for kind in shape.childKinds[parent] where skip(shape.stored[kind].kind) { return kind }
        return nil
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
        for slot in shape.stored[kind].names.indices {
            guard skip(shape.stored[kind].names[slot]), let value = value(of: slot, in: kind) else { return false }
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
                return shape.kinds[kind].checks[slot].value(of: decimal)
            }
            return decoded(.number(String(decoding: text, as: UTF8.self)), slot, in: kind)
        }
        if let flag = flag() { return decoded(.bool(flag), slot, in: kind) }
        return string().flatMap { decoded(.string($0), slot, in: kind) }
    }

    private func decoded(_ json: JSON, _ slot: Int, in kind: Int) -> FieldValue? {
        try? shape.kinds[kind].checks[slot].decode(json).get()
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
        let (end, isPlain) = bytes.withUnsafeBufferPointer { bytes in
            var (end, all) = (start, UInt8(0))
            // `end` stays below the count, which is what makes each access one within bounds.
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                if bytes[end] < 0x20 || bytes[end] == UInt8(ascii: "\\") { return (bytes.count, false) }
                all |= bytes[end]
                end += 1
            }
            return (end, all < 0x80)
        }
        guard end < bytes.count else { return nil }
        position = end + 1
        let slice = bytes[start..<end]
        // Decoding mends what is not UTF-8; where every byte is ASCII there is nothing to mend.
        return isPlain ? String(decoding: slice, as: UTF8.self) : String(validating: slice, as: UTF8.self)
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        // A literal's bytes live as long as the program.
        skip(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func skip(_ word: [UInt8]) -> Bool { word.withUnsafeBufferPointer { skip($0) } }

    /// Goes past a word, if it stands here. Its bounds are checked once and not for every byte.
    private mutating func skip(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count - position >= word.count else { return false }
        let isHere = bytes.withUnsafeBufferPointer { bytes in
            var difference: UInt8 = 0
            for index in 0..<word.count { difference |= bytes[position + index] ^ word[index] }
            return difference == 0
        }
        if isHere { position += word.count }
        return isHere
    }
}
