/// Writes a workbook of one sheet (Office Open XML) row by row; its bytes are taken in pieces.
///
/// There are no formulas: a text is a text, whatever it looks like, and stays one when it is edited.
public struct WorkbookWriter: Sendable {
    /// The workbook becomes too large, or memory is short.
    public struct Failure: Error {}

    /// What a cell holds.
    public enum Cell: Sendable, Equatable {
        /// Nothing.
        case empty
        /// A text, cut to the length that a cell takes.
        case text(String)
        /// A number as the text of a decimal; stored as a text if spreadsheets would round it.
        case number(String)
    }

    /// How a row looks.
    public enum Look: Sendable {
        /// Like the others.
        case plain
        /// In bold.
        case head
        /// Hidden until a person shows it.
        case hidden
    }

    /// Indices in the list of formats in `styles.xml`.
    private enum Format: Int {
        case plain
        case head
        case text
    }

    /// The maximum number of UTF-16 units in a cell.
    static let longestText = 32_767
    /// The maximum number of significant digits that a number keeps in a spreadsheet.
    static let greatestDigits = 15

    private var archive = ZIPWriter()
    private var sheet: [UInt8] = []
    private var rows = 0

    /// Begins a workbook.
    ///
    /// - Parameters:
    ///   - name: the sheet's name, changed where sheets do not allow it.
    ///   - frozen: how many columns and rows stay in view.
    public init(sheet name: String, freezing frozen: (columns: Int, rows: Int)) throws {
        do {
            for (path, content) in Parts.all(sheet: SheetName(name).text) {
                try archive.begin(path)
                try archive.write(Array(content.utf8))
                try archive.endEntry()
            }
            try archive.begin(Parts.sheet)
        } catch {
            throw Failure()
        }
        sheet = Array(Parts.sheetStart(frozen.columns, frozen.rows).utf8)
    }

    /// The approximate number of bytes written since bytes were last taken, before compression.
    public var waiting: Int { sheet.count + archive.bytes.count }

    /// Writes the next row.
    public mutating func row(_ cells: [Cell], as look: Look = .plain) {
        rows += 1
        add("<row r=\"\(rows)\"" + (look == .hidden ? " hidden=\"1\">" : ">"))
        for (column, cell) in cells.enumerated() { write(cell, at: Self.letters(column) + String(rows), look) }
        add("</row>")
    }

    /// Ends the workbook; nothing may follow.
    public mutating func end() throws {
        add("</sheetData></worksheet>")
        do {
            try flush()
            try archive.endEntry()
            try archive.end()
        } catch {
            throw Failure()
        }
    }

    /// Returns what was written since this was last called.
    public mutating func take() throws -> [UInt8] {
        do {
            try flush()
            return try archive.take()
        } catch {
            throw Failure()
        }
    }

    private mutating func flush() throws {
        try archive.write(sheet)
        sheet.removeAll(keepingCapacity: true)
    }

    // MARK: - Cells

    private mutating func write(_ cell: Cell, at place: String, _ look: Look) {
        switch cell {
        case .empty: break
        case .number(let number) where Self.isExact(number):
            add("<c r=\"\(place)\"><v>\(number)</v></c>")
        case .number(let text), .text(let text):
            let format = look == .head ? Format.head : .text
            add("<c r=\"\(place)\" s=\"\(format.rawValue)\" t=\"inlineStr\"><is><t xml:space=\"preserve\">")
            sheet += XMLText.content(Self.cut(text))
            add("</t></is></c>")
        }
    }

    private mutating func add(_ text: String) { sheet += text.utf8 }

    /// The letters of a column, from A for 0.
    static func letters(_ column: Int) -> String {
        var (letters, rest) = ("", max(0, column) + 1)
        while rest > 0 {
            let (quotient, remainder) = (rest - 1).quotientAndRemainder(dividingBy: 26)
            letters = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(clamping: remainder))) + letters
            rest = quotient
        }
        return letters
    }

    /// Whether a text is a decimal that a spreadsheet keeps as it is.
    static func isExact(_ number: String) -> Bool {
        let digits = number.utf8.drop { $0 == UInt8(ascii: "-") }
        guard digits.count <= 40, digits.first != UInt8(ascii: "."), digits.last != UInt8(ascii: "."),
            digits.count(where: { $0 == UInt8(ascii: ".") }) <= 1, !digits.isEmpty,
            number.utf8.count - digits.count <= 1,
            digits.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) })
        else { return false }
        let significant = digits.filter { $0 != UInt8(ascii: ".") }.drop { $0 == 0x30 }
        return significant.reversed().drop { $0 == 0x30 }.count <= greatestDigits
    }

    private static func cut(_ text: String) -> Substring {
        guard text.utf16.count > longestText else { return text[...] }
        var (units, end) = (0, text.unicodeScalars.startIndex)
        while end < text.unicodeScalars.endIndex {
            units += text.unicodeScalars[end].utf16.count
            guard units <= longestText else { break }
            end = text.unicodeScalars.index(after: end)
        }
        return text[..<end]
    }
}
