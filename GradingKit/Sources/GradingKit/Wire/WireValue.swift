/// A part of a message received over the wire, with its path for errors. It is untrusted: each reader states the
/// expected type, and every length is limited.
struct WireValue {
    /// The greatest length of a text, in bytes.
    static let longestText = 4_096
    /// The greatest number of elements or members in a list or object.
    static let longestList = 4_096

    let json: JSON
    private let place: Place

    /// The path of the value, formatted only for errors.
    private indirect enum Place {
        case whole
        case member(String, of: Place)
        case element(Int, of: Place)

        var path: String {
            switch self {
            case .whole: ""
            case .member(let name, of: .whole): name
            case .member(let name, let owner): "\(owner.path).\(name)"
            case .element(let index, let owner): "\(owner.path)[\(index)]"
            }
        }
    }

    private init(_ json: JSON, at place: Place) {
        self.json = json
        self.place = place
    }

    /// Parses a received message.
    init(parsing bytes: [UInt8]) throws(SchemeFailure) {
        do {
            self.init(try JSON.parse(bytes, limits: SchemeWire.limits), at: .whole)
        } catch {
            throw SchemeFailure("the answer is not JSON: \(error)")
        }
    }

    /// The member with that name; `null` if there is none.
    subscript(name: String) -> WireValue { WireValue(json[name] ?? .null, at: .member(name, of: place)) }

    var isNull: Bool { json.isNull }

    /// Returns a failure that names the expected value.
    func wrong(_ expected: String) -> SchemeFailure {
        if case .whole = place { return SchemeFailure("the answer is not \(expected)") }
        return SchemeFailure("\(place.path) is not \(expected)")
    }

    /// Reads the value with `read`; `nil` if it is missing.
    func optional<Value>(_ read: (WireValue) throws(SchemeFailure) -> Value) throws(SchemeFailure) -> Value? {
        isNull ? nil : try read(self)
    }
}

// MARK: - Simple values

extension WireValue {
    func text() throws(SchemeFailure) -> String {
        guard let text = json.string else { throw wrong("a string") }
        guard text.utf8.count <= Self.longestText else { throw wrong("shorter than \(Self.longestText) bytes") }
        return text
    }

    /// Reads a string; `nil` if it is missing.
    func textIfAny() throws(SchemeFailure) -> String? { isNull ? nil : try text() }

    /// Reads the name of a kind, field, figure or outcome. Colons are reserved for the members of families.
    func name() throws(SchemeFailure) -> String {
        let text = try text()
        guard 1...64 ~= text.utf8.count, !text.contains(":") else {
            throw wrong("a name of at most 64 bytes without a colon")
        }
        return text
    }

    /// Reads the code of a fault or a reason.
    func code() throws(SchemeFailure) -> FaultCode {
        let text = try text()
        guard 1...64 ~= text.utf8.count,
            text.unicodeScalars.allSatisfy({ "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "_" })
        else { throw wrong("a code in lower_snake_case") }
        return FaultCode(text)
    }

    func integer() throws(SchemeFailure) -> Int {
        guard let integer = json.integer else { throw wrong("an integer") }
        return integer
    }

    /// Reads a Boolean; `absent` if it is missing.
    func flag(orElse absent: Bool = false) throws(SchemeFailure) -> Bool {
        if isNull { return absent }
        guard let flag = json.bool else { throw wrong("true or false") }
        return flag
    }

    /// Reads an exact number of at most 4,096 bits: a JSON number or string, a decimal or a ratio such as `577/40`.
    func exact() throws(SchemeFailure) -> Exact {
        switch json {
        case .number(let text), .string(let text):
            guard let value = Exact(ratio: text) ?? DecimalText(text)?.value else { break }
            guard value.bitWidth <= 4096 else { throw wrong("a number of at most 4,096 bits") }
            return value
        default: break
        }
        throw wrong("an exact number")
    }

    /// Reads one of the words of an enumeration.
    func word<Word: RawRepresentable<String>>(_ type: Word.Type) throws(SchemeFailure) -> Word {
        guard let word = json.string.flatMap({ Word(rawValue: $0) }) else { throw wrong("one of the known words") }
        return word
    }

    /// Reads a text in one or in all languages.
    func localized() throws(SchemeFailure) -> LocalizedText {
        if json.string != nil { return LocalizedText(verbatim: try text()) }
        let english = try self["en"].text()
        return LocalizedText(
            english, fr: try self["fr"].textIfAny() ?? english, zh: try self["zh-Hans"].textIfAny() ?? english)
    }
}

// MARK: - Lists and objects

extension WireValue {
    func list(atMost most: Int = longestList) throws(SchemeFailure) -> [WireValue] {
        guard let elements = json.array else { throw wrong("an array") }
        guard elements.count <= most else { throw wrong("shorter than \(most) elements") }
        return elements.enumerated().map { WireValue($1, at: .element($0, of: place)) }
    }

    func map<Value>(
        atMost most: Int = longestList, _ read: (WireValue) throws(SchemeFailure) -> Value
    ) throws(SchemeFailure) -> [Value] {
        var values: [Value] = []
        for element in try list(atMost: most) { values.append(try read(element)) }
        return values
    }

    /// Returns the members in written order, each name once.
    func object() throws(SchemeFailure) -> [(name: String, value: WireValue)] {
        guard let object = json.object else { throw wrong("an object") }
        guard object.count <= Self.longestList else { throw wrong("shorter than \(Self.longestList) members") }
        return object.map { ($0.name, WireValue($0.value, at: .member($0.name, of: place))) }
    }

    /// Reads the arguments of a message: words and numbers, and lists of these.
    func arguments() throws(SchemeFailure) -> JSONObject {
        if isNull { return JSONObject() }
        for (_, value) in try object() {
            for single in value.json.array == nil ? [value] : try value.list(atMost: 64) {
                if single.json.string != nil { _ = try single.text() }
                if single.json.object != nil || single.json.array != nil { throw single.wrong("a word or a number") }
            }
        }
        return json.object ?? JSONObject()
    }
}
