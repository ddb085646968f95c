/// A writer of a table as a file, row by row, whose bytes are taken in pieces.
protocol TableWriter: Sendable {
    /// How many bytes were written since the last ones were taken.
    var waiting: Int { get }

    /// Writes the rows above the others: what people call the columns, and what an import knows them by.
    mutating func head(_ titles: [TableCell], keys: [TableCell]) throws
    /// Writes one row.
    mutating func row(_ cells: [TableCell]) throws
    /// Writes what stands behind the last row.
    mutating func end() throws
    /// Returns what was written since this was last called.
    mutating func take() -> [UInt8]
}

extension CSVWriter: TableWriter {
    var waiting: Int { bytes.count }

    mutating func head(_ titles: [TableCell], keys: [TableCell]) {
        row(titles)
        row(keys)
    }

    mutating func end() {}
}
