import GradingKit

/// One word of a block of rules.
struct Token: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case name(String)
        case text(String)
        case number(Exact)
        case symbol(String)
    }

    let content: Content
    let range: Range<Int>

    var name: String? { if case .name(let name) = content { name } else { nil } }

    /// Whether it is this word or sign.
    func says(_ word: String) -> Bool {
        switch content {
        case .name(let name): name == word
        case .symbol(let symbol): symbol == word
        default: false
        }
    }
}

/// A line of a block of rules, split into words.
struct RuleLine: Sendable {
    let tokens: [Token]
    /// The indentation.
    let indent: Int

    var range: Range<Int> {
        guard let first = tokens.first, let last = tokens.last else { return 0..<0 }
        return first.range.lowerBound..<last.range.upperBound
    }
}

/// Splits a line into words.
struct Lexer {
    private let source: SourceText
    private let faults: FaultCollection
    private var place: Int
    private let end: Int
    private var tokens: [Token] = []

    static func tokens(of line: Range<Int>, in source: SourceText, _ faults: FaultCollection) -> [Token] {
        var lexer = Lexer(source: source, faults: faults, place: line.lowerBound, end: line.upperBound)
        lexer.run()
        return lexer.tokens
    }

    private init(source: SourceText, faults: FaultCollection, place: Int, end: Int) {
        self.source = source
        self.faults = faults
        self.place = place
        self.end = end
    }

    private func byte(_ offset: Int = 0) -> UInt8? { place + offset < end ? source.bytes[place + offset] : nil }

    private mutating func run() {
        while let byte = byte() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): place += 1
            case UInt8(ascii: "-") where self.byte(1) == UInt8(ascii: "-"): return
            case UInt8(ascii: "\""): text()
            case _ where Self.isForeign(byte) && isTypographic(): typographic()
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            case _ where Self.isLetter(byte): name()
            default: symbol(byte)
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func add(_ content: Token.Content, from start: Int) {
        tokens.append(Token(content: content, range: start..<place))
    }

    private mutating func name() {
        let start = place
        while let byte = byte(), Self.isLetter(byte) || Self.isDigit(byte) { place += 1 }
        if place - start > 64 { faults.add(.nameTooLong, start..<place) }
        add(.name(source[start..<min(place, start + 64)]), from: start)
    }

    private mutating func text() {
        let start = place
        place += 1
        while let byte = byte(), byte != UInt8(ascii: "\"") { place += 1 }
        let content = source[start + 1..<place]
        if byte() == nil { faults.add(.unclosedText, start..<place) } else { place += 1 }
        add(.text(content), from: start)
    }

    /// A decimal of at most nine digits, which suffices for regulations.
    private mutating func number() {
        let start = place
        while let byte = byte(), Self.isDigit(byte) { place += 1 }
        if byte() == UInt8(ascii: "."), let next = byte(1), Self.isDigit(next) {
            place += 1
            while let byte = byte(), Self.isDigit(byte) { place += 1 }
        }
        let text = source[start..<min(place, start + 40)]
        let decimal = place - start > 40 ? nil : DecimalText(text)
        let isPlain = decimal.map { $0.significantDigits <= 9 && $0.decimals <= 6 } ?? false
        if !isPlain { faults.add(.badNumber, start..<place, ["found": .string(text)]) }
        add(.number(isPlain ? decimal?.value ?? 0 : 0), from: start)
    }

    /// Characters of word processors and other languages, with the words that they mean.
    private static let typographics: [(text: String, meant: String)] = [
        ("≤", "<="), ("≥", ">="), ("≠", "<>"), ("−", "-"), ("–", "-"), ("×", "*"), ("·", "*"), ("÷", "/"),
        ("，", ","), ("：", ":"), ("（", "("), ("）", ")"), ("＝", "="), ("＋", "+"), ("％", "%"), ("!=", "<>"),
        ("==", "="), ("=<", "<="), ("=>", ">="), ("&&", "and"), ("||", "or"),
    ]
    /// Opening quotation marks of all sorts, with the marks that may close them.
    private static let quotes: [(opening: String, closing: [String])] = [
        ("“", ["”", "\""]), ("„", ["“", "”"]), ("”", ["”"]), ("«", ["»"]), ("»", ["«"]), ("「", ["」"]), ("‘", ["’"]),
    ]

