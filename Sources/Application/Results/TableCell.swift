/// One cell of a table that leaves the server.
enum TableCell: Sendable, Equatable {
    /// Nothing.
    case empty
    /// A text, whatever it looks like.
    case text(String)
    /// A number as the text of a decimal, with the status that it has beside it.
    case number(String, status: String? = nil)
}

/// Texts that a spreadsheet would compute.
enum FormulaGuard {
    /// Whether a text begins like a formula.
    static func applies(to text: String) -> Bool { text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false }
}
