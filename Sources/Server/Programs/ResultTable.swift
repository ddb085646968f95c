import GradingKit
import HTTP

/// Rows of results as they came, each readable or not.
struct ResultTable: Sendable {
    /// How a CSV file is written.
    struct Dialect: Sendable {
        var delimiter = UInt8(ascii: ",")
        /// Whether 12,5 is twelve and a half.
        var hasDecimalComma = false
    }

    /// A row with its number, from 1, in the file; a CSV file's header is not counted.
    let rows: [(number: Int, json: Result<JSON, FaultList>)]

    /// Reads JSON lines; empty lines are left out.
    init(lines bytes: [UInt8]) {
        var rows: [(number: Int, json: Result<JSON, FaultList>)] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            let json = Result { try JSON.parse(Array(line)) }.mapError { _ in FaultList([Fault("malformed")]) }
            rows.append((index + 1, json))
        }
        self.rows = rows
    }

    /// Reads CSV whose first row names the columns: `record` or `student`, `entry` or `path`, `kind`, `status`,
    /// `hidden`; every other column is a field. An empty cell says nothing.
    ///
    /// - Throws: 400 for a file that is no CSV, 422 for columns that no row could be read by.
    init(csv bytes: [UInt8], _ dialect: Dialect) throws {
        guard var table = CSVReader(delimiter: dialect.delimiter).rows(of: bytes), !table.isEmpty else {
            throw Problem.malformed("the body is no CSV with a header")
        }
        let columns = table.removeFirst().map { String($0.drop { $0.isWhitespace }).lowercasedEnvelope }
        guard Set(columns).count == columns.count, !columns.contains("") else {
            throw FaultList([Fault("columns_invalid")])
        }
        rows = table.enumerated().compactMap { index, cells in
            if cells.allSatisfy(\.isEmpty) { return nil }
            guard cells.count <= columns.count else {
                return (index + 1, .failure(FaultList([Fault("columns_invalid")])))
            }
            return (index + 1, .success(Self.json(columns, cells, dialect)))
        }
    }

    private static let envelope: Set<String> = ["record", "student", "entry", "path", "kind", "status"]

    private static func json(_ columns: [String], _ cells: [String], _ dialect: Dialect) -> JSON {
        var (row, fields) = (JSONObject(), JSONObject())
        for (column, cell) in zip(columns, cells) where !cell.isEmpty {
            if column == "hidden" {
                row[column] =
                    cell == "true" || cell == "1" ? true : cell == "false" || cell == "0" ? false : .string(cell)
            } else if envelope.contains(column) {
                row[column] = .string(cell)
            } else {
                fields[column] = value(cell, dialect)
            }
        }
        if !fields.isEmpty { row["fields"] = .object(fields) }
        return .object(row)
    }

    private static func value(_ cell: String, _ dialect: Dialect) -> JSON {
        if cell == "true" || cell == "false" { return .bool(cell == "true") }
        // Only what is a number with the comma is one; a title with a comma in it stays a title.
        guard dialect.hasDecimalComma, DecimalText(cell, allowsComma: true) != nil else { return .string(cell) }
        return .string(cell.split(separator: ",", omittingEmptySubsequences: false).joined(separator: "."))
    }
}

extension String {
    /// The column's name: those of the envelope in any case, those of fields as they are.
    fileprivate var lowercasedEnvelope: String {
        let trimmed = String(reversed().drop { $0.isWhitespace }.reversed())
        let lower = trimmed.lowercased()
        let known = ["record", "student", "entry", "path", "kind", "status", "hidden"]
        return known.contains(lower) ? lower : trimmed
    }
}
