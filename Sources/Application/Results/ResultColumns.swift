import GradingKit

/// The columns of a CSV file of results, and how its cells become members of a row.
struct ResultColumns: Sendable {
    private static let texts: Set<String> = ["record", "student", "entry", "path", "kind", "status"]

    private let names: [String]
    private let dialect: ResultBody.Dialect

    /// Reads the header: names of the envelope in any case, those of fields as they are.
    ///
    /// - Throws: `columns_invalid` for a column without a name, and for two of one name.
    init(_ header: [String], _ dialect: ResultBody.Dialect) throws(FaultList) {
        names = header.map(Self.name)
        self.dialect = dialect
        guard Set(names).count == names.count, !names.contains("") else {
            throw FaultList([Fault("columns_invalid")])
        }
    }

    private static func name(_ cell: String) -> String {
        let trimmed = String(cell.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        let lower = trimmed.lowercased()
        return texts.contains(lower) || lower == "hidden" ? lower : trimmed
    }

    /// The row of these cells; an empty one says nothing.
    func json(_ cells: [String]) -> Result<JSON, FaultList> {
        guard cells.count <= names.count else { return .failure(FaultList([Fault("columns_invalid")])) }
        var (row, fields) = (JSONObject(), JSONObject())
        for (name, cell) in zip(names, cells) where !cell.isEmpty {
            if name == "hidden" {
                row[name] =
                    cell == "true" || cell == "1" ? true : cell == "false" || cell == "0" ? false : .string(cell)
            } else if Self.texts.contains(name) {
                row[name] = .string(cell)
            } else {
                fields[name] = value(cell)
            }
        }
        if !fields.isEmpty { row["fields"] = .object(fields) }
        return .success(.object(row))
    }

    private func value(_ cell: String) -> JSON {
        if cell == "true" || cell == "false" { return .bool(cell == "true") }
        // A title with a comma in it stays a title. What might be two numbers is left to the field, which refuses it.
        let comma = dialect.hasDecimalComma
        guard case .plain(let number) = WrittenNumber(cell, allowsComma: comma, pointGroups: comma) else {
            return .string(cell)
        }
        return .string(number)
    }
}
