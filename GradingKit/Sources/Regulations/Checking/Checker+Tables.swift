import GradingKit

/// A table as formulas use it.
struct TableModel: Sendable {
    let dimension: Dimension
    let rows: Labels
    let columns: Labels
    /// Row by row; `nil` for an empty cell.
    let cells: [RegulationDocument.Table.Cell?]
    let width: Int
    /// Whether the cells are texts.
    let holdsTexts: Bool
    /// The texts in the cells, each once; `nil` if there are many.
    let choices: [String]?

    init(_ table: RegulationDocument.Table, _ dimension: Dimension) {
        self.dimension = dimension
        rows = Labels(table.rows)
        columns = Labels(table.columns)
        cells = table.cells
        width = table.columns.count
        holdsTexts = table.holdsTexts
        choices = Self.choices(of: table)
    }

    /// A cell.
    struct Place: Sendable {
        let row: Int
        let column: Int
    }

    /// The names of rows or columns.
    struct Labels: Sendable {
        let names: [String]
        /// The index of each name, in written form and in the form for comparison.
        private let places: [String: Int]
        /// The index of each name that is a number.
        private let numbers: [Exact: Int]

        init(_ labels: [RegulationDocument.Table.Label]) {
            names = labels.map(\.text)
            var (places, numbers): ([String: Int], [Exact: Int]) = ([:], [:])
            for (place, name) in names.enumerated() {
                for key in [name, comparableName(name)] where places[key] == nil { places[key] = place }
                if let number = DecimalText(name)?.value, numbers[number] == nil { numbers[number] = place }
            }
            (self.places, self.numbers) = (places, numbers)
        }

        /// The index of a text. Nearly every text has the written form.
        func place(of text: String) -> Int? { places[text] ?? places[comparableName(text)] }

        /// The index of a number.
        func place(of number: Exact) -> Int? { numbers[number] }
    }

    /// The least and the greatest value of the cells.
    var range: ValueRange {
        let values = cells.compactMap { $0?.number }
        guard let low = values.min(), let high = values.max() else { return ValueRange(low: 0, high: 0) }
        return ValueRange(low: low, high: high)
    }

    /// The approximate memory, in bytes.
    var memory: Int { cells.count * 48 + (rows.names.count + columns.names.count) * 320 }

    private static func choices(of table: RegulationDocument.Table) -> [String]? {
        var (choices, known): ([String], Set<String>) = ([], [])
        for case .text(let text)? in table.cells where known.insert(comparableName(text)).inserted {
            if choices.count == 100 { return nil }
            choices.append(text)
        }
        return choices
    }

    func value(row: Int, column: Int) -> RegulationDocument.Table.Cell? {
        let place = row * width + column
        return column < width && cells.indices.contains(place) ? cells[place] : nil
    }
}

/// Checks formulas that look into tables.
extension Checker {
    /// The cost of finding a row or a column, in parts of formulas: names are compared as people would.
    private static let workOfKey = 20.0

    func declareTables() {
        for table in document.tables {
            tables[table.heading.name.text] = TableModel(table, dimension(table.unit))
        }
    }

    /// `table[row, column]`; undefined if the table has no such cell.
    func cell(
        _ name: Formula.Word, _ row: Formula, _ column: Formula, _ scope: Scope
    ) throws(Stop) -> CheckedFormula {
        guard let table = tables[name.text] else {
            faults.add(.unknownTable, guessing: .unknownTableGuess, name.text, among: tables.keys.sorted(), name.range)
            throw Stop()
        }
        note(name, as: .table)
        noteAmount(in: table.dimension)
        let rows = try key(row, ofRows: true, table, name, scope)
        let columns = try key(column, ofRows: false, table, name, scope)
        let place = rows.place.with(columns.place) { row, column -> TableModel.Place? in
            guard let row, let column, table.value(row: row, column: column) != nil else { return nil }
            return TableModel.Place(row: row, column: column)
        }
        let trend = noting(
            (rows.letter?.trend ?? .still) + (columns.letter?.trend ?? .still), [],
            name.range.lowerBound..<column.range.upperBound)
        if table.holdsTexts {
            let code = place.map { $0.flatMap { table.value(row: $0.row, column: $0.column)?.text } }
            return .text(TextValue(code: code, choices: table.choices, name: name.text, trend: trend))
        }
        return .number(
            NumberValue(table.numbers(place, rows.letter, columns.letter), table.dimension, table.range, trend))
    }

    /// The row or column for which a formula looks.
    private struct Key {
        let place: Code<Int?>
        var letter: LetterKey?
    }

    private func key(
        _ key: Formula, ofRows isRow: Bool, _ table: TableModel, _ name: Formula.Word, _ scope: Scope
    ) throws(Stop) -> Key {
        let labels = isRow ? table.rows : table.columns
        switch try check(key, scope) {
        case .text(let text):
            guard text.trend == .still else { throw stop(.keyOfGrade, key.range) }
            if let literal = text.literal, labels.place(of: literal) == nil {
                throw unknown(literal, among: labels, of: name, at: key.range)
            }
            if !text.code.isConstant { try countWork(Self.workOfKey * scope.visits, at: key.range) }
            return Key(place: text.code.map { $0.flatMap { labels.place(of: $0) } })
        case .number(let number):
            if let (field, way) = try field(key, scope), !field.shape.letters.isEmpty {
                // The cost of finding the letter among all letters.
                let work = Self.workOfKey + Double(field.shape.letters.count)
                try countWork(work * scope.visits, at: key.range)
                let letter = LetterKey(field, way, look(of: field.shape.letters, ofRows: isRow, table, name))
                return Key(place: letter.place, letter: letter)
            }
            guard number.trend == .still else { throw stop(.keyOfGrade, key.range) }
            noteAmount(in: number.dimension)
            if !number.code.isConstant { try countWork(Self.workOfKey * scope.visits, at: key.range) }
            return Key(place: number.code.map { $0.value.flatMap { labels.place(of: $0) } })
        case .condition, .outcome: throw stop(.notAKey, key.range)
        }
    }

    private func unknown(
        _ name: String, among labels: TableModel.Labels, of table: Formula.Word, at range: Range<Int>
    ) -> Stop {
        var arguments: JSONObject = ["table": .string(table.text), "name": .string(name)]
        guard faults.mayGuess, let nearest = Spelling.nearest(to: name, among: labels.names) else {
            return stop(.unknownLabel, range, arguments)
        }
        arguments["nearest"] = .string(nearest)
        faults.add(.unknownLabelGuess, range, arguments, fix: "\"\(nearest)\"")
        return Stop()
    }
}

extension FaultCode {
    /// A formula looks for a value that the table does not have.
    static let notInTable: FaultCode = "not_in_table"
}
