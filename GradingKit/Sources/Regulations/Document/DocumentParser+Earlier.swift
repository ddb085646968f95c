import GradingKit

/// Reads the declarations of earlier records of the same student, which are copied into a record.
extension DocumentParser {
    private static let mostEarlier = 8
    private static let mostEntries = 100

    /// `earlier year1 "First year"`, then lines such as `figure total in mark`, `outcome diploma`, and
    /// `entry ue code text, figure average in mark, outcome result`.
    mutating func readEarlier(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let name = try head.newName()
        try note(name, as: "entry", atMost: 64)
        try note(name, as: "earlier", atMost: Self.mostEarlier)
        let label = try head.labelIfAny()
        try head.finish()
        var copy = RegulationDocument.Entry(
            heading: RegulationDocument.Heading(name: name, label: label, article: raw.article))
        (copy.most, copy.copies) = (1, Kind.record.name)
        var inner: [RegulationDocument.Entry] = []
        for line in raw.items {
            do throws(Stop) {
                var reader = TokenReader(line.tokens, faults)
                if reader.takes("entry") {
                    inner.append(try entry(&reader, in: name, raw.article))
                } else {
                    try part(&reader, of: &copy)
                }
                try reader.finish()
            } catch {}
        }
        document.entries += [copy] + inner
    }

    /// The entries inside a copy. Their names include that of the copy, because different copies may contain the same
    /// kind.
    private mutating func entry(
        _ reader: inout TokenReader, in outer: Formula.Word, _ article: String
    ) throws(Stop) -> RegulationDocument.Entry {
        let source = try reader.newName()
        let name = Formula.Word(text: "\(outer.text)_\(source.text)", range: source.range)
        try note(name, as: "entry", atMost: 64)
        let label = try reader.labelIfAny()
        var entry = RegulationDocument.Entry(
            heading: RegulationDocument.Heading(name: name, label: label, article: article), parent: outer)
        (entry.most, entry.copies) = (Self.mostEntries, source.text)
        repeat { try part(&reader, of: &entry) } while reader.takes(",")
        return entry
    }

    /// `figure average in mark "Average" shown by averages`, `outcome result "Result"`, or a field: `code text`.
    private mutating func part(
        _ reader: inout TokenReader, of entry: inout RegulationDocument.Entry
    ) throws(Stop) {
        let kind = entry.heading.name
        let isFigure = reader.takes("figure")
        if isFigure || reader.takes("outcome") {
            let name = try reader.newName()
            try note(name, as: "values of \(kind.text)", atMost: 64)
            let unit: RegulationDocument.Unit? = isFigure && reader.takes("in") ? try Self.unit(&reader) : nil
            let label = try reader.labelIfAny()
            let rounding: Formula.Word? = isFigure && reader.takes("shown", "by") ? try reader.anyName() : nil
            let values = isFigure ? [] : try values(&reader)
            document.taken.append(
                RegulationDocument.Taken(
                    heading: RegulationDocument.Heading(name: name, label: label, article: entry.heading.article),
                    kind: kind, content: isFigure ? .figure(unit, shownBy: rounding) : .outcome(values)))
            return
        }
        let name = try reader.newName()
        try note(name, as: "values of \(kind.text)", atMost: 64)
        let label = try reader.labelIfAny()
        let content: RegulationDocument.Field.Content
        if reader.takes("number") {
            content = .number(isWhole: false)
        } else if reader.takes("whole", "number") {
            content = .number(isWhole: true)
        } else if reader.takes("yes", "/", "no") {
            content = .flag
        } else {
            try reader.word("text")
            content = .text
        }
        var field = RegulationDocument.Field(name: name, label: label, content: content)
        field.isRequired = false
        if reader.takes("in") { field.unit = try Self.unit(&reader) }
        entry.fields.append(field)
    }

    /// The values of an outcome, `met ADM "Acquired" met CMP unmet AJ`: met values first.
    private func values(_ reader: inout TokenReader) throws(Stop) -> [OutcomeValue] {
        var values: [OutcomeValue] = []
        while reader.sees("met") || reader.sees("unmet") {
            let state: Decision.State = reader.sees("met") ? .met : .unmet
            reader.skip()
            let verdict = try verdict(state, &reader)
            guard let word = verdict.value else { throw Stop() }
            if values.contains(where: { $0.name == word.text }) {
                faults.add(.duplicate, word.range, ["name": .string(word.text)])
                throw Stop()
            }
            try check(values.count + 1, atMost: OutcomeValue.most, at: word.range)
            values.append(OutcomeValue(word.text, verdict.label ?? LocalizedText(verbatim: word.text), state))
        }
        return values.filter { $0.state == .met } + values.filter { $0.state == .unmet }
    }
}
