import GradingKit

/// Reads what is computed: lets, figures, outcomes, and the texts of their codes.
extension DocumentParser {
    mutating func readLet(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let name = try reader.newName()
        let parameters = try parameters(&reader)
        let kind = try reader.kindIfAny()
        try note(name, as: "values of \(kind?.text ?? "record")", atMost: 512)
        try check(document.abbreviations.count, atMost: 1_000, at: name.range)
        try reader.word("=")
        let formula = try FormulaParser.formula(&reader)
        try reader.finish()
        let heading = RegulationDocument.Heading(name: name, label: nil, article: raw.article)
        document.abbreviations.append(
            RegulationDocument.Abbreviation(heading: heading, parameters: parameters, kind: kind, formula: formula))
    }

    /// Reads the parameters of a `let`: names in brackets, each with an optional unit.
    private func parameters(
        _ reader: inout TokenReader
    ) throws(Stop) -> [RegulationDocument.Abbreviation.Parameter] {
        guard reader.takes("(") else { return [] }
        var parameters: [RegulationDocument.Abbreviation.Parameter] = []
        repeat {
            let name = try reader.newName()
            if parameters.contains(where: { $0.name.text == name.text }) {
                faults.add(.duplicate, name.range, ["name": .string(name.text)])
                throw Stop()
            }
            try check(parameters.count + 1, atMost: RegulationDocument.Abbreviation.mostParameters, at: name.range)
            parameters.append(
                RegulationDocument.Abbreviation.Parameter(
                    name: name, unit: reader.takes("in") ? try Self.unit(&reader) : nil))
        } while reader.takes(",")
        try reader.word(")")
        return parameters
    }

    mutating func readFigure(
        _ reader: inout TokenReader, _ raw: RawDeclaration, isHidden: Bool
    ) throws(Stop) {
        let name = try reader.newName()
        let kind = try reader.kindIfAny(before: ["shown", "lettered", "coloured"], orUnitBeside: kinds)
        try note(name, as: "values of \(kind?.text ?? "record")", atMost: 512)
        var heading = RegulationDocument.Heading(name: name, label: nil, article: raw.article)
        let unit: RegulationDocument.Unit? = reader.takes("in") ? try Self.unit(&reader) : nil
        heading.label = try reader.labelIfAny()
        var (shown, lettered, coloured): (Formula.Word?, Formula.Word?, Formula.Word?)
        var hasRange = true
        var formerNames: [Formula.Word] = []
        while !reader.takes("=") {
            if reader.takes("shown", "by") {
                shown = try reader.anyName()
            } else if reader.takes("lettered", "by") {
                lettered = try reader.anyName()
            } else if reader.takes("coloured", "by") {
                coloured = try reader.anyName()
            } else if reader.takes("without", "range") {
                hasRange = false
            } else if reader.takes("was") {
                formerNames = try self.formerNames(&reader)
            } else {
                throw reader.stop(.expectedWord, ["expected": "="])
            }
        }
        let formula = try FormulaParser.formula(&reader)
        try reader.finish()
        if !isHidden, shown == nil {
            throw TokenReader(raw.head.tokens, faults).stop(.expectedWord, ["expected": "shown by"])
        }
        guard document.figures.count < 256 else {
            faults.add(.tooMany, name.range, ["limit": 256])
            throw Stop()
        }
        document.figures.append(
            RegulationDocument.Figure(
                heading: heading, kind: kind, isHidden: isHidden, unit: unit, shownBy: shown, letteredBy: lettered,
                colouredBy: coloured, hasRange: hasRange, formerNames: formerNames, formula: formula))
    }

