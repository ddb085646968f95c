/// Limits on a JSON text.
public struct JSONLimits: Sendable {
    /// The deepest nesting of arrays and objects.
    public var depth: Int
    /// The greatest length of a number, in bytes.
    public var numberLength: Int

    /// Creates limits; the defaults are those of an HTTP body.
    public init(depth: Int = 64, numberLength: Int = 256) {
        self.depth = depth
        self.numberLength = numberLength
    }
}

/// Why a text is not acceptable JSON, and where.
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: String, Sendable {
        case unexpectedEnd = "the text ends too early"
        case unexpectedByte = "unexpected character"
        case badNumber = "not a JSON number"
        case longNumber = "a number with too many characters"
        case badEscape = "bad escape sequence"
        case badUTF8 = "not UTF-8"
        case controlCharacter = "unescaped control character"
        case duplicateName = "the same member twice"
        case tooDeep = "nested too deeply"
        case trailingBytes = "something follows the value"
    }

    /// The kind of error.
    public let reason: Reason
    /// The byte offset at which it was noticed, from 0.
    public let offset: Int

    /// The error and its offset, in English.
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}

extension JSON {
    /// Parses one JSON value that fills `bytes` except for white space.
    ///
    /// Stricter than most parsers where leniency has caused vulnerabilities: a duplicate name, invalid UTF-8, a lone
    /// surrogate or excessive nesting is always an error.
    public static func parse(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) -> JSON {
        var reader = JSONReader(bytes: bytes, limits: limits)
        return try reader.document()
    }

    /// Parses one member of the object that `bytes` is; `nil` if it has no such member.
    ///
    /// Skips other members, which takes a tenth of the time of parsing them: it checks only their brackets and
    /// quotation marks. For texts that the caller has written.
    public static func member(
        _ name: String, of bytes: [UInt8], limits: JSONLimits = JSONLimits()
    ) throws(JSONSyntaxError) -> JSON? {
        var reader = JSONReader(bytes: bytes, limits: limits)
        return try reader.member(name)
    }

    /// Parses one JSON value from text.
    public static func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) -> JSON {
        try parse(Array(text.utf8), limits: limits)
    }
}

