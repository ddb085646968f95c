import GradingKit
import People

/// Something that is searched in memory: what a server or a caller has few of.
struct SearchDocument: Sendable {
    /// The identifier, unique among those of its kind.
    let id: String
    /// The title, in the caller's language.
    let title: String
    /// The terms under which it is found.
    let terms: [String]
    /// What else the answer says of it.
    let members: JSONObject

    /// Creates a document that is found by its title and by other texts.
    init(id: String, title: String, texts: [String] = [], members: JSONObject = [:]) {
        self.id = id
        self.title = title
        self.members = members
        terms = ([title] + texts).flatMap { SearchText.terms(of: $0) }
    }

    /// Returns the place of the document among the results; `nil` if a term does not match.
    private func place(for asked: [SearchTerm]) -> SearchPlace? {
        guard let first = asked.first, asked.allSatisfy({ term in terms.contains { term.matches($0) } }) else {
            return nil
        }
        let key = SearchText.sortKey(of: title)
        return terms.filter { first.matches($0) }.map { SearchPlace(term: $0, title: key, id: id) }.min()
    }

    /// Returns the documents that match, in the order of results, each with its place.
    static func matches(
        _ documents: [SearchDocument], _ asked: [SearchTerm], after cursor: SearchCursor?, limit: Int
    ) -> [(document: SearchDocument, cursor: SearchCursor)] {
        let found = documents.compactMap { document in document.place(for: asked).map { (document, $0) } }
        let next = found.filter { _, place in cursor.map { $0.place < place } ?? true }.sorted { $0.1 < $1.1 }
        return next.prefix(limit).map { ($0, SearchCursor(term: 0, place: $1)) }
    }
}
