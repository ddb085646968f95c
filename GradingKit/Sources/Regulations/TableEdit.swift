public import GradingKit

/// The result of replacing a table of a document by the rows of a spreadsheet: an edit of the text, or the faults of
/// the sheet.
public struct TableEdit: Sendable {
    /// A cell that the table does not allow.
    public struct BadCell: Sendable {
        /// The line of the sheet, from 1.
        public let line: Int
        /// The column of the sheet, from 1; `nil` for the whole line.
        public let column: Int?
        let wording: Wording
        let arguments: JSONObject

        /// The fault in words.
        public func message(in language: Language) -> String { wording.text.filled(language, arguments) }
    }

    /// Whether numbers of the sheet have a decimal comma.
    public let hasDecimalComma: Bool
    /// How many rows of numbers the sheet has.
    public let rows: Int
    /// How many columns of numbers it has.
    public let columns: Int
    /// The faults of the sheet, at most the first hundred cells.
    public let faults: [BadCell]
    /// The edit; `nil` if there are faults.
    public let edit: TextEdit?
}

extension Regulation {
    /// Replaces a table by the rows of a sheet: the first row names the columns, the first cell of each other row names
    /// the row. Empty cells and dashes mean no value. `nil` instead of rows stands for a sheet that cannot be read.
    ///
    /// - Returns: `nil` if the document has no table of that name.
    public func edit(ofTable name: String, rows: [[String]]?) -> TableEdit? {
        guard let table = document.tables.first(where: { $0.heading.name.text == name }) else { return nil }
        var sheet = TableSheet(rows, holdsTexts: table.holdsTexts)
        let text = sheet.read()
        let hasBody = !table.body.isEmpty
        return TableEdit(
            hasDecimalComma: sheet.hasDecimalComma, rows: sheet.rows, columns: sheet.columns, faults: sheet.faults,
            edit: text.map { TextEdit(range: table.body, replacement: (hasBody ? "" : "\n") + $0) })
    }

    /// The answer to ``edit(ofTable:rows:)``: `{decimalComma, rows, columns, faults: [{line, column?, message}], edit}`; the
    /// edit is `{range, replacement}`, or `null`.
    public func editJSON(ofTable name: String, rows: [[String]]?) -> JSONObject? {
        guard let edit = edit(ofTable: name, rows: rows) else { return nil }
        func number(_ value: Int) -> JSON { .number(String(value)) }
        return [
            "decimalComma": .bool(edit.hasDecimalComma), "rows": number(edit.rows), "columns": number(edit.columns),
            "faults": .array(
                edit.faults.map { fault in
                    var object: JSONObject = [
                        "line": number(fault.line), "code": .string(fault.wording.code.text),
                        "message": fault.wording.text.filled(fault.arguments).json,
                    ]
                    if let column = fault.column { object["column"] = number(column) }
                    return .object(object)
                }),
            "edit": edit.edit.map { ["range": $0.range.json, "replacement": .string($0.replacement)] } ?? .null,
        ]
    }
}