/// A recursive-descent parser; `limits.depth` bounds its recursion.
private struct JSONReader {
    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0
    var depth = 0

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func document() throws(JSONSyntaxError) -> JSON {
        skipSpace()
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw error(.trailingBytes) }
        return value
    }

    mutating func member(_ wanted: String) throws(JSONSyntaxError) -> JSON? {
        skipSpace()
        guard try peek() == UInt8(ascii: "{") else { throw error(.unexpectedByte) }
        try descend()
        skipSpace()
        if try peek() == UInt8(ascii: "}") { return nil }
        while true {
            skipSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let name = try string()
            skipSpace()
            guard try peek() == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
            position += 1
            skipSpace()
            if name == wanted { return try value() }
            try passValue()
            skipSpace()
            if try separator(orEnd: UInt8(ascii: "}")) { return nil }
        }
    }

    /// Moves past a value.
    private mutating func passValue() throws(JSONSyntaxError) {
        var open = 0
        repeat {
            switch try peek() {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
            case UInt8(ascii: "\""): try passString()
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: break
            default: passWord()
            }
            position += 1
        } while open > 0
        guard open == 0 else { throw error(.unexpectedByte) }
    }

    /// Moves from the first quotation mark of a string to its last one.
    private mutating func passString() throws(JSONSyntaxError) {
        position += 1
        while true {
            switch try peek() {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
    }

    /// Moves to the last character of a number or a word.
    private mutating func passWord() {
        while position + 1 < bytes.count {
            switch bytes[position + 1] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x0A, 0x0D, 0x09: return
            default: position += 1
            }
        }
    }

    private func error(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, offset: position)
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private func peek() throws(JSONSyntaxError) -> UInt8 {
        guard position < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[position]
    }

    private mutating func value() throws(JSONSyntaxError) -> JSON {
        switch try peek() {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error(.unexpectedByte)
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONSyntaxError) -> JSON {
        for index in 0..<word.utf8CodeUnitCount {
            guard try peek() == word.utf8Start[index] else { throw error(.unexpectedByte) }
            position += 1
        }
        return value
    }

    private mutating func object() throws(JSONSyntaxError) -> JSON {
        try descend()
        var members: [JSONObject.Member] = []
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            ascend()
            return .object(JSONObject(unique: members))
        }
        var seen: Set<String> = []
        while true {
            skipSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let name = try string()
            guard isNew(name, among: members, &seen) else { throw error(.duplicateName) }
            skipSpace()
            guard try peek() == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
            position += 1
            skipSpace()
            members.append(JSONObject.Member(name: name, value: try value()))
            skipSpace()
            if try separator(orEnd: UInt8(ascii: "}")) { return .object(JSONObject(unique: members)) }
        }
    }

    /// Returns whether a name is new in its object. Small objects are searched directly; large ones use a set, so that
    /// a hostile body cannot make the check quadratic.
    private func isNew(_ name: String, among members: [JSONObject.Member], _ seen: inout Set<String>) -> Bool {
        if members.count < 16 { return !members.contains { $0.name == name } }
        if seen.isEmpty { seen = Set(members.map(\.name)) }
        return seen.insert(name).inserted
    }

    private mutating func array() throws(JSONSyntaxError) -> JSON {
        try descend()
        var elements: [JSON] = []
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            ascend()
            return .array(elements)
        }
        while true {
            skipSpace()
            elements.append(try value())
            skipSpace()
            if try separator(orEnd: UInt8(ascii: "]")) { return .array(elements) }
        }
    }

    private mutating func descend() throws(JSONSyntaxError) {
        guard depth < limits.depth else { throw error(.tooDeep) }
        depth += 1
        position += 1
    }

    private mutating func ascend() {
        depth -= 1
        position += 1
    }

    private mutating func separator(orEnd end: UInt8) throws(JSONSyntaxError) -> Bool {
        let byte = try peek()
        if byte == end {
            ascend()
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw error(.unexpectedByte) }
        position += 1
        return false
    }

    private mutating func number() throws(JSONSyntaxError) -> JSON {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        guard position < bytes.count else { throw error(.badNumber) }
        if bytes[position] == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits()
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits()
        }
        guard position - start <= limits.numberLength else { throw error(.longNumber) }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
        guard position > start else { throw error(.badNumber) }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        var isASCII = true
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                let text = try decode(bytes[start..<position], isASCII: isASCII)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            case 0..<0x20:
                throw error(.controlCharacter)
            default:
                if byte >= 0x80 { isASCII = false }
                position += 1
            }
        }
    }

    private func decode(_ text: ArraySlice<UInt8>, isASCII: Bool) throws(JSONSyntaxError) -> String {
        if isASCII { return String(decoding: text, as: UTF8.self) }
        guard let string = String(validating: text, as: UTF8.self) else { throw error(.badUTF8) }
        return string
    }

    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var buffer = Array(bytes[start..<position])
        while true {
            let byte = try peek()
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return try decode(buffer[...], isASCII: false)
            case UInt8(ascii: "\\"):
                try escape(into: &buffer)
            case 0..<0x20:
                throw error(.controlCharacter)
            default:
                buffer.append(byte)
            }
        }
    }

    private mutating func escape(into buffer: inout [UInt8]) throws(JSONSyntaxError) {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: String(try unicodeEscape()).utf8)
        default: throw error(.badEscape)
        }
    }

    private mutating func unicodeEscape() throws(JSONSyntaxError) -> Character {
        let high = try hexadecimal()
        var code = UInt32(high)
        if (0xD800..<0xDC00).contains(high) {
            guard try peek() == UInt8(ascii: "\\") else { throw error(.badEscape) }
            position += 1
            guard try peek() == UInt8(ascii: "u") else { throw error(.badEscape) }
            position += 1
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw error(.badEscape) }
            code = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error(.badEscape) }
        return Character(scalar)
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            let byte = try peek()
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw error(.badEscape)
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }
}
