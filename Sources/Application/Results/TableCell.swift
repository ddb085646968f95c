/// One cell of a table that leaves the server.
enum TableCell: Sendable, Equatable {
    /// Nothing.
    case empty
    /// A text, whatever it looks like.
    case text(String)
    /// A number as the text of a decimal, with the status that it has beside it.
    case number(String, status: String? = nil)
}

/// Texts that a spreadsheet would compute. In delimited text an apostrophe stands before each, and is taken away when the
/// text comes back.
enum FormulaGuard {
    /// Whether a text gets an apostrophe: one that begins like a formula, also behind apostrophes of its own, so that each
    /// text comes back as it was.
    static func applies(to text: String) -> Bool {
        text.utf8.first { $0 != UInt8(ascii: "'") }.map { "=+-@\t\r".utf8.contains($0) } ?? false
    }

    /// Returns a text as it was before it got an apostrophe.
    static func lifted(_ text: String) -> String {
        text.utf8.first == UInt8(ascii: "'") && applies(to: text) ? String(text.dropFirst()) : text
    }
}
