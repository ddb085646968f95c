/// A reader of the text in which a record is stored: exactly the form that `RecordTree` writes, every member in its
/// place.
///
/// Stored records are read far more often than they are written, so no JSON values are built. Any deviation from the
/// form, even a text with an escape, is left to the general reader, which also reports what is wrong.
struct StoredRecordReader {
    private let shape: RecordShape
    private let rules: CompiledScheme?
    private let bytes: [UInt8]
    private var position = 0
    /// How many entries are open.
    private var depth = 0
    private static let greatestDepth = 64

    /// - Parameter rules: the rules that know the former names of figures and outcomes; `nil` for none.
    init(_ bytes: [UInt8], of shape: RecordShape, by rules: CompiledScheme? = nil) {
        self.shape = shape
        self.rules = rules
        self.bytes = bytes
    }

    /// Reads the record from `{"id":…,"program":…,"fields":{…},"entries":[…]}`; `nil` for any other form.
    mutating func record() -> RecordTree? {
        var draft = RecordDraft(partOf: shape)
        draft.reserve(bytes.count / 160)
        let root = draft.open(.record, kind: 0, in: 0)
        guard skip("{\"id\":"), string() != nil, skip(",\"program\":"), string() != nil, skip(",\"fields\":"),
            fields(of: 0, in: &draft), authors(of: root, in: &draft), given(to: root, in: &draft),
            skip(",\"entries\":"),
            entries(in: (0, root), of: &draft), skip("}"),
            position == bytes.count
        else { return nil }
        return RecordTree(draft.body)
    }

