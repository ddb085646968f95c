/// A writer of CSV (RFC 4180) whose cells no spreadsheet interprets as formulas.
public struct CSVWriter: Sendable {
    /// The bytes written so far, without those that were taken.
    public private(set) var bytes: [UInt8] = []
    private let delimiter: UInt8
    private let hasDecimalComma: Bool

    /// Creates an empty table with commas between cells.
    public init() { self.init(ResultBody.Dialect()) }

    /// Creates an empty table in a dialect.
    init(_ dialect: ResultBody.Dialect) {
        delimiter = dialect.delimiter
        hasDecimalComma = dialect.hasDecimalComma
    }

    /// Writes one row.
    public mutating func row(_ cells: [String]) { row(cells.map { .text($0) }) }

    /// Writes one row. Numbers have the decimal mark of the dialect; a number below zero is no formula.
    mutating func row(_ cells: [TableCell]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(delimiter) }
            switch cell {
            case .empty: break
            case .text(let text): write(text, isFormula: FormulaGuard.applies(to: text))
            case .number(let number, let status):
                let text = hasDecimalComma ? String(number.map { $0 == "." ? "," : $0 }) : number
                write(status.map { "\(text) (\($0))" } ?? text, isFormula: false)
            }
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// Returns what was written since this was last called.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func write(_ cell: String, isFormula: Bool) {
        let needsQuotes = isFormula || cell.utf8.contains { ",\"\r\n;\t".utf8.contains($0) }
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
