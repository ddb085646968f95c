import GradingKit

/// The words of a document by sort, and the values that a form can change. With them a page can colour the text without
/// a grammar of its own.
struct DocumentWords {
    enum Sort: String, CaseIterable {
        case heading, fence, comment, keyword, name, text, number
    }

    /// The most words; those beyond stay without colour.
    static let most = 40_000
    /// The most declarations with values, the most rows of one, and the most values of a row.
    private static let mostForms = 256
    private static let mostRows = 100
    private static let mostCells = 12
    private static let mostColumns = 40

    /// The sorts of declarations that `setting` opens to the choice of programs.
    private static let chosen: Set<String> = ["rounding", "bands", "status"]

    /// The ranges of each sort, in the order of the text.
    private(set) var ranges: [Sort: [Range<Int>]] = [:]
    /// The values of settings, bands, curves, tables, scales, roundings and statuses, row by row, with the offset of
    /// the declaration's name.
    private(set) var forms: [(declaration: Int, rows: [[Range<Int>]])] = []

    private let source: SourceText
    private let names: Set<String>
    /// The offsets of the names of declarations and their fields.
    private let places: Set<Int>
    private var count = 0
    /// The first word of the current declaration.
    private var declaration = ""

    init(_ source: SourceText, _ document: RegulationDocument) {
        self.source = source
        names = document.names
        places = Set(document.declared.values.map(\.lowerBound))
        let faults = FaultCollection(source)
        let text = RegulationText(source, faults)
        for line in text.headings { add(.heading, line) }
        for line in text.fences { add(.fence, line) }
        for line in text.ruleLines where count < Self.most { read(line, faults) }
    }

    private mutating func add(_ sort: Sort, _ range: Range<Int>) {
        guard count < Self.most, !range.isEmpty else { return }
        count += 1
        ranges[sort, default: []].append(range)
    }

    private mutating func read(_ line: Range<Int>, _ faults: FaultCollection) {
        let tokens = Lexer.tokens(of: line, in: source, faults)
        let isHead = tokens.first?.range.lowerBound == line.lowerBound
        var skipped = 0
        if isHead {
            declaration = tokens.first?.name ?? ""
            // `setting rounding averages …` is a rounding.
            if declaration == "setting", let sort = tokens.dropFirst().first?.name, Self.chosen.contains(sort),
                let name = tokens.dropFirst(2).first?.name, name != "in"
            {
                (declaration, skipped) = (sort, 1)
            }
        }
        for (place, token) in tokens.enumerated() {
            switch token.content {
            case .text: add(.text, token.range)
            case .number: add(.number, token.range)
            case .name(let name):
                if let sort = sort(of: name, token, isFirst: isHead && place == 0) { add(sort, token.range) }
            case .symbol: break
            }
        }
        note(Array(tokens.dropFirst(skipped)), isHead: isHead)
        let rest = (tokens.last?.range.upperBound ?? line.lowerBound)..<line.upperBound
        if let dash = source.bytes[rest].firstIndex(of: UInt8(ascii: "-")),
            dash + 1 < line.upperBound, source.bytes[dash + 1] == UInt8(ascii: "-")
        {
            add(.comment, dash..<line.upperBound)
        }
    }

    private func sort(of name: String, _ token: Token, isFirst: Bool) -> Sort? {
        if isFirst { return DocumentParser.declarations.contains(name) ? .keyword : nil }
        if places.contains(token.range.lowerBound) { return .name }
        let isWord = Grammar.words.contains(name)
        // A field may have the same name as its type.
        if declaration == "entry" || declaration == "earlier", isWord { return .keyword }
        if names.contains(name) { return .name }
        return isWord ? .keyword : nil
    }

    // MARK: Values

    private mutating func note(_ tokens: [Token], isHead: Bool) {
        if declaration == "status" { return note(status: tokens, isHead: isHead) }
        guard ["setting", "bands", "curve", "table", "scale", "rounding"].contains(declaration) else { return }
        if isHead {
            guard forms.count < Self.mostForms, tokens.count > 1 else { return }
            let isSetting = declaration == "setting"
            let from = isSetting ? tokens.firstIndex { $0.says("=") }.map { $0 + 1 } : 2
            var values =
                ["bands", "curve", "table"].contains(declaration)
                ? [] : Self.values(tokens.dropFirst(from ?? tokens.count), takingName: isSetting)
            if isSetting { values = Array(values.prefix(1)) }
            forms.append((tokens[1].range.lowerBound, values.isEmpty ? [] : [values]))
        } else if declaration == "bands" || declaration == "curve", let last = forms.indices.last,
            forms[last].rows.count < Self.mostRows
        {
            let cells = Self.values(tokens[...], takingName: true)
            if !cells.isEmpty { forms[last].rows.append(cells) }
        } else if declaration == "table", let last = forms.indices.last, forms[last].rows.count < Self.mostRows {
            // The first row has the names of the columns; each other row has its own name, then its values.
            let cells = RuleLine(tokens: tokens, indent: 0).cells.prefix(Self.mostColumns).compactMap { cell in
                cell.first.flatMap { first in cell.last.map { first.range.lowerBound..<$0.range.upperBound } }
            }
            if !cells.isEmpty { forms[last].rows.append(cells) }
        }
    }

    /// For a status on one line: how it enters averages, and everything after that.
    private mutating func note(status tokens: [Token], isHead: Bool) {
        guard isHead else {
            // The lines below are not part of the form.
            if tokens.first?.says("article") == false, let last = forms.indices.last { forms[last].rows = [] }
            return
        }
        guard forms.count < Self.mostForms, tokens.count > 1,
            let word = tokens.firstIndex(where: { $0.says("average") }), word + 1 < tokens.count,
            let end = tokens.last?.range.upperBound
        else { return }
        let isShare = word + 2 < tokens.count && tokens[word + 2].says("%")
        let average = tokens[word + 1].range.lowerBound..<tokens[word + (isShare ? 2 : 1)].range.upperBound
        forms.append((tokens[1].range.lowerBound, [[average, average.upperBound..<end]]))
    }

    /// Numbers with their sign and divisor, and texts; with `takingName`, also a name at the beginning.
    private static func values(_ tokens: ArraySlice<Token>, takingName: Bool) -> [Range<Int>] {
        var (values, place): ([Range<Int>], Int) = ([], tokens.startIndex)
        while place < tokens.endIndex, values.count < mostCells {
            let start = place
            if tokens[place].says("-"), place + 1 < tokens.endIndex { place += 1 }
            switch tokens[place].content {
            case .number:
                if place + 2 < tokens.endIndex, tokens[place + 1].says("/"), case .number = tokens[place + 2].content {
                    place += 2
                }
                values.append(tokens[start].range.lowerBound..<tokens[place].range.upperBound)
            case .text: values.append(tokens[place].range)
            case .name where takingName && start == tokens.startIndex: values.append(tokens[place].range)
            case .name, .symbol: break
            }
            place += 1
        }
        return values
    }
}
