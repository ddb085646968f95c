import GradingKit

/// The columns of a CSV file of results; turns cells into members of a row.
struct ResultColumns: Sendable {
    private static let texts: Set<String> = [
        "record", "student", "studentNumber", "login", "account", "entry", "path", "kind", "status",
    ]
    /// The columns of a row itself, by their names in small letters.
    private static let own = Dictionary(uniqueKeysWithValues: texts.union(["hidden"]).map { ($0.lowercased(), $0) })

    private let names: [String]
    private let dialect: ResultBody.Dialect

    /// Reads the header. The names of ``ResultRow``'s own members may have any case; the names of fields must match
    /// exactly.
    ///
    /// - Throws: `columns_invalid` for a column without a name, and for a repeated name.
    init(_ header: [String], _ dialect: ResultBody.Dialect) throws(FaultList) {
        names = header.map(Self.name)
        self.dialect = dialect
        guard Set(names).count == names.count, !names.contains("") else {
            throw FaultList([Fault("columns_invalid")])
        }
    }

    private static func name(_ cell: String) -> String {
        let trimmed = String(cell.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        return own[trimmed.lowercased()] ?? trimmed
    }

    /// Makes a row from cells; an empty cell is left out.
    func json(_ cells: [String]) -> Result<JSON, FaultList> {
        Result { () throws(FaultList) in try row(cells) }
    }

    private func row(_ cells: [String]) throws(FaultList) -> JSON {
        guard cells.count <= names.count else { throw FaultList([Fault("columns_invalid")]) }
        var (row, fields) = (JSONObject(), JSONObject())
        for (name, cell) in zip(names, cells) where !cell.isEmpty {
            if name == "hidden" {
                row[name] =
                    cell == "true" || cell == "1" ? true : cell == "false" || cell == "0" ? false : .string(cell)
            } else if Self.texts.contains(name) {
                row[name] = .string(FormulaGuard.lifted(cell))
            } else {
                fields[name] = try value(cell, of: name)
            }
        }
        if !fields.isEmpty { row["fields"] = .object(fields) }
        return .object(row)
    }

    /// Returns a cell as its field's value. Accepts numbers as people write them; the field itself refuses what is not
    /// a number.
    private func value(_ cell: String, of name: String) throws(FaultList) -> JSON {
        if cell == "true" || cell == "false" { return .bool(cell == "true") }
        guard dialect.numbers.contains(name) else { return .string(FormulaGuard.lifted(cell)) }
        let comma = dialect.hasDecimalComma
        switch WrittenNumber(cell, allowsComma: comma, pointGroups: comma) {
        case .plain(let number): return .string(number)
        case .none: return .string(cell)
        case .ambiguous(let small, let great):
            let readings: JSONObject = ["small": .string(small), "great": .string(great)]
            throw FaultList([Fault(.ambiguousNumber, at: "/fields" + JSONPointer.step(name), readings)])
        }
    }
}
