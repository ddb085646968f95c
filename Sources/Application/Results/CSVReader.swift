/// A reader of CSV (RFC 4180), row by row. Cells are separated by delimiters, cells with special characters are in
/// double quotes, and rows end with LF, CR LF or CR.
public struct CSVReader {
    /// One row.
    public struct Row: Equatable {
        /// What stands between the delimiters, without quotes.
        public var cells: [String] = []
        /// Whether the row exceeds the greatest length. Its cells are then incomplete.
        public var isTooLong = false
    }

    /// The text is not UTF-8, or its quotes do not match.
    public struct Broken: Error {
        /// Creates the error.
        public init() {}
    }

    private enum State {
        case cellStart
        case plain
        case quoted
        case afterQuote
    }

    /// The greatest number of cells in a row.
    private static let mostCells = 256

    private let bytes: [UInt8]
    private let delimiter: UInt8
    private let longest: Int
    private var place: Int

    /// Creates a reader at the beginning of the text; `longest` is the greatest length in bytes of a row's cells.
    public init(_ bytes: [UInt8], delimiter: UInt8, longest: Int = .max) {
        self.bytes = bytes
        self.delimiter = delimiter
        self.longest = longest
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Reads the next row; `nil` at the end.
    public mutating func next() throws(Broken) -> Row? {
        guard place < bytes.count else { return nil }
        var (row, cell, size) = (Row(), [UInt8](), 0)
        var state = State.cellStart
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
            case (.afterQuote, UInt8(ascii: "\"")), (.quoted, _):
                Self.take(byte, into: &cell, of: &row, &size, longest)
                state = .quoted
            case (_, delimiter):
                try Self.end(&cell, of: &row)
                state = .cellStart
            case (_, 0x0A), (_, 0x0D):
                if byte == 0x0D, place < bytes.count, bytes[place] == 0x0A { place += 1 }
                try Self.end(&cell, of: &row)
                return row
            case (.cellStart, UInt8(ascii: "\"")): state = .quoted
            case (.afterQuote, _): throw Broken()
            default:
                Self.take(byte, into: &cell, of: &row, &size, longest)
                state = .plain
            }
        }
        guard state != .quoted else { throw Broken() }
        try Self.end(&cell, of: &row)
        return row
    }

    private static func take(
        _ byte: UInt8, into cell: inout [UInt8], of row: inout Row, _ size: inout Int, _ longest: Int
    ) {
        guard size < longest else {
            row.isTooLong = true
            return
        }
        size += 1
        cell.append(byte)
    }

    private static func end(_ cell: inout [UInt8], of row: inout Row) throws(Broken) {
        defer { cell.removeAll(keepingCapacity: true) }
        guard !row.isTooLong, row.cells.count < mostCells else {
            row.isTooLong = true
            return
        }
        guard let text = String(validating: cell, as: UTF8.self) else { throw Broken() }
        row.cells.append(text)
    }
}
