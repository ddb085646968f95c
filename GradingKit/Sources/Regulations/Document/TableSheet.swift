import GradingKit

/// The rows of a spreadsheet that are to replace a table of a document.
struct TableSheet {
    private static let mostFaults = 100

    private let lines: [(number: Int, cells: [String])]
    private(set) var faults: [TableEdit.BadCell] = []
    let hasDecimalComma: Bool

    var rows: Int { max(0, lines.count - 1) }
    var columns: Int { max(0, (lines.first?.cells.count ?? 0) - 1) }

    /// Whether the sheet could be read.
    private let isReadable: Bool
    /// Whether the cells become texts.
    private let holdsTexts: Bool

    init(_ rows: [[String]]?, holdsTexts: Bool) {
        isReadable = rows != nil
        self.holdsTexts = holdsTexts
        var lines = (rows ?? []).enumerated().map { line in
            (number: line.offset + 1, cells: line.element.map(Self.trimmed))
        }
        lines.removeAll { line in line.cells.allSatisfy(\.isEmpty) }
        // Spreadsheets add empty columns after the last one.
        let width = lines.map { line in (line.cells.lastIndex { !$0.isEmpty } ?? -1) + 1 }.max() ?? 0
        self.lines = lines.map { line in
            let padding = [String](repeating: "", count: max(0, width - line.cells.count))
            return (line.number, Array(line.cells.prefix(width)) + padding)
        }
        // The mark that most numbers with decimals use is the decimal mark.
        let numbers = self.lines.dropFirst().flatMap { $0.cells.dropFirst() }
        let commas = numbers.count { Self.isDecimal($0, ",") }
        hasDecimalComma = commas > numbers.count { Self.isDecimal($0, ".") }
    }

    private static func trimmed(_ cell: String) -> String {
        let text = cell.drop { $0.isWhitespace }
        return String(text[..<(text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex)])
    }

    private static func isDecimal(_ cell: String, _ mark: Character) -> Bool {
        let parts = cell.drop { $0 == "-" }.split(separator: mark, omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// The aligned lines of the table; `nil` if a cell is not allowed.
    mutating func read() -> String? {
        guard isReadable else {
            note(.unreadableSheet, line: 1, column: nil)
            return nil
        }
        guard rows > 0, columns > 0 else {
            note(.emptySheet, line: lines.first?.number ?? 1, column: nil)
            return nil
        }
        guard (rows + 1) * (columns + 1) <= DocumentParser.mostCells else {
            note(.sheetTooLarge, line: 1, column: nil, ["limit": .number(String(DocumentParser.mostCells))])
            return nil
        }
        var written: [[String]] = []
        for (place, line) in lines.enumerated() {
            written.append(
                line.cells.enumerated().map { column, cell in
                    if place == 0, column == 0 { return "" }
                    if place == 0 || column == 0 { return label(cell, line.number, column) }
                    return holdsTexts ? text(cell, line.number, column) : number(cell, line.number, column)
                })
        }
        refuseDuplicates(written.dropFirst().map { $0[0] }, at: lines.dropFirst().map { ($0.number, 0) })
        refuseDuplicates(Array(written[0].dropFirst()), at: (1...columns).map { (lines[0].number, $0) })
        return faults.isEmpty ? Self.aligned(written) : nil
    }

    private mutating func note(
        _ wording: Wording, line: Int, column: Int?, _ arguments: JSONObject = JSONObject()
    ) {
        guard faults.count < Self.mostFaults else { return }
        faults.append(
            TableEdit.BadCell(line: line, column: column.map { $0 + 1 }, wording: wording, arguments: arguments))
    }

    private mutating func note(_ wording: Wording, _ cell: String, line: Int, column: Int) {
        note(wording, line: line, column: column, ["found": .string(String(cell.prefix(60)))])
    }

    /// A label in the form of the language: in quotation marks unless it is one word.
    private mutating func label(_ cell: String, _ line: Int, _ column: Int) -> String {
        if cell.isEmpty {
            note(.labelMissing, line: line, column: column)
        } else if cell.unicodeScalars.contains(where: { $0 == "\"" || !RegulationText.isPlain($0) || $0.value < 0x20 })
        {
            note(.labelUnreadable, cell, line: line, column: column)
        }
        return Self.isPlain(cell) ? cell : "\"\(cell)\""
    }

    /// Whether a label needs no quotation marks: it is short, such as `R1.03`, or a name.
    private static func isPlain(_ label: String) -> Bool {
        guard let first = label.utf8.first, isWord(first) else { return false }
        if label.utf8.count <= 7 {
            return label.utf8.last != UInt8(ascii: ".")
                && label.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: ".") }
        }
        return label.utf8.count <= 64 && !(0x30...0x39).contains(first) && label.utf8.allSatisfy { isWord($0) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }

    private static func isNone(_ cell: String) -> Bool { ["", "-", "–", "—"].contains(cell) }

    /// A text, in quotation marks if it could be read as a number.
    private mutating func text(_ cell: String, _ line: Int, _ column: Int) -> String {
        if Self.isNone(cell) { return "-" }
        let text = label(cell, line, column)
        return text.utf8.first.map { (0x30...0x39).contains($0) } ?? false ? "\"\(text)\"" : text
    }

    private mutating func number(_ cell: String, _ line: Int, _ column: Int) -> String {
        if Self.isNone(cell) { return "-" }
        switch WrittenNumber(cell, allowsComma: hasDecimalComma, pointGroups: hasDecimalComma) {
        case .plain(let text):
            if let number = DecimalText(text), number.significantDigits <= 9, number.decimals <= 6,
                let written = number.value.decimalText
            {
                return written
            }
            note(.badNumber, cell, line: line, column: column)
        case .ambiguous: note(.ambiguousCell, cell, line: line, column: column)
        case .none: note(.badCell, cell, line: line, column: column)
        }
        return "-"
    }

    private mutating func refuseDuplicates(
        _ labels: [String], at places: [(line: Int, column: Int)]
    ) {
        var known: Set<String> = []
        for (label, place) in zip(labels, places) {
            let text = label.hasPrefix("\"") ? String(label.dropFirst().dropLast()) : label
            let key = DecimalText(text)?.value.description ?? comparableName(text)
            if !text.isEmpty, !known.insert(key).inserted {
                note(.duplicate, line: place.line, column: place.column, ["name": .string(String(text.prefix(60)))])
            }
        }
    }

    /// Rows as lines: labels aligned on the left, numbers on the right.
    private static func aligned(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }
            return "    " + cells.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
