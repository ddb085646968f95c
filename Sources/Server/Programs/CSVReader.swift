/// Reads CSV (RFC 4180): cells between delimiters, those with special characters in double quotes.
struct CSVReader {
    /// What stands between cells.
    let delimiter: UInt8

    private enum State {
        case cellStart
        case plain
        case quoted
        case afterQuote
    }

    /// The rows; `nil` for text that is not UTF-8 or whose quotes are not in order. Lines end with LF or CR LF.
    func rows(of bytes: [UInt8]) -> [[String]]? {
        var rows: [[String]] = []
        var row: [String] = []
        var cell: [UInt8] = []
        var state = State.cellStart
        var isReadable = true
        func text(_ bytes: [UInt8]) -> String {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                isReadable = false
                return ""
            }
            return text
        }
        func endCell() {
            row.append(text(cell))
            cell.removeAll(keepingCapacity: true)
            state = .cellStart
        }
        for byte in bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) {
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
            case (.quoted, _): cell.append(byte)
            case (.afterQuote, UInt8(ascii: "\"")):
                cell.append(byte)
                state = .quoted
            case (_, delimiter): endCell()
            case (_, 0x0A):
                if state == .plain, cell.last == 0x0D { cell.removeLast() }
                endCell()
                rows.append(row)
                row = []
            case (.cellStart, UInt8(ascii: "\"")): state = .quoted
            case (.afterQuote, 0x0D): break
            case (.afterQuote, _): return nil
            default:
                cell.append(byte)
                state = .plain
            }
            if !isReadable { return nil }
        }
        if state == .quoted { return nil }
        if state != .cellStart || !row.isEmpty {
            endCell()
            rows.append(row)
        }
        return isReadable ? rows : nil
    }
}
