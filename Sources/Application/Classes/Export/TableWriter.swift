import Spreadsheet

/// A writer of a table as a file, row by row. Its bytes are taken in pieces.
protocol TableWriter: Sendable {
    /// The number of bytes written and not yet taken.
    var waiting: Int { get }

    /// Writes the rows above the others: the titles for people, and the keys for imports.
    mutating func head(_ titles: [TableCell], keys: [TableCell]) throws
    /// Writes one row.
    mutating func row(_ cells: [TableCell]) throws
    /// Writes the end of the file.
    mutating func end() throws
    /// Returns the bytes written since the last call.
    mutating func take() throws -> [UInt8]
}

extension CSVWriter: TableWriter {
    var waiting: Int { bytes.count }

    mutating func head(_ titles: [TableCell], keys: [TableCell]) {
        row(titles)
        row(keys)
    }

    mutating func end() {}
}

/// A writer of a table as the sheet of a workbook. The keys of the columns are in a hidden row.
struct WorkbookTable: TableWriter {
    /// The number of columns that stay in view: number, login and name of a student.
    private static let frozenColumns = 3
    private var workbook: WorkbookWriter

    /// Starts a workbook with a sheet of that title.
    init(titled title: String) throws {
        workbook = try WorkbookWriter(sheet: title, freezing: (Self.frozenColumns, 2))
    }

    var waiting: Int { workbook.waiting }

    mutating func head(_ titles: [TableCell], keys: [TableCell]) {
        workbook.row(titles.map(Self.cell), as: .head)
        workbook.row(keys.map(Self.cell), as: .hidden)
    }

    mutating func row(_ cells: [TableCell]) { workbook.row(cells.map(Self.cell)) }

    mutating func end() throws { try workbook.end() }

    mutating func take() throws -> [UInt8] { try workbook.take() }

    private static func cell(_ cell: TableCell) -> WorkbookWriter.Cell {
        switch cell {
        case .empty: .empty
        case .text(let text): .text(text)
        case .number(let number, nil): .number(number)
        case .number(let number, let status?): .text("\(number) (\(status))")
        }
    }
}
