import GradingKit

/// Reads what people enter: kinds of entries and their fields.
extension DocumentParser {
    mutating func readEntry(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
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
            } else if head.takes("nested") {
                let range = head.range
                entry.nested = (try head.wholeNumber(), range)
                try head.word("deep")
            } else if head.takes("was") {
                entry.formerNames = try formerNames(&head)
            } else {
                try head.word("statuses")
                repeat { entry.statuses.append(try head.anyName()) } while head.takes(",")
                try check(entry.statuses.count, atMost: 32, at: name.range)
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
            } catch {
                if let name = line.tokens.first?.name { faults.unreadable.insert(name) }
            }
        }
        document.entries.append(entry)
    }

    /// `group rcue of ue by competence "RCUE"`. Groups share the names of kinds.
    mutating func readGroup(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&reader, raw, as: "entry", atMost: 64)
        try reader.word("of")
        let base = try reader.anyName()
        try reader.word("by")
        let keys = try FormulaParser.keys(&reader)
        try check(keys.count, atMost: 8, at: heading.name.range)
        heading.label = try reader.labelIfAny()
        try reader.finish()
        document.groups.append(RegulationDocument.Group(heading: heading, base: base, keys: keys))
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
            } else if reader.takes("per", "student") {
                field.isPerStudent = true
            } else if reader.takes("was") {
                field.formerNames = try formerNames(&reader)
            } else {
                try reader.word("unique")
                field.isUnique = true
            }
        }
        return field
    }

    /// `mark, note`, after `was`.
    func formerNames(_ reader: inout TokenReader) throws(Stop) -> [Formula.Word] {
        var names: [Formula.Word] = []
        repeat { names.append(try reader.anyName()) } while reader.takes(",")
        try check(names.count, atMost: 16, at: names[0].range)
        return names
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
            try check(choices.count, atMost: 100, at: choices[0].name.range)
            return .choice(choices)
        }
        if reader.takes("letter", "of") { return .letter(of: try reader.anyName()) }
        if reader.takes("letter") || reader.takes("one") { throw reader.missing("of") }
        try reader.word("grade")
        if reader.takes("out", "of") { return .points(outOf: try reader.anyName()) }
        if reader.takes("out") { throw reader.missing("of") }
        try reader.word("in")
        return .grade(try Self.unit(&reader))
    }
}
