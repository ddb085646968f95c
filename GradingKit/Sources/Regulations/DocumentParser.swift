import GradingKit

/// Reads declarations one by one; what is wrong with one leaves the others alone.
struct DocumentParser {
    private(set) var document = RegulationDocument()
    let faults: FaultCollection
    private var names: [String: Set<String>] = [:]

    init(_ text: RegulationText, _ faults: FaultCollection) {
        self.faults = faults
        for (place, raw) in text.declarations.enumerated() where !faults.isFull {
            do throws(Stop) {
                try read(raw, isFirst: place == 0)
            } catch {}
        }
        if text.hasRules, document.regulation == nil {
            faults.add(.noRegulation, text.declarations.first?.head.range ?? 0..<0)
        }
    }

    private static let declarations = [
        "regulation", "scale", "rounding", "bands", "setting", "entry", "let", "figure", "hidden", "outcome", "check",
        "warn", "texts", "template", "preset", "example",
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
        case "setting": try readSetting(&reader, raw)
        case "entry": try readEntry(&head, raw)
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

    /// Notes a name among those of one sort; it may stand there only once.
    private mutating func note(_ name: Formula.Word, as sort: String, atMost limit: Int) throws(Stop) {
        guard names[sort, default: []].insert(name.text).inserted else {
            faults.add(.duplicate, name.range, ["name": .string(name.text)])
            throw Stop()
        }
        if names[sort, default: []].count > limit {
            faults.add(.tooMany, name.range, ["limit": .number(String(limit))])
            throw Stop()
        }
    }

    private mutating func heading(
        _ reader: inout TokenReader, _ raw: RawDeclaration, as sort: String, atMost limit: Int
    ) throws(Stop) -> RegulationDocument.Heading {
        let name = try reader.newName()
        try note(name, as: sort, atMost: limit)
        return RegulationDocument.Heading(name: name, label: nil, article: raw.article)
    }

    static func unit(_ reader: inout TokenReader) throws(Stop) -> RegulationDocument.Unit {
        let over = try reader.anyName()
        return RegulationDocument.Unit(over: over, per: reader.takes("per") ? try reader.anyName() : nil)
    }

    // MARK: Regulation, scales, roundings, bands, settings

    private mutating func readRegulation(
        _ reader: inout TokenReader, _ raw: RawDeclaration, isFirst: Bool
    ) throws(Stop) {
        let name = try reader.newName()
        try note(name, as: "regulation", atMost: 1)
        let label = try reader.label()
        try reader.word("language")
        let place = reader.range
        if try reader.wholeNumber() != 1 { faults.add(.language, place, fix: "1") }
        try reader.finish()
        if !isFirst { faults.add(.noRegulation, name.range) }
        document.regulation = RegulationDocument.Heading(name: name, label: label, article: raw.article)
    }

    private mutating func readScale(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&reader, raw, as: "scale", atMost: 32)
        if heading.name.text == "percent" || heading.name.text == "plain" {
            faults.add(.duplicate, heading.name.range, ["name": .string(heading.name.text)])
            throw Stop()
        }
        heading.label = try reader.labelIfAny()
        try reader.word("worst")
        let worst = try reader.number()
        try reader.word("best")
        let best = try reader.number()
        let step = reader.takes("step") ? try reader.number() : Exact(1, over: 100) ?? 1
        try reader.finish()
        guard worst != best, step > .zero else {
            faults.add(.emptyRange, heading.name.range)
            throw Stop()
        }
        document.scales.append(RegulationDocument.Scale(heading: heading, worst: worst, best: best, step: step))
    }

    private static let modes: [(words: [String], rounding: Rounding)] = [
        (["half", "up"], .halfUp), (["half", "even"], .halfEven), (["half", "down"], .halfDown),
        (["floor"], .floor), (["ceiling"], .ceiling), (["truncate"], .truncate),
    ]

    private mutating func readRounding(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let heading = try heading(&reader, raw, as: "rounding", atMost: 64)
        let shown = try step(&reader)
        try reader.word(",")
        try reader.word("judged")
        let judged: CompareRule
        if reader.takes("as", "shown") {
            judged = .displayed
        } else if reader.takes("within") {
            judged = .tolerance(try reader.number())
        } else {
            try reader.word("exactly")
            judged = .exact
        }
        var rule = FigureRule(.halfUp, scale: 0, compareOn: judged)
        rule.shown = shown
        if reader.takes(",", "after") {
            repeat { rule.stages.append(try step(&reader)) } while reader.takes(",") && rule.stages.count < 8
        }
        try reader.finish()
        document.roundings.append(RegulationDocument.RoundingRule(heading: heading, rule: rule))
    }

