import GradingKit

/// The lines of a declaration, with its article.
struct RawDeclaration: Sendable {
    /// The line at the margin.
    var head: RuleLine
    /// The lines indented below it.
    var body: [RuleLine]
    /// The heading above the block, or the declaration's own.
    var article: String

    /// All words as one line.
    var tokens: [Token] { head.tokens + body.flatMap(\.tokens) }

    /// The indented lines; a line that is indented further is joined to the one before it.
    var items: [RuleLine] {
        guard let indent = body.map(\.indent).min() else { return [] }
        var items: [RuleLine] = []
        // Lines of an item are joined once it is complete, so that each word is copied once.
        var open: [Token] = []
        for line in body {
            if line.indent == indent, !open.isEmpty {
                items.append(RuleLine(tokens: open, indent: indent))
                open = []
            }
            open += line.tokens
        }
        if !open.isEmpty { items.append(RuleLine(tokens: open, indent: indent)) }
        return items
    }
}

/// Finds the blocks of rules in a Markdown document, and the declarations in them.
struct RegulationText {
    /// The most bytes of a document.
    static let limit = 256 << 10

    private(set) var declarations: [RawDeclaration] = []
    /// Whether there is a block of rules, even an empty one.
    private(set) var hasRules = false
    /// Headings of the prose.
    private(set) var headings: [Range<Int>] = []
    /// The lines that open and close blocks.
    private(set) var fences: [Range<Int>] = []
    /// The lines of the blocks of rules.
    private(set) var ruleLines: [Range<Int>] = []
    private let source: SourceText
    private let faults: FaultCollection
    private var article = ""
    /// The smallest indentation of the lines of the last declaration; `nil` without lines.
    private var bodyIndent: Int?

    init(_ source: SourceText, _ faults: FaultCollection) {
        self.source = source
        self.faults = faults
        guard source.bytes.count <= Self.limit else {
            faults.add(.tooLong, 0..<0, ["limit": .number(String(Self.limit >> 10))])
            return
        }
        refuseUnreadable()
        read()
    }

    /// Refuses control characters, and characters that change the direction of text.
    private func refuseUnreadable() {
        var place = 0
        for scalar in String(decoding: source.bytes, as: UTF8.self).unicodeScalars {
            let length = UTF8.width(scalar)
            if !Self.isPlain(scalar) {
                let range = min(place, source.bytes.count)..<min(place + length, source.bytes.count)
                let code = String(scalar.value, radix: 16, uppercase: true)
                faults.add(
                    .unreadable, range, ["character": .string("U+" + code)], fix: scalar.value == 0xFFFD ? nil : "")
                if faults.isFull { return }
            }
            place += length
        }
    }

    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB, 0xFFFD: false
        default: scalar.properties.generalCategory != .control && !scalar.properties.isNoncharacterCodePoint
        }
    }

    private mutating func read() {
        var fence: (mark: Substring, isRules: Bool, range: Range<Int>)?
        for line in source.lines {
            let text = source[line]
            let trimmed = text.drop { $0 == " " }
            let mark = trimmed.prefix { $0 == "`" }
            let isFence = mark.count >= 3 && text.count - trimmed.count <= 3
            if let open = fence {
                if isFence, mark.count >= open.mark.count, trimmed.dropFirst(mark.count).allSatisfy(\.isWhitespace) {
                    fence = nil
                    fences.append(line)
                } else if open.isRules {
                    ruleLines.append(line)
                    add(line)
                }
            } else if isFence {
                let info = trimmed.dropFirst(mark.count).split(separator: " ").first ?? ""
                let isRules = info == "rules"
                hasRules = hasRules || isRules
                fence = (mark, isRules, line)
                fences.append(line)
            } else if let heading = Self.heading(trimmed) {
                headings.append(line)
                article = heading
            }
        }
        if let fence { faults.add(.unclosedBlock, fence.range) }
        if !hasRules { faults.add(.noRules, 0..<0) }
    }

    private static func heading(_ line: Substring) -> String? {
        let marks = line.prefix { $0 == "#" }.count
        let rest = line.dropFirst(marks)
        guard (1...6).contains(marks), rest.first == " " else { return nil }
        // Each figure of a record cites its article, so an article is a short heading.
        return String(rest.split(separator: " ").joined(separator: " ").prefix(longestArticle))
    }

    private static let longestArticle = 200

    /// The declaration to which a line at the margin probably belongs; `nil` if the line begins with the word of a
    /// declaration, or one like it.
    private func owner(ofMisplaced first: Token) -> String? {
        guard let last = declarations.last?.head.tokens.first?.name, DocumentParser.declarationsOfLines.contains(last)
        else { return nil }
        guard let name = first.name else { return last }
        let isDeclaration =
            DocumentParser.declarations.contains(name)
            || faults.mayGuess && Spelling.nearest(to: name, among: DocumentParser.declarations) != nil
        return isDeclaration ? nil : last
    }

    private mutating func add(_ line: Range<Int>) {
        let tokens = Lexer.tokens(of: line, in: source, faults)
        guard let first = tokens.first else { return }
        let indent = first.range.lowerBound - line.lowerBound
        let rule = RuleLine(tokens: tokens, indent: indent)
        if indent == 0, let owner = owner(ofMisplaced: first) {
            let indent = bodyIndent ?? 4
            faults.add(
                .lostIndent, first.range, ["owner": .string(owner)], fix: String(repeating: " ", count: indent),
                at: first.range.lowerBound..<first.range.lowerBound)
            declarations[declarations.count - 1].body.append(RuleLine(tokens: tokens, indent: indent))
        } else if indent == 0 {
            declarations.append(RawDeclaration(head: rule, body: [], article: article))
            bodyIndent = nil
        } else if declarations.isEmpty {
            faults.add(.indented, rule.range)
        } else if case .text(let text)? = tokens.dropFirst().first?.content, tokens.count == 2, first.says("article") {
            declarations[declarations.count - 1].article = String(text.prefix(Self.longestArticle))
        } else {
            declarations[declarations.count - 1].body.append(rule)
            bodyIndent = min(indent, bodyIndent ?? indent)
        }
    }
}
