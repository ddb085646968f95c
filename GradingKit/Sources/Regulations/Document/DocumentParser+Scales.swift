import GradingKit

/// Reads scales, roundings, bands and settings, and the title of the regulations.
extension DocumentParser {
    mutating func readRegulation(
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

    mutating func readScale(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
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

    mutating func readRounding(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
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

    mutating func readBands(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let heading = try heading(&head, raw, as: "bands", atMost: 64)
        let unit: RegulationDocument.Unit? = head.takes("in") ? try Self.unit(&head) : nil
        let judge: Formula.Word? = unit != nil && head.takes("judged", "by") ? try head.anyName() : nil
        if unit == nil, !head.sees("worth") { throw head.stop(.expectedWord, ["expected": "in"]) }
        let worth: Formula.Word? = head.takes("worth") ? try head.anyName() : nil
        try head.finish()
        var table = RegulationDocument.BandTable(heading: heading, unit: unit, judgedBy: judge, worth: worth)
        for (place, line) in raw.items.enumerated() {
            if place == 50 {
                faults.add(.tooMany, line.range, ["limit": 50])
                break
            }
            let isLast = place == raw.items.count - 1
            let band = try band(line, hasBound: unit != nil, hasPoints: worth != nil, isLast: isLast)
            table.bands.append((band, line.range))
        }
        if table.bands.isEmpty { throw TokenReader(raw.tokens, faults).stop(.expectedText) }
        document.bands.append(table)
    }

    /// A label, which ends at the first white space unless it is in quotation marks; its names in other languages; then
    /// the bound and the points.
    private func band(_ line: RuleLine, hasBound: Bool, hasPoints: Bool, isLast: Bool) throws(Stop) -> Band {
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
        let text = reader.translated(label).cut(to: 40)
        let first = try reader.number()
        // The last band takes all worse values and needs no bound.
        let isRest = !hasBound || (isLast && hasPoints && reader.isAtEnd)
        let points: Exact? = hasPoints ? (isRest ? first : try reader.number()) : nil
        try reader.finish()
        return Band(
            text.english, from: isRest ? .zero : first, points: points,
            text: text == LocalizedText(verbatim: text.english) ? nil : text)
    }

    /// A setting with one value, or a rounding, bands or a status that programs may replace.
    mutating func readAnySetting(
        _ reader: inout TokenReader, _ head: inout TokenReader, _ raw: RawDeclaration
    ) throws(Stop) {
        let sort = head.next?.name ?? ""
        guard ["rounding", "bands", "status"].contains(sort), let name = head.peek(1)?.name, name != "in",
            let range = head.peek(1)?.range
        else { return try readSetting(&reader, raw) }
        try note(Formula.Word(text: name, range: range), as: "setting", atMost: 128)
        reader.skip()
        head.skip()
        switch sort {
        case "rounding":
            try readRounding(&reader, raw)
            document.roundings[document.roundings.count - 1].isSetting = true
        case "bands":
            try readBands(&head, raw)
            document.bands[document.bands.count - 1].isSetting = true
        default:
            try readStatus(&reader, raw)
            document.statuses[document.statuses.count - 1].isSetting = true
        }
    }

    /// `curve bavarian from percent to note`. Curves share the names of bands, because values go `through` both.
    mutating func readCurve(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&head, raw, as: "bands", atMost: 64)
        try head.word("from")
        let from = try Self.unit(&head)
        try head.word("to")
        let to = try Self.unit(&head)
        heading.label = try head.labelIfAny()
        try head.finish()
        var curve = RegulationDocument.CurveTable(heading: heading, from: from, to: to)
        for line in raw.items {
            var reader = TokenReader(line.tokens, faults)
            try check(curve.points.count + 1, atMost: Curve.most, at: line.range)
            let point = (from: try reader.number(), to: try reader.number(), range: line.range)
            try reader.finish()
            curve.points.append(point)
        }
        document.curves.append(curve)
    }

    mutating func readSetting(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
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
            try check(choices.count, atMost: 100, at: heading.name.range)
            guard choices.contains(where: { $0.text == value.text }) else {
                faults.add(
                    .unknownChoice, guessing: .unknownChoiceGuess, value.text, among: choices.map(\.text), value.range,
                    ["field": .string(heading.name.text)])
                throw Stop()
            }
            content = .choice(value.text, of: choices)
        } else {
            let value = try reader.number()
            if reader.takes("one", "of") {
                content = try numbers(value, &reader, of: heading.name)
            } else {
                content = try range(value, &reader, of: heading.name)
            }
        }
        heading.label = try reader.labelIfAny()
        try reader.finish()
        document.settings.append(RegulationDocument.Setting(heading: heading, unit: unit, content: content))
    }

    private func range(
        _ value: Exact, _ reader: inout TokenReader, of name: Formula.Word
    ) throws(Stop) -> RegulationDocument.Setting.Content {
        let from: Exact? = reader.takes("from") ? try reader.number() : nil
        let to: Exact? = reader.takes("to") ? try reader.number() : nil
        guard from ?? value <= value, value <= to ?? value else {
            faults.add(.emptyRange, name.range)
            throw Stop()
        }
        return .number(value, from: from, to: to)
    }

    /// `40, 50, 60`: the possible values of a number.
    private func numbers(
        _ value: Exact, _ reader: inout TokenReader, of name: Formula.Word
    ) throws(Stop) -> RegulationDocument.Setting.Content {
        var numbers = [try reader.number()]
        while reader.takes(",") { numbers.append(try reader.number()) }
        try check(numbers.count, atMost: 100, at: name.range)
        guard numbers.contains(value) else {
            let text = JSON.string(value.decimalText ?? value.description)
            faults.add(.unknownChoice, name.range, ["field": .string(name.text), "name": text])
            throw Stop()
        }
        return .numberOf(value, numbers)
    }
}

extension LocalizedText {
    /// The first `length` characters of the texts. Every figure lettered by the bands repeats them.
    fileprivate func cut(to length: Int) -> LocalizedText {
        LocalizedText(
            String(english.prefix(length)), fr: String(french.prefix(length)), zh: String(chinese.prefix(length)))
    }
}