    /// Reads the children of an entry. Each kind has one parent kind, and may be nested in itself to a bounded depth.
    private mutating func entries(in place: (kind: Int, index: Int), of draft: inout RecordDraft) -> Bool {
        guard depth < Self.greatestDepth, skip(UInt8(ascii: "[")) else { return false }
        depth += 1
        defer { depth -= 1 }
        if !skip(UInt8(ascii: "]")) {
            repeat {
                guard entry(in: place, of: &draft) else { return false }
            } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "]")) else { return false }
        }
        draft.close(place.index)
        return true
    }

    private mutating func entry(in place: (kind: Int, index: Int), of draft: inout RecordDraft) -> Bool {
        var extra: EntryExtra?
        guard skip("{\"id\":"), let id = text(), id.isASCII, (1...128).contains(id.range.count),
            let kind = kind(in: place.kind), skipNumber(), skip(",\"status\":"), let status = status(of: kind),
            skip(",\"hidden\":"), let isHidden = flag(), read(&extra, of: kind), skip(",\"fields\":")
        else { return false }
        let index = draft.open(utf8: bytes[id.range], kind: kind, in: place.index)
        if status != nil { draft.set(status, of: index) }
        if isHidden { draft.hide(index, true) }
        if let extra { draft.set(extra, of: index) }
        return fields(of: kind, in: &draft) && authors(of: index, in: &draft) && skip(",\"children\":")
            && entries(in: (kind, index), of: &draft)
            && skip(UInt8(ascii: "}"))
    }

    /// Reads what people gave the record itself; the member is absent if they gave nothing.
    private mutating func given(to root: Int, in draft: inout RecordDraft) -> Bool {
        guard skip(",\"given\":") else { return true }
        guard let value = value() else { return false }
        var extra = EntryExtra()
        guard extra.read("given", value), rename(&extra, of: 0) else { return false }
        draft.give(extra.people, to: root)
        return true
    }

    /// Gives values the names that figures and outcomes have now; `false` if two become one.
    private func rename(_ extra: inout EntryExtra, of kind: Int) -> Bool {
        rules?.kinds[kind].formerNames.rename(&extra).isEmpty ?? true
    }

    private mutating func kind(in parent: Int) -> Int? {
        shape.childKinds[parent].first { skip(shape.stored[$0].kind[...]) }
    }

    private mutating func status(of kind: Int) -> Status?? {
        if skip("null") { return .some(nil) }
        guard let text = string(), let status = Status(rawValue: text), shape.kinds[kind].statuses.contains(status)
        else { return nil }
        return .some(status)
    }

    /// Reads the extra data of an entry in the form that `EntryExtra` writes; returns `false` for any other form.
    private mutating func read(_ extra: inout EntryExtra?, of kind: Int) -> Bool {
        // The next member follows the comma and the quote: nearly always `fields`.
        if position + 2 < bytes.count, bytes[position + 2] == UInt8(ascii: "f") { return true }
        var found = EntryExtra()
        if skip(",\"class\":") {
            guard let classID = string(), skip(",\"enrolment\":"), let enrolment = string(),
                found.read("class", .string(classID)), found.read("enrolment", .string(enrolment))
            else { return false }
        }
        for (name, word) in Self.extraMembers where skip(word[...]) {
            guard let value = value(), found.read(name, value) else { return false }
        }
        guard rename(&found, of: kind) else { return false }
        extra = found
        return true
    }

    private static let extraMembers = ["given", "adjust"].map { ($0, Array(",\"\($0)\":".utf8)) }

    /// Reads any object or array, found by its brackets.
    private mutating func value() -> JSON? {
        let start = position
        var (depth, isText) = (0, false)
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if isText {
                // Leave escapes to the general reader.
                if byte == UInt8(ascii: "\\") { return nil }
                if byte == UInt8(ascii: "\"") { isText = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if depth == 0 { return try? JSON.parse(Array(bytes[start..<position])) }
        }
        return nil
    }

    private mutating func flag() -> Bool? { skip("false") ? false : skip("true") ? true : nil }

    private mutating func fields(of kind: Int, in draft: inout RecordDraft) -> Bool {
        guard skip(UInt8(ascii: "{")) else { return false }
        let stored = shape.stored[kind]
        for slot in stored.forms.indices {
            guard skip(stored.name(slot)), let value = value(of: slot, as: stored.forms[slot], in: kind) else {
                return false
            }
            draft.append(value)
        }
        return skip(UInt8(ascii: "}"))
    }

    /// Reads which staff member entered the values and the status; the member is absent if the student did.
    private mutating func authors(of index: Int, in draft: inout RecordDraft) -> Bool {
        guard skip(",\"enteredBy\":{") else { return true }
        guard skip("\"fields\":{") else { return false }
        let fields = shape.kinds[draft.nodes[index].kind].fields
        if !skip(UInt8(ascii: "}")) {
            repeat {
                guard let name = string(), skip(UInt8(ascii: ":")), let author = string(),
                    let slot = fields.firstIndex(where: { $0.name == name })
                else { return false }
                draft.enter(slot, of: index, by: author)
            } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "}")) else { return false }
        }
        if skip(",\"status\":") {
            guard let author = string() else { return false }
            draft.enterStatus(of: index, by: author)
        }
        return skip(UInt8(ascii: "}"))
    }

    private mutating func value(of slot: Int, as form: StoredKind.Form, in kind: Int) -> FieldValue? {
        if skip("null") { return FieldValue.none }
        switch form {
        case .number(let digits, let places):
            let start = position
            guard skipNumber() else { return nil }
            guard let decimal = DecimalText(short: bytes[start..<position]) else {
                return decoded(.number(String(decoding: bytes[start..<position], as: UTF8.self)), slot, in: kind)
            }
            return decimal.significantDigits <= digits && decimal.decimals <= places ? .number(decimal.value) : nil
        case .text(let limit):
            guard let text = string() else { return nil }
            return text.utf8.count <= limit ? .text(text) : decoded(.string(text), slot, in: kind)
        case .flag: return flag().map { .flag($0) }
        case .other:
            let start = position
            if skipNumber() {
                return decoded(.number(String(decoding: bytes[start..<position], as: UTF8.self)), slot, in: kind)
            }
            return string().flatMap { decoded(.string($0), slot, in: kind) }
        }
    }

    private func decoded(_ json: JSON, _ slot: Int, in kind: Int) -> FieldValue? {
        try? shape.kinds[kind].checks[slot].decode(json).get()
    }

    /// Skips a number in the form that the writer uses: `-`, digits, point, digits. The field decides about its value.
    private mutating func skipNumber() -> Bool {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        // A leading zero must be the only digit before the point.
        let isNumber =
            position < bytes.count && (bytes[position] != UInt8(ascii: "0") || !isDigit(position + 1))
            && skipDigits() && (!skip(UInt8(ascii: ".")) || skipDigits())
        if !isNumber { position = start }
        return isNumber
    }

    private func isDigit(_ place: Int) -> Bool { place < bytes.count && bytes[place] &- UInt8(ascii: "0") < 10 }

    private mutating func skipDigits() -> Bool {
        let start = position
        while isDigit(position) { position += 1 }
        return position > start
    }

    private mutating func string() -> String? {
        guard let text = text() else { return nil }
        let slice = bytes[text.range]
        // `String(decoding:)` replaces invalid UTF-8, so it is used only for ASCII.
        return text.isASCII ? String(decoding: slice, as: UTF8.self) : String(validating: slice, as: UTF8.self)
    }

    /// Returns the range of a text without escapes.
    private mutating func text() -> (range: Range<Int>, isASCII: Bool)? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = position
        let (end, isASCII) = bytes.withUnsafeBufferPointer { bytes in
            var (end, all) = (start, UInt8(0))
            // `end` stays below the count, so every access is within bounds.
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                if bytes[end] < 0x20 || bytes[end] == UInt8(ascii: "\\") { return (bytes.count, false) }
                all |= bytes[end]
                end += 1
            }
            return (end, all < 0x80)
        }
        guard end < bytes.count else { return nil }
        position = end + 1
        return (start..<end, isASCII)
    }

    @inline(__always)
    private mutating func skip(_ byte: UInt8) -> Bool {
        let isHere = position < bytes.count && bytes[position] == byte
        if isHere { position += 1 }
        return isHere
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        // A literal's bytes exist as long as the program.
        skip(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func skip(_ word: ArraySlice<UInt8>) -> Bool { word.withUnsafeBytes { skip($0) } }

    /// Skips a word if it is at the current position.
    private mutating func skip(_ word: UnsafeRawBufferPointer) -> Bool {
        let isHere = bytes.withUnsafeBytes { $0.holds(word, at: position) }
        if isHere { position += word.count }
        return isHere
    }
}
