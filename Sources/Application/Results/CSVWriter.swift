/// A writer of CSV (RFC 4180) whose cells no spreadsheet interprets as formulas.
public struct CSVWriter {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty table.
    public init() {}

    /// Writes one row.
    public mutating func row(_ cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(cell)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private mutating func write(_ cell: String) {
        let isFormula = cell.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        let needsQuotes = isFormula || cell.utf8.contains { ",\"\r\n;".utf8.contains($0) }
        guard needsQuotes else { return bytes.append(contentsOf: cell.utf8) }
        bytes.append(UInt8(ascii: "\""))
        // An apostrophe makes a spreadsheet show the cell as text instead of computing it.
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        for byte in cell.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
