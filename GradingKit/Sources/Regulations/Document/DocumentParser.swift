import GradingKit

/// Reads declarations one by one. A fault in one does not affect the others.
struct DocumentParser {
    var document = RegulationDocument()
    let faults: FaultCollection
    private var names: [String: Set<String>] = [:]
    /// The names of all kinds and groups of the text.
    let kinds: Set<String>
    /// The number of cells of the tables so far, including labels.
    var tableCells = 0

    init(_ text: RegulationText, _ faults: FaultCollection) {
        self.faults = faults
        kinds = Set(
            text.declarations.compactMap { raw in
                let names = raw.head.tokens.prefix(2).map(\.name)
                return names.first == "entry" || names.first == "group" ? names.last ?? nil : nil
            })
        for (place, raw) in text.declarations.enumerated() where !faults.isFull {
            do throws(Stop) {
                try read(raw, isFirst: place == 0)
            } catch {
                // Its name follows the words for its sort.
                let names = raw.head.tokens.prefix(3).compactMap(\.name)
                if let name = names.dropFirst().first(where: { !Self.declarations.contains($0) }) {
                    faults.unreadable.insert(name)
                }
            }
        }
        if text.hasRules, document.regulation == nil {
            faults.add(.noRegulation, text.declarations.first?.head.range ?? 0..<0)
        }
    }

    static let declarations = [
        "regulation", "scale", "rounding", "bands", "curve", "table", "setting", "status", "entry", "group", "earlier",
        "let", "figure", "hidden", "outcome", "check", "warn", "texts", "template", "preset", "example",
    ]

    /// The declarations that have lines of their own below them.
    static let declarationsOfLines: Set<String> = [
        "bands", "curve", "table", "entry", "earlier", "outcome", "texts", "template", "example",
    ]

    private mutating func read(_ raw: RawDeclaration, isFirst: Bool) throws(Stop) {
        var reader = TokenReader(raw.tokens, faults)
        var head = TokenReader(raw.head.tokens, faults)
        let word = try head.anyName()
        reader.skip()
        switch word.text {
        case "regulation": try readRegulation(&reader, raw, isFirst: isFirst)
        case "scale": try readScale(&reader, raw)
        case "rounding": try readRounding(&reader, raw)
        case "bands": try readBands(&head, raw)
        case "curve": try readCurve(&head, raw)
        case "table": try readTable(&head, raw)
        case "setting": try readAnySetting(&reader, &head, raw)
        case "status": try readStatus(&reader, raw)
        case "entry": try readEntry(&head, raw)
        case "earlier": try readEarlier(&head, raw)
        case "group": try readGroup(&reader, raw)
        case "let": try readLet(&reader, raw)
        case "figure": try readFigure(&reader, raw, isHidden: false)
        case "hidden":
            try reader.word("figure")
            try readFigure(&reader, raw, isHidden: true)
        case "outcome": try readOutcome(&head, raw)
        case "check": document.checks.append(try rule(&reader, before: "else"))
        case "warn": document.warnings.append(try rule(&reader, before: "because"))
        case "texts": try readTexts(&head, raw)
        case "template": try readTemplate(&head, raw)
        case "preset": try readPreset(&reader, raw)
        case "example": try readExample(&head, raw)
        default:
            faults.add(
                .unknownDeclaration, guessing: .unknownDeclarationGuess, word.text, among: Self.declarations, word.range
            )
        }
    }

    /// Notes a name among those of one sort, where it may occur only once.
    mutating func note(_ name: Formula.Word, as sort: String, atMost limit: Int) throws(Stop) {
        guard names[sort, default: []].insert(name.text).inserted else {
            faults.add(.duplicate, name.range, ["name": .string(name.text)])
            throw Stop()
        }
        if names[sort, default: []].count > limit {
            faults.add(.tooMany, name.range, ["limit": .number(String(limit))])
            throw Stop()
        }
    }

    /// Limits the number of choices in a list.
    func check(_ count: Int, atMost limit: Int, at range: Range<Int>) throws(Stop) {
        if count <= limit { return }
        faults.add(.tooMany, range, ["limit": .number(String(limit))])
        throw Stop()
    }

    mutating func heading(
        _ reader: inout TokenReader, _ raw: RawDeclaration, as sort: String, atMost limit: Int
    ) throws(Stop) -> RegulationDocument.Heading {
        let name = try reader.newName()
        try note(name, as: sort, atMost: limit)
        return RegulationDocument.Heading(name: name, label: nil, article: raw.article)
    }

    static func unit(_ reader: inout TokenReader) throws(Stop) -> RegulationDocument.Unit {
        let over = try reader.anyName()
        // `in days per student` is a number of days that each student has.
        guard !reader.sees("per", "student"), reader.takes("per") else { return RegulationDocument.Unit(over: over) }
        return RegulationDocument.Unit(over: over, per: try reader.anyName())
    }
}