    /// Whether a byte may begin one of these.
    private static func isForeign(_ byte: UInt8) -> Bool {
        byte >= 0x80 || [UInt8(ascii: "!"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "|")].contains(byte)
    }

    private func stands(_ text: String, at place: Int) -> Bool {
        let bytes = text.utf8
        return place + bytes.count <= end && source.bytes[place..<place + bytes.count].elementsEqual(bytes)
    }

    private func isTypographic() -> Bool {
        Self.typographics.contains { stands($0.text, at: place) }
            || Self.quotes.contains { stands($0.opening, at: place) } || tokens.isEmpty && stands("—", at: place)
    }

    /// Notes a foreign character, and reads it as what it means.
    private mutating func typographic() {
        let start = place
        if tokens.isEmpty, let dash = ["–", "—"].first(where: { stands($0, at: start) }) {
            // A word processor turns the two signs before a remark into a dash.
            place += dash.utf8.count
            faults.add(.typographic, start..<place, ["found": .string(dash), "meant": "--"], fix: "--")
            place = end
            return
        }
        if let (text, meant) = Self.typographics.first(where: { stands($0.text, at: start) }) {
            place += text.utf8.count
            let isWord = meant.first?.isLetter ?? false
            let (before, after) = (start > 0 ? source.bytes[start - 1] : nil, byte())
            let isGlued = [before, after].map { isWord && ($0.map { Self.isLetter($0) || Self.isDigit($0) } ?? false) }
            let fix = (isGlued[0] ? " " : "") + meant + (isGlued[1] ? " " : "")
            faults.add(.typographic, start..<place, ["found": .string(text), "meant": .string(meant)], fix: fix)
            return add(isWord ? .name(meant) : .symbol(meant), from: start)
        }
        guard let quote = Self.quotes.first(where: { stands($0.opening, at: start) }) else {
            return symbol(source.bytes[start])
        }
        place += quote.opening.utf8.count
        let first = place
        while place < end, !quote.closing.contains(where: { stands($0, at: place) }) { place += 1 }
        let text = source[first..<place].trimmed
        let closing = quote.closing.first { stands($0, at: place) }
        place += closing?.utf8.count ?? 0
        // A word continues after an apostrophe.
        let isPlain = closing != nil && !text.contains("\"") && !(byte().map(Self.isLetter) ?? false)
        faults.add(
            .typographicQuotes, start..<place, ["found": .string(quote.opening)], fix: isPlain ? "\"\(text)\"" : nil)
        add(.text(text), from: start)
    }

    private static let symbols = [
        "<=", ">=", "<>", "=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", ",", ".", ":", "%",
    ].map { text in (text: text, first: text.utf8.first, second: text.utf8.dropFirst().first) }

    private mutating func symbol(_ byte: UInt8) {
        let start = place
        let next = self.byte(1)
        if let symbol = Self.symbols.first(where: { $0.first == byte && ($0.second == nil || $0.second == next) }) {
            place += symbol.text.utf8.count
            return add(.symbol(symbol.text), from: start)
        }
        // Takes the whole character and all following ones of its kind: one fault for a word of another script.
        place += 1
        while let next = self.byte(), byte >= 0x80 ? next >= 0x80 : next & 0xC0 == 0x80 { place += 1 }
        faults.add(.unknownSymbol, start..<place, ["symbol": .string(source[start..<min(place, start + 60)])])
    }
}

extension String {
    /// The text without surrounding spaces, including no-break spaces.
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
