import GradingKit

/// A declaration has a word that does not belong there; the fault is noted already.
struct Stop: Error {}

/// Reads words one after another.
struct TokenReader {
    private let tokens: [Token]
    private var place = 0
    /// The end of the words, for faults about missing ones.
    private let end: Int
    let faults: FaultCollection

    init(_ tokens: [Token], _ faults: FaultCollection) {
        self.tokens = tokens
        self.faults = faults
        end = tokens.last?.range.upperBound ?? 0
    }

    var next: Token? { place < tokens.count ? tokens[place] : nil }
    var isAtEnd: Bool { place >= tokens.count }
    /// The range of the next word.
    var range: Range<Int> { next?.range ?? end..<end }
    /// The end of the last word read.
    var lastEnd: Int { place > 0 ? tokens[place - 1].range.upperBound : range.lowerBound }

    func peek(_ offset: Int) -> Token? { place + offset < tokens.count ? tokens[place + offset] : nil }
    func sees(_ words: String...) -> Bool {
        words.enumerated().allSatisfy { offset, word in peek(offset)?.says(word) ?? false }
    }

    mutating func skip(_ count: Int = 1) { place = min(place + count, tokens.count) }

    /// Takes the words if they come next.
    mutating func takes(_ words: String...) -> Bool {
        guard words.enumerated().allSatisfy({ offset, word in peek(offset)?.says(word) ?? false }) else { return false }
        place += words.count
        return true
    }

    /// Notes what was expected instead of the next word.
    func stop(_ wording: Wording, _ arguments: JSONObject = JSONObject()) -> Stop {
        if let decimal = decimalComma {
            faults.add(.decimalComma, decimal.range, ["found": .string(decimal.text)], fix: decimal.meant)
            return Stop()
        }
        var arguments = arguments
        if let next { arguments["found"] = .string(String(faults.source[next.range].prefix(60))) }
        faults.add(next == nil ? wording.atEnd : wording, range, arguments)
        return Stop()
    }

    /// Notes that a word is missing before the next one, with the edit that writes it unless the line ends there.
    func missing(_ word: String, at offset: Int = 0) -> Stop {
        guard let range = peek(offset)?.range else { return stop(.expectedWord, ["expected": .string(word)]) }
        let arguments: JSONObject = [
            "expected": .string(word), "found": .string(String(faults.source[range].prefix(60))),
        ]
        faults.add(
            .forgottenWord, range, arguments, fix: "\(word) ", at: range.lowerBound..<range.lowerBound)
        return Stop()
    }

    /// Notes that a word of the language stands for no value, or what is missing behind one that begins a fold.
    func stopAtWord() -> Stop {
        guard let fold = next?.name.flatMap({ Formula.Fold.Operation(rawValue: $0) }), let value = peek(1)?.name,
            !Grammar.reserved.contains(value)
        else { return stop(.expectedFormula) }
        return missing(fold == .count ? "over" : "of", at: 1)
    }

    /// A number that may be written with a decimal comma.
    typealias DecimalComma = (range: Range<Int>, text: String, meant: String)

    /// Warns of `min(mark, 9,5)`: three numbers, where two may be meant.
    func warn(of decimal: DecimalComma) {
        faults.add(.twoNumbers, decimal.range, ["found": .string(decimal.text), "meant": .string(decimal.meant)])
    }

    /// A number with a decimal comma, if the reader is at the comma; `nil` for anything else.
    var decimalComma: DecimalComma? {
        guard place > 0, case .number? = peek(-1)?.content, let comma = next, comma.says(","),
            case .number? = peek(1)?.content, let whole = peek(-1)?.range, let decimals = peek(1)?.range,
            whole.upperBound == comma.range.lowerBound, comma.range.upperBound == decimals.lowerBound
        else { return nil }
        let (source, range) = (faults.source, whole.lowerBound..<decimals.upperBound)
        return (range, source[range], "\(source[whole]).\(source[decimals])")
    }

    mutating func word(_ words: String...) throws(Stop) {
        for word in words {
            guard next?.says(word) ?? false else { throw stop(.expectedWord, ["expected": .string(word)]) }
            place += 1
        }
    }

    /// A name of the document's own, different from the words of the language.
    mutating func newName() throws(Stop) -> Formula.Word {
        let name = try anyName()
        if Grammar.reserved.contains(name.text) {
            faults.add(.reserved, name.range, ["name": .string(name.text)])
            throw Stop()
        }
        return name
    }

    /// The kind after `of`; `nil` for none. Names it if only the `of` is missing.
    ///
    /// - Parameters:
    ///   - following: the names that may come next instead.
    ///   - kinds: where a unit may follow, the kinds of the document. Another name then is a unit without its `in`.
    mutating func kindIfAny(
        before following: Set<String> = [], orUnitBeside kinds: Set<String>? = nil
    ) throws(Stop) -> Formula.Word? {
        if takes("of") { return try anyName() }
        if let name = next?.name, !Grammar.reserved.contains(name), !following.contains(name),
            !["needs", "awaits", "met", "unmet", "hidden"].contains(name)
        {
            let isKind = kinds.map { $0.contains(name) || peek(1)?.says("in") ?? false } ?? true
            throw missing(isKind ? "of" : "in")
        }
        return nil
    }

    mutating func anyName() throws(Stop) -> Formula.Word {
        guard let next, let name = next.name else { throw stop(.expectedName) }
        place += 1
        return Formula.Word(text: name, range: next.range)
    }

    mutating func text() throws(Stop) -> Formula.Word {
        guard let next, case .text(let text) = next.content else { throw stop(.expectedText) }
        place += 1
        return Formula.Word(text: text, range: next.range)
    }

    /// A number with its sign, or a ratio such as 1/4.
    mutating func number() throws(Stop) -> Exact {
        let isNegative = takes("-")
        guard case .number(let value)? = next?.content else { throw stop(.expectedNumber) }
        place += 1
        var result = value
        if next?.says("/") ?? false, case .number(let divisor)? = peek(1)?.content {
            guard let ratio = value / divisor else { throw stop(.expectedNumber) }
            place += 2
            result = ratio
        }
        return isNegative ? -result : result
    }

    mutating func wholeNumber() throws(Stop) -> Int {
        guard case .number(let value)? = next?.content, let whole = value.integer else { throw stop(.expectedNumber) }
        place += 1
        return whole
    }

    /// A label in the given languages; the others show the untranslated text.
    mutating func label() throws(Stop) -> LocalizedText { translated(try text().text) }

    /// A text with the translations that follow it.
    mutating func translated(_ english: String) -> LocalizedText {
        var (french, chinese) = (english, english)
        while let language = next, language.says("fr") || language.says("zh"), case .text(let text)? = peek(1)?.content
        {
            if language.says("fr") { french = text } else { chinese = text }
            place += 2
        }
        return LocalizedText(english, fr: french, zh: chinese)
    }

    mutating func labelIfAny() throws(Stop) -> LocalizedText? {
        if case .text? = next?.content { return try label() }
        return nil
    }

    /// Requires that no words are left.
    func finish() throws(Stop) {
        if !isAtEnd { throw stop(.leftOver) }
    }
}
