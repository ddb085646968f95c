/// The SQL text of a statement, with its parameters in PostgreSQL's form.
///
/// `?` becomes `$1`, `$2` and so on, and `?3` becomes `$3`. As in SQLite, a `?` takes the number after the largest one
/// so far. Question marks in strings, quoted names and comments stay as they are. Operators that contain a question
/// mark cannot be written.
struct StatementText {
    /// The largest number that a parameter may have; the protocol counts parameters in 16 bits.
    static let greatestParameter = 65_535

    /// The text as UTF-8, ending in NUL.
    let characters: [CChar]
    /// The largest number of a parameter.
    let parameters: Int
    /// Whether the statement may change data or the schema, judged by its words. Functions that write are not detected.
    let writes: Bool

    /// Reads a text.
    ///
    /// - Throws: an error of kind `misuse` if the text holds no statement, U+0000 or a parameter that is not valid.
    init(_ sql: String) throws(PostgreSQLError) {
        var lexer = Lexer(Array(sql.utf8))
        do {
            try lexer.read()
        } catch {
            throw PostgreSQLError(.misuse, error.message, statement: sql)
        }
        characters = lexer.output.map(CChar.init(bitPattern:)) + [0]
        parameters = lexer.parameters
        writes = lexer.writes
    }
}

/// Why a text is refused.
private struct Refusal: Error {
    let message: String
}

/// Goes through a text once, from its first byte to its last.
private struct Lexer {
    private let input: [UInt8]
    private var place = 0
    /// The start of the text that `output` still lacks, which ends at `place`.
    private var copied = 0
    private var lastWord: [UInt8] = []
    private var holdsStatement = false
    private(set) var output: [UInt8] = []
    private(set) var parameters = 0
    private(set) var writes = false

    init(_ input: [UInt8]) { self.input = input }

    mutating func read() throws(Refusal) {
        guard !input.contains(0) else { throw Refusal(message: "the SQL text contains U+0000") }
        while place < input.count { try readNext() }
        copy()
        guard holdsStatement else { throw Refusal(message: "the SQL text holds no statement") }
    }

    private mutating func readNext() throws(Refusal) {
        let byte = input[place]
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ";"):
            place += 1
            return
        case UInt8(ascii: "-") where follows("-"):
            skipLine()
            return
        case UInt8(ascii: "/") where follows("*"):
            skipComment()
            return
        case UInt8(ascii: "'"): skipQuoted(byte, escapes: false)
        case UInt8(ascii: "\""): skipQuoted(byte, escapes: false)
        case UInt8(ascii: "$"): try readDollar()
        case UInt8(ascii: "?"): try readParameter()
        case _ where byte.isInName: readWord()
        default: place += 1
        }
        holdsStatement = true
    }

    private func follows(_ next: Unicode.Scalar) -> Bool {
        place + 1 < input.count && input[place + 1] == UInt8(ascii: next)
    }

    /// Copies the text that was skipped to the output, unchanged.
    private mutating func copy() {
        output += input[copied..<place]
        copied = place
    }

    private mutating func skipLine() {
        while place < input.count, input[place] != UInt8(ascii: "\n"), input[place] != UInt8(ascii: "\r") { place += 1 }
    }

    /// Skips a comment; in PostgreSQL comments nest.
    private mutating func skipComment() {
        var depth = 0
        while place < input.count {
            if input[place] == UInt8(ascii: "/"), follows("*") {
                depth += 1
                place += 2
            } else if input[place] == UInt8(ascii: "*"), follows("/") {
                depth -= 1
                place += 2
                if depth == 0 { return }
            } else {
                place += 1
            }
        }
    }

    /// Skips a string or a quoted name, in which the quote is doubled.
    private mutating func skipQuoted(_ quote: UInt8, escapes: Bool) {
        place += 1
        while place < input.count {
            let byte = input[place]
            place += 1
            if byte == UInt8(ascii: "\\"), escapes {
                place = min(place + 1, input.count)
            } else if byte == quote {
                guard place < input.count, input[place] == quote else { return }
                place += 1
            }
        }
    }

    /// Skips a string in dollar quotes: `$$…$$` or `$tag$…$tag$`.
    private mutating func readDollar() throws(Refusal) {
        var end = place + 1
        if end < input.count, input[end].isDigit {
            throw Refusal(message: "parameters are written as ? or ?1, not as $1")
        }
        while end < input.count, input[end].isInName { end += 1 }
        guard end < input.count, input[end] == UInt8(ascii: "$") else {
            place += 1
            return
        }
        let tag = input[place...end]
        place = end + 1
        while place < input.count {
            if input[place] == UInt8(ascii: "$"), input[place...].starts(with: tag) {
                place += tag.count
                return
            }
            place += 1
        }
    }

    private mutating func readParameter() throws(Refusal) {
        copy()
        place += 1
        var number = 0
        let start = place
        while place < input.count, input[place].isDigit {
            number = min(number * 10 + Int(input[place] - UInt8(ascii: "0")), StatementText.greatestParameter + 1)
            place += 1
        }
        if place == start { number = parameters + 1 }
        guard (1...StatementText.greatestParameter).contains(number) else {
            throw Refusal(message: "parameters have numbers from 1 to \(StatementText.greatestParameter)")
        }
        parameters = max(parameters, number)
        output += "$\(number)".utf8
        copied = place
    }

    /// Reads a word or a number, and the string that it prefixes: only `E'…'` has backslash escapes.
    private mutating func readWord() {
        let start = place
        while place < input.count, input[place].isInName || input[place] == UInt8(ascii: "$") { place += 1 }
        let word = input[start..<place].map(\.lowercased)
        if word == [UInt8(ascii: "e")], place < input.count, input[place] == UInt8(ascii: "'") {
            skipQuoted(UInt8(ascii: "'"), escapes: true)
        }
        // FOR UPDATE and FOR NO KEY UPDATE only lock.
        let locks = word == Words.update && (lastWord == Words.for || lastWord == Words.key)
        if !locks, Words.ofWriting.contains(word) { writes = true }
        lastWord = word
    }
}

/// Words of SQL in lower case.
private enum Words {
    static let update = Array("update".utf8)
    static let `for` = Array("for".utf8)
    static let key = Array("key".utf8)
    static let ofWriting: Set<[UInt8]> = Set(
        [
            "insert", "update", "delete", "merge", "truncate", "create", "alter", "drop", "grant", "revoke", "copy",
            "comment", "reindex", "refresh",
        ].map { Array($0.utf8) })
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether a name may contain the byte. Every byte of a character outside ASCII counts as a letter.
    fileprivate var isInName: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) || self == UInt8(ascii: "_")
            || self >= 0x80
    }

    fileprivate var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self }
}