    private func step(_ reader: inout TokenReader) throws(Stop) -> RoundingStep {
        let modes = Self.modes.filter { mode in
            mode.words.enumerated().allSatisfy { reader.peek($0.offset)?.says($0.element) ?? false }
        }
        guard let mode = modes.first else { throw reader.stop(.expectedWord, ["expected": "half up"]) }
        reader.skip(mode.words.count)
        _ = reader.takes(",")
        let place = reader.range
        if reader.takes("step") {
            let step = try reader.number()
            guard step > .zero, step <= 100, step.decimalText != nil else {
                faults.add(.emptyRange, place)
                throw Stop()
            }
            return RoundingStep(mode.rounding, .step(step))
        }
        let decimals = try reader.wholeNumber()
        guard (0...6).contains(decimals) else {
            faults.add(.tooMany, place, ["limit": 6])
            throw Stop()
        }
        if !reader.takes("decimal") { try reader.word("decimals") }
        return RoundingStep(mode.rounding, scale: decimals)
    }

    private mutating func readBands(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let heading = try heading(&head, raw, as: "bands", atMost: 64)
        try head.word("in")
        let unit = try Self.unit(&head)
        let judge: Formula.Word? = head.takes("judged", "by") ? try head.anyName() : nil
        let worth: Formula.Word? = head.takes("worth") ? try head.anyName() : nil
        try head.finish()
        var table = RegulationDocument.BandTable(heading: heading, unit: unit, judgedBy: judge, worth: worth)
        for (place, line) in raw.items.enumerated() {
            if place == 50 {
                faults.add(.tooMany, line.range, ["limit": 50])
                break
            }
            let isLast = place == raw.items.count - 1
            table.bands.append((try band(line, hasPoints: worth != nil, isLast: isLast), line.range))
        }
        if table.bands.isEmpty { throw TokenReader(raw.tokens, faults).stop(.expectedText) }
        document.bands.append(table)
    }

    /// A label, which ends at the first white space unless it is in quotation marks, then the bound and the points.
    private func band(_ line: RuleLine, hasPoints: Bool, isLast: Bool) throws(Stop) -> Band {
        var reader = TokenReader(line.tokens, faults)
        let label: String
        if case .text(let text)? = reader.next?.content {
            label = text
            reader.skip()
        } else {
            let start = reader.range.lowerBound
            repeat { reader.skip() } while reader.lastEnd == reader.range.lowerBound && !reader.isAtEnd
            label = faults.source[start..<reader.lastEnd]
        }
        let first = try reader.number()
        // The last one takes what lies beyond, and needs no bound.
        let isRest = isLast && hasPoints && reader.isAtEnd
        let points: Exact? = hasPoints ? (isRest ? first : try reader.number()) : nil
        try reader.finish()
        return Band(String(label.prefix(40)), from: isRest ? .zero : first, points: points)
    }

