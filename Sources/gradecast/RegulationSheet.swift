import Application

/// A sheet for a table of regulations, as delimited text: its rows, and what separates its cells.
struct RegulationSheet {
    enum Separator: String, CaseIterable {
        case tab, semicolon, comma

        var byte: UInt8 {
            switch self {
            case .tab: 0x09
            case .semicolon: UInt8(ascii: ";")
            case .comma: UInt8(ascii: ",")
            }
        }
    }

    /// The maximum size in bytes, the same as a document's.
    private static let mostBytes = 256 << 10

    /// The separator that occurs most often in the first line.
    let separator: Separator
    /// The cells; `nil` if the text is too long, is not UTF-8, or has more than 256 columns or unmatched quotation
    /// marks.
    let rows: [[String]]?

    init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes else {
            (separator, rows) = (.tab, nil)
            return
        }
        var (best, most) = (Separator.tab, 0)
        for separator in Separator.allCases {
            var reader = CSVReader(bytes, delimiter: separator.byte)
            let count = (try? reader.next())?.cells.count ?? 0
            if count > most { (best, most) = (separator, count) }
        }
        separator = best
        rows = try? Self.rows(of: bytes, best)
    }

    private static func rows(of bytes: [UInt8], _ separator: Separator) throws(CSVReader.Broken) -> [[String]] {
        var reader = CSVReader(bytes, delimiter: separator.byte)
        var rows: [[String]] = []
        while let row = try reader.next() {
            guard !row.isTooLong else { throw CSVReader.Broken() }
            rows.append(row.cells)
        }
        return rows
    }
}
