import GradingKit

extension Regulation {
    /// The words of the language, which cannot be names in a document, in alphabetical order.
    public static let reservedWords: [String] = Grammar.reserved.sorted()

    /// The document under another title; `nil` if the title is not valid in the language, and while the document has no
    /// title.
    public func text(named name: String) -> [UInt8]? {
        guard let heading = document.regulation, 1...64 ~= name.utf8.count, !Grammar.reserved.contains(name) else {
            return nil
        }
        let written = SourceText(Array(name.utf8))
        let tokens = Lexer.tokens(of: 0..<written.bytes.count, in: written, FaultCollection(written))
        guard tokens.count == 1, tokens[0].name == name else { return nil }
        var text = Array(source.bytes)
        text.replaceSubrange(heading.name.range, with: Array(name.utf8))
        return text
    }
}
