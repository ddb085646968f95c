import GradingKit

/// Reads entries of templates and examples: kind, first text, then fields and values, nested by indentation.
struct OutlineParser {
    /// The most lines of an outline: as many as a record has entries.
    private static let limit = RecordShape.greatestEntryCount

    private let faults: FaultCollection

    init(_ faults: FaultCollection) { self.faults = faults }

    /// Parses the lines of an outline: the tree of its entries, and the record's values that lines with `record` set.
    func entries(
        _ lines: [RuleLine]
    ) throws(Stop) -> (entries: [OutlineEntry], record: [OutlineAssignment]) {
        var record: [OutlineAssignment] = []
        var rows: [(indent: Int, entry: OutlineEntry)] = []
        for line in lines {
            var reader = TokenReader(line.tokens, faults)
            if rows.count == Self.limit { throw reader.stop(.tooMany, ["limit": .number(String(Self.limit))]) }
            if reader.takes("record") {
                record += try Self.assignments(&reader)
            } else {
                rows.append((line.indent, try Self.entry(&reader)))
            }
            try reader.finish()
        }
        return (try nested(rows[...], depth: 0), record)
    }

    /// Assigns rows that are indented further than the first to the row before them.
    private func nested(
        _ rows: ArraySlice<(indent: Int, entry: OutlineEntry)>, depth: Int
    ) throws(Stop) -> [OutlineEntry] {
        guard let indent = rows.first?.indent else { return [] }
        if depth > 16 {
            faults.add(.tooDeep, rows.first?.entry.kind.range ?? 0..<0)
            throw Stop()
        }
        var entries: [OutlineEntry] = []
        var place = rows.startIndex
        while place < rows.endIndex {
            var entry = rows[place].entry
            let rest = rows[(place + 1)...].prefix { $0.indent > indent }
            entry.children = try nested(rest, depth: depth + 1)
            entries.append(entry)
            place = rest.endIndex
        }
        return entries
    }

    private static func entry(_ reader: inout TokenReader) throws(Stop) -> OutlineEntry {
        let kind = try reader.anyName()
        var title: Formula.Word?
        if case .text? = reader.next?.content { title = try reader.text() }
        return OutlineEntry(kind: kind, title: title, assignments: try assignments(&reader))
    }

    private static func assignments(_ reader: inout TokenReader) throws(Stop) -> [OutlineAssignment] {
        var assignments: [OutlineAssignment] = []
        while reader.next?.name != nil {
            let name = try reader.anyName()
            assignments.append(OutlineAssignment(name: name, value: try value(&reader)))
        }
        return assignments
    }

    static func value(_ reader: inout TokenReader) throws(Stop) -> OutlineValue {
        let start = reader.range
        let content: OutlineValue.Content
        switch reader.next?.content {
        case .text(let text)?:
            reader.skip()
            content = .text(text)
        case .name(let name)?:
            reader.skip()
            content =
                name == "yes" ? .flag(true) : name == "no" ? .flag(false) : name == "none" ? .nothing : .word(name)
        default: content = .number(try reader.number())
        }
        return OutlineValue(content: content, range: start.lowerBound..<max(start.upperBound, reader.lastEnd))
    }

    static func change(_ reader: inout TokenReader) throws(Stop) -> OutlineChange {
        var way: [(kind: Formula.Word, title: Formula.Word)] = []
        while case .text? = reader.peek(1)?.content, reader.next?.name != nil, way.count < 8 {
            let kind = try reader.anyName()
            way.append((kind, try reader.text()))
        }
        if way.isEmpty { throw reader.stop(.expectedText) }
        var assignments: [OutlineAssignment] = []
        while reader.next?.name != nil, !reader.sees("with") {
            let name = try reader.anyName()
            assignments.append(OutlineAssignment(name: name, value: try value(&reader)))
        }
        return OutlineChange(way: way, assignments: assignments)
    }

    static func expectation(_ reader: inout TokenReader) throws(Stop) -> Expectation {
        let start = reader.range.lowerBound
        if reader.takes("refused") {
            let code = try reader.anyName()
            return Expectation(
                side: .current, name: code, entry: nil, content: .refused, range: start..<reader.lastEnd)
        }
        var side = Expectation.Side.current
        if reader.sees("floor") || reader.sees("ceiling"), reader.peek(1)?.name != nil {
            side = reader.sees("floor") ? .floor : .ceiling
            reader.skip()
        }
        let name = try reader.anyName()
        var (entry, way): (Formula.Word?, [(kind: Formula.Word, title: Formula.Word)]) = (nil, [])
        if reader.takes("of") {
            while reader.next?.name != nil, way.isEmpty || seesStep(reader), way.count < 8 {
                way.append((try reader.anyName(), try reader.text()))
            }
            entry = if let last = way.last { last.title } else { try reader.text() }
        }
        let content = try expected(&reader)
        return Expectation(
            side: side, name: name, entry: entry, way: way, content: content, range: start..<reader.lastEnd)
    }

    /// Whether a kind and a title follow, and not an expectation for the entry.
    private static func seesStep(_ reader: TokenReader) -> Bool {
        if reader.sees("shown") || reader.sees("lettered") { return false }
        if case .text? = reader.peek(1)?.content { return true }
        return false
    }

    private static func expected(_ reader: inout TokenReader) throws(Stop) -> Expectation.Content {
        if reader.takes("=") { return .exactly(try reader.number()) }
        if reader.takes("shown") {
            // Compared as text: 13.00 is not 13.
            if case .text? = reader.next?.content { return .shown(try reader.text().text) }
            let start = reader.range.lowerBound
            _ = try reader.number()
            return .shown(reader.faults.source[start..<reader.lastEnd])
        }
        if reader.takes("lettered") { return .letter(try reader.text().text) }
        if reader.takes("is") {
            let isKnown = !reader.takes("unknown")
            if isKnown { try reader.word("known") }
            return .known(isKnown)
        }
        for state in [Decision.State.met, .unmet, .pending] where reader.takes(state.rawValue) {
            return .outcome(state, isFinal: reader.takes("final"))
        }
        if reader.next?.name != nil { return .value(try reader.newName().text, isFinal: reader.takes("final")) }
        throw reader.stop(.expectedWord, ["expected": "="])
    }
}
