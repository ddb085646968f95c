import GradingKit

/// Reads tables: numbers or texts by row and column.
extension DocumentParser {
    /// The most cells of all tables together, including labels.
    static let mostCells = 10_000

    mutating func readTable(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&head, raw, as: "table", atMost: 64)
        let unit: RegulationDocument.Unit? = head.takes("in") ? try Self.unit(&head) : nil
        heading.label = try head.labelIfAny()
        try head.finish()
        var table = RegulationDocument.Table(heading: heading, unit: unit, body: body(of: raw))
        // A faulty table is kept, so that formulas that mention it are not reported as faulty.
        defer { document.tables.append(table) }
        let lines = raw.items
        guard lines.count > 1, let first = lines.first else {
            faults.add(.emptyTable, heading.name.range)
            throw Stop()
        }
        for cell in first.cells { table.columns.append(label(cell)) }
        refuseDuplicates(table.columns)
        try count(table.columns.count, at: first.range)
        table.holdsTexts = unit == nil && Self.holdTexts(lines.dropFirst())
        for line in lines.dropFirst() {
            let cells = line.cells
            try count(table.columns.count + 1, at: line.range)
            table.rows.append(label(cells[0]))
            guard cells.count == table.columns.count + 1 else {
                faults.add(
                    .rowLength, line.range,
                    ["found": .number(String(cells.count - 1)), "expected": .number(String(table.columns.count))])
                table.cells += Array(repeating: nil, count: table.columns.count)
                continue
            }
            for cell in cells.dropFirst() {
                table.cells.append(table.holdsTexts ? text(cell) : number(cell).map { .number($0) })
            }
        }
        refuseDuplicates(table.rows)
    }

    private mutating func count(_ cells: Int, at range: Range<Int>) throws(Stop) {
        tableCells += cells
        try check(tableCells, atMost: Self.mostCells, at: range)
    }

    private func label(_ cell: ArraySlice<Token>) -> RegulationDocument.Table.Label {
        let range = (cell.first?.range.lowerBound ?? 0)..<(cell.last?.range.upperBound ?? 0)
        var text = faults.source[range]
        if cell.count == 1, case .text(let content)? = cell.first?.content { text = content }
        return Formula.Word(text: text, range: range)
    }

    /// Whether the cells of rows are texts, that is, none is a number.
    private static func holdTexts(_ rows: ArraySlice<RuleLine>) -> Bool {
        var found = false
        for cell in rows.lazy.flatMap({ $0.cells.dropFirst() }) where !isNone(cell) {
            found = true
            let first = (cell.first?.says("-") ?? false) ? cell.dropFirst().first : cell.first
            if case .number? = first?.content { return false }
        }
        return found
    }

    private static func isNone(_ cell: ArraySlice<Token>) -> Bool {
        cell.count == 1 && (cell.first?.says("-") ?? false)
    }

    /// A text, with or without quotation marks, or `-` for an empty cell.
    private func text(_ cell: ArraySlice<Token>) -> RegulationDocument.Table.Cell? {
        let text = label(cell)
        if Self.isNone(cell) { return nil }
        if comparableName(text.text).isEmpty { faults.add(.emptyLabel, text.range) }
        return .text(text.text)
    }

    /// A number, or `-` for an empty cell. Notes anything else.
    private func number(_ cell: ArraySlice<Token>) -> Exact? {
        if Self.isNone(cell) { return nil }
        var reader = TokenReader(Array(cell), faults)
        do throws(Stop) {
            let number = try reader.number()
            try reader.finish()
            return number
        } catch {
            return nil
        }
    }

    private func refuseDuplicates(_ labels: [RegulationDocument.Table.Label]) {
        var (texts, numbers): (Set<String>, Set<Exact>) = ([], [])
        for label in labels {
            let text = comparableName(label.text)
            let isNew = texts.insert(text).inserted
            let isNewNumber = DecimalText(label.text).map { numbers.insert($0.value).inserted } ?? true
            if text.isEmpty {
                faults.add(.emptyLabel, label.range)
            } else if !isNew || !isNewNumber {
                faults.add(.duplicate, label.range, ["name": .string(label.text)])
            }
        }
    }

    /// The range from the start of the first line below the head to the end of the last one.
    private func body(of raw: RawDeclaration) -> Range<Int> {
        let bytes = faults.source.bytes
        func end(of line: RuleLine) -> Int {
            var place = line.range.upperBound
            while place < bytes.count, ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(bytes[place]) { place += 1 }
            return place
        }
        guard let first = raw.body.first, let last = raw.body.last else {
            let place = end(of: raw.head)
            return place..<place
        }
        return (first.range.lowerBound - first.indent)..<end(of: last)
    }
}

extension RuleLine {
    /// The words of a table row: words without white space between them form one cell.
    var cells: [ArraySlice<Token>] {
        var cells: [ArraySlice<Token>] = []
        var start = tokens.startIndex
        for place in tokens.indices {
            let next = tokens.index(after: place)
            if next == tokens.endIndex || tokens[next].range.lowerBound > tokens[place].range.upperBound {
                cells.append(tokens[start..<next])
                start = next
            }
        }
        return cells
    }
}