    mutating func readOutcome(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let name = try head.newName()
        let kind = try head.kindIfAny()
        try note(name, as: "values of \(kind?.text ?? "record")", atMost: 512)
        let label = try head.labelIfAny()
        let formerNames = head.takes("was") ? try formerNames(&head) : []
        try head.finish()
        guard document.outcomes.count < 256 else {
            faults.add(.tooMany, name.range, ["limit": 256])
            throw Stop()
        }
        let heading = RegulationDocument.Heading(name: name, label: label, article: raw.article)
        var outcome = RegulationDocument.Outcome(heading: heading, kind: kind, formerNames: formerNames)
        for (place, line) in raw.items.enumerated() {
            if place == 64 {
                faults.add(.tooMany, line.range, ["limit": 64])
                break
            }
            do throws(Stop) { outcome.clauses.append(try clause(line)) } catch {}
        }
        document.outcomes.append(outcome)
    }

    private func clause(_ line: RuleLine) throws(Stop) -> RegulationDocument.Outcome.Clause {
        var reader = TokenReader(line.tokens, faults)
        let clause: RegulationDocument.Outcome.Clause
        if reader.takes("else") {
            let isNamed = reader.peek(1) != nil
            let verdict = isNamed ? try self.verdict(.unmet, &reader) : Verdict(state: .unmet)
            clause = .otherwise(verdict, because: try reader.anyName())
        } else if reader.sees("met") || reader.sees("unmet") {
            let state: Decision.State = reader.sees("met") ? .met : .unmet
            reader.skip()
            let verdict = reader.sees("when") ? Verdict(state: state) : try self.verdict(state, &reader)
            if verdict.value != nil, reader.takes("by", "hand") {
                clause = .byHand(verdict)
            } else {
                try reader.word("when")
                let condition = try FormulaParser.condition(&reader)
                clause = .when(condition, verdict, because: reader.takes("because") ? try reader.anyName() : nil)
            }
        } else {
            let awaits = reader.takes("awaits")
            if !awaits { try reader.word("needs") }
            let condition = try FormulaParser.condition(&reader)
            try reader.word("else")
            let code = try reader.anyName()
            clause = awaits ? .awaits(condition, otherwise: code) : .needs(condition, otherwise: code)
        }
        try reader.finish()
        return clause
    }

    typealias Verdict = RegulationDocument.Outcome.Verdict

    /// Names that mean something else for an outcome.
    private static let taken: Set<String> = ["final", "met", "pending", "unmet"]

    /// Reads the value in a line, and its label.
    func verdict(_ state: Decision.State, _ reader: inout TokenReader) throws(Stop) -> Verdict {
        let name = try reader.newName()
        if Self.taken.contains(name.text) {
            faults.add(.reserved, name.range, ["name": .string(name.text)])
            throw Stop()
        }
        return Verdict(state: state, value: name, label: try reader.labelIfAny())
    }

    func rule(_ reader: inout TokenReader, before word: String) throws(Stop) -> RegulationDocument.Rule {
        let kind = try reader.anyName()
        let condition = try FormulaParser.condition(&reader)
        try reader.word(word)
        let code = try reader.anyName()
        try reader.finish()
        return RegulationDocument.Rule(kind: kind, condition: condition, code: code)
    }

    /// The names in braces in a text; `nil` if braces contain anything else.
    private static func placeholders(in text: String) -> Set<String>? {
        var names: Set<String> = []
        for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstIndex(of: "}") else { return nil }
            let name = part[..<end]
            let isName = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isASCIILetter || $0.isASCIIDigit }
            guard isName, (1...64).contains(name.utf8.count), name.utf8.first?.isASCIIDigit == false else { return nil }
            names.insert(String(name))
        }
        return names
    }

    mutating func readTexts(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        try head.finish()
        for line in raw.items {
            var reader = TokenReader(line.tokens, faults)
            let code = try reader.anyName()
            try note(code, as: "texts", atMost: 1_000)
            let text = try reader.label()
            try reader.finish()
            var names: Set<String> = []
            for words in [text.english, text.french, text.chinese] {
                guard let found = Self.placeholders(in: words) else {
                    faults.add(.unknownSymbol, line.range, ["symbol": "{"])
                    continue
                }
                names.formUnion(found)
            }
            document.texts.append((code, text))
            if !names.isEmpty {
                try check(names.count, atMost: 8, at: line.range)
                document.placeholders[code.text] = (names.sorted(), line.range)
            }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