    private mutating func readSetting(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&reader, raw, as: "setting", atMost: 128)
        let unit: RegulationDocument.Unit? = reader.takes("in") ? try Self.unit(&reader) : nil
        try reader.word("=")
        let content: RegulationDocument.Setting.Content
        if reader.takes("yes") {
            content = .flag(true)
        } else if reader.takes("no") {
            content = .flag(false)
        } else if reader.next?.name != nil {
            let value = try reader.anyName()
            try reader.word("one", "of")
            var choices = [try reader.newName()]
            while reader.takes(",") { choices.append(try reader.newName()) }
            guard choices.contains(where: { $0.text == value.text }) else {
                faults.add(
                    .unknownChoice, guessing: .unknownChoiceGuess, value.text, among: choices.map(\.text), value.range,
                    ["field": .string(heading.name.text)])
                throw Stop()
            }
            content = .choice(value.text, of: choices)
        } else {
            let value = try reader.number()
            let from: Exact? = reader.takes("from") ? try reader.number() : nil
            let to: Exact? = reader.takes("to") ? try reader.number() : nil
            guard from ?? value <= value, value <= to ?? value else {
                faults.add(.emptyRange, heading.name.range)
                throw Stop()
            }
            content = .number(value, from: from, to: to)
        }
        heading.label = try reader.labelIfAny()
        try reader.finish()
        document.settings.append(RegulationDocument.Setting(heading: heading, unit: unit, content: content))
    }

    // MARK: Lets, figures, outcomes, checks

    private mutating func readLet(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let name = try reader.newName()
        let kind: Formula.Word? = reader.takes("of") ? try reader.anyName() : nil
        try note(name, as: "values of \(kind?.text ?? "record")", atMost: 512)
        try reader.word("=")
        let formula = try FormulaParser.formula(&reader)
        try reader.finish()
        let heading = RegulationDocument.Heading(name: name, label: nil, article: raw.article)
        document.abbreviations.append(RegulationDocument.Abbreviation(heading: heading, kind: kind, formula: formula))
    }

    private mutating func readFigure(
        _ reader: inout TokenReader, _ raw: RawDeclaration, isHidden: Bool
    ) throws(Stop) {
        let name = try reader.newName()
        let kind: Formula.Word? = reader.takes("of") ? try reader.anyName() : nil
        try note(name, as: "values of \(kind?.text ?? "record")", atMost: 512)
        var heading = RegulationDocument.Heading(name: name, label: nil, article: raw.article)
        let unit: RegulationDocument.Unit? = reader.takes("in") ? try Self.unit(&reader) : nil
        heading.label = try reader.labelIfAny()
        var (shown, lettered, coloured): (Formula.Word?, Formula.Word?, Formula.Word?)
        var hasRange = true
        while !reader.takes("=") {
            if reader.takes("shown", "by") {
                shown = try reader.anyName()
            } else if reader.takes("lettered", "by") {
                lettered = try reader.anyName()
            } else if reader.takes("coloured", "by") {
                coloured = try reader.anyName()
            } else if reader.takes("without", "range") {
                hasRange = false
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
                colouredBy: coloured, hasRange: hasRange, formula: formula))
    }

    private mutating func readOutcome(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let name = try head.newName()
        let kind: Formula.Word? = head.takes("of") ? try head.anyName() : nil
        try note(name, as: "values of \(kind?.text ?? "record")", atMost: 512)
        let label = try head.labelIfAny()
        try head.finish()
        guard document.outcomes.count < 256 else {
            faults.add(.tooMany, name.range, ["limit": 256])
            throw Stop()
        }
        let heading = RegulationDocument.Heading(name: name, label: label, article: raw.article)
        var outcome = RegulationDocument.Outcome(heading: heading, kind: kind)
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
            clause = .otherwise(try reader.anyName())
        } else if reader.sees("met") || reader.sees("unmet") {
            let isMet = reader.sees("met")
            reader.skip()
            try reader.word("when")
            let condition = try FormulaParser.condition(&reader)
            let because: Formula.Word? = reader.takes("because") ? try reader.anyName() : nil
            clause = isMet ? .met(condition, because: because) : .unmet(condition, because: because)
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

    private func rule(_ reader: inout TokenReader, before word: String) throws(Stop) -> RegulationDocument.Rule {
        let kind = try reader.anyName()
        let condition = try FormulaParser.condition(&reader)
        try reader.word(word)
        let code = try reader.anyName()
        try reader.finish()
        return RegulationDocument.Rule(kind: kind, condition: condition, code: code)
    }

    private mutating func readTexts(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        try head.finish()
        for line in raw.items {
            var reader = TokenReader(line.tokens, faults)
            let code = try reader.anyName()
            try note(code, as: "texts", atMost: 1_000)
            let text = try reader.label()
            try reader.finish()
            if [text.english, text.french, text.chinese].contains(where: { $0.contains("{") }) {
                faults.add(.unknownSymbol, line.range, ["symbol": "{"])
            }
            document.texts.append((code, text))
        }
    }

    // MARK: Entries

    private mutating func readEntry(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let name = head.sees("record") ? try head.anyName() : try head.newName()
        try note(name, as: "entry", atMost: 64)
        var entry = RegulationDocument.Entry(
            heading: RegulationDocument.Heading(name: name, label: nil, article: raw.article))
        if head.takes("in") { entry.parent = try head.anyName() }
        let label = try head.labelIfAny()
        entry = RegulationDocument.Entry(
            heading: RegulationDocument.Heading(name: name, label: label, article: raw.article), parent: entry.parent)
        while !head.isAtEnd {
            if head.takes("at", "least") {
                entry.least = try head.wholeNumber()
            } else if head.takes("at", "most") {
                entry.most = try head.wholeNumber()
            } else {
                try head.word("statuses")
                repeat { entry.statuses.append(try head.anyName()) } while head.takes(",")
            }
        }
        if entry.least > entry.most ?? RecordShape.greatestEntryCount { faults.add(.emptyRange, name.range) }
        for line in raw.items {
            do throws(Stop) {
                var reader = TokenReader(line.tokens, faults)
                let field = try field(&reader)
                try note(field.name, as: "values of \(name.text)", atMost: 512)
                guard entry.fields.count < 64 else { throw reader.stop(.tooMany, ["limit": 64]) }
                entry.fields.append(field)
            } catch {}
        }
        document.entries.append(entry)
    }

    private func field(_ reader: inout TokenReader) throws(Stop) -> RegulationDocument.Field {
        let name = try reader.newName()
        let label = try reader.labelIfAny()
        var field = RegulationDocument.Field(name: name, label: label, content: try content(&reader))
        while !reader.isAtEnd {
            if reader.takes("in") {
                field.unit = try Self.unit(&reader)
            } else if reader.takes("optional") {
                field.isRequired = false
            } else if reader.takes("required") {
                field.isRequired = true
            } else if reader.takes("from") {
                field.least = .at(try reader.number())
            } else if reader.takes("above") {
                field.least = .beyond(try reader.number())
            } else if reader.takes("to", "any") {
                field.isUnlimited = true
            } else if reader.takes("to") {
                field.most = try reader.number()
            } else if reader.takes("starts", "at") {
                field.initial = try OutlineParser.value(&reader)
            } else if reader.takes("comma") {
                field.hasComma = true
            } else {
                try reader.word("unique")
                field.isUnique = true
            }
        }
        return field
    }

    private func content(_ reader: inout TokenReader) throws(Stop) -> RegulationDocument.Field.Content {
        if reader.takes("text") { return .text }
        if reader.takes("number") { return .number(isWhole: false) }
        if reader.takes("whole", "number") { return .number(isWhole: true) }
        if reader.takes("yes", "/", "no") { return .flag }
        if reader.takes("one", "of") {
            var choices: [(name: Formula.Word, label: LocalizedText)] = []
            repeat {
                let name = try reader.newName()
                choices.append((name, try reader.labelIfAny() ?? LocalizedText(verbatim: name.text)))
            } while reader.takes(",")
            return .choice(choices)
        }
        try reader.word("grade")
        if reader.takes("out", "of") { return .points(outOf: try reader.anyName()) }
        try reader.word("in")
        return .grade(try Self.unit(&reader))
    }

    // MARK: Templates, presets, examples

    private mutating func readTemplate(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&head, raw, as: "template", atMost: 64)
        heading.label = try head.labelIfAny()
        try head.finish()
        let outline = try OutlineParser(faults).entries(raw.body)
        document.templates.append(RegulationDocument.Template(heading: heading, entries: outline.entries))
    }

    private mutating func readPreset(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&reader, raw, as: "preset", atMost: 64)
        heading.label = try reader.labelIfAny()
        try reader.word(":")
        var preset = RegulationDocument.Preset(heading: heading)
        repeat {
            let setting = try reader.anyName()
            try reader.word("=")
            preset.values.append((setting, try OutlineParser.value(&reader)))
        } while reader.takes(",")
        try reader.finish()
        document.presets.append(preset)
    }

    private mutating func readExample(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&head, raw, as: "example", atMost: 1_000)
        heading.label = try head.labelIfAny()
        try head.finish()
        var example = RegulationDocument.Example(heading: heading)
        var outline: [RuleLine] = []
        for line in raw.body {
            var reader = TokenReader(line.tokens, faults)
            if reader.takes("expect") {
                repeat { example.expectations.append(try OutlineParser.expectation(&reader)) } while reader.takes(",")
                try reader.finish()
            } else if reader.takes("template") {
                example.template = try reader.anyName()
                while reader.takes("with") { example.changes.append(try OutlineParser.change(&reader)) }
                try reader.finish()
            } else if reader.takes("with") {
                example.changes.append(try OutlineParser.change(&reader))
                try reader.finish()
            } else {
                outline.append(line)
            }
        }
        let entries = try OutlineParser(faults).entries(outline)
        (example.entries, example.record) = (entries.entries, entries.record)
        document.examples.append(example)
    }
}
