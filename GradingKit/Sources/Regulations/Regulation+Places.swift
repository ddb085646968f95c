public import GradingKit

/// The place of a declaration in a document.
public struct RegulationPlace: Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1; a character is a Unicode scalar.
    public let column: Int
    /// The heading of the article; empty before the first.
    public let article: String

    /// The place as members of an answer.
    public var members: JSONObject {
        ["line": .number(String(line)), "column": .number(String(column)), "article": .string(article)]
    }
}

extension Regulation {
    /// Returns the place of the declaration of a figure or an outcome; `nil` if there is none with that name.
    ///
    /// - Parameter kind: the kind of its entries; `nil` for the record, or for a group.
    public func place(of name: String, in kind: String?) -> RegulationPlace? {
        let declared =
            document.figures.map { ($0.heading, $0.kind?.text) } + document.outcomes.map { ($0.heading, $0.kind?.text) }
        let named = declared.filter { $0.0.name.text == name }
        guard let (heading, _) = named.first(where: { $0.1 == kind }) ?? named.first else { return nil }
        let (line, column) = source.position(of: heading.name.range.lowerBound)
        return RegulationPlace(line: line, column: column, article: heading.article)
    }
}
