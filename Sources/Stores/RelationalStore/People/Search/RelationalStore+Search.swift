import Database
public import People
import Shared

extension RelationalStore {
    /// Searches the index, for each question, in one transaction.
    public func search(_ questions: [SearchQuestion]) async throws -> [SearchHits] {
        guard !questions.isEmpty else { return [] }
        return try await read { connection in
            try questions.map { question in
                var walk = SearchWalk(question, on: connection)
                return try walk.hits()
            }
        }
    }
}

/// One search of the index.
///
/// The rows under one of the terms, of all audiences, come in the order of the results, a slice at a time; each holds the
/// words among which the other terms are sought. All of that together is bounded by a number of rows.
private struct SearchWalk {
    /// The greatest number of rows that one search looks at.
    private static let most = 20_000
    /// The number of rows up to which the rows of a term are counted, to find the term with the fewest.
    private static let mostCounted = 400
    private static let slice = 24
    /// The number of rows, of all audiences, that are looked through at a time for those that the other terms match.
    private static let window = 4_000

    private let question: SearchQuestion
    private let connection: Connection
    private let audiences: Set<SearchAudience>
    private var looked = 0

    init(_ question: SearchQuestion, on connection: Connection) {
        self.question = question
        self.connection = connection
        audiences = Set(question.audiences)
    }

    mutating func hits() throws -> SearchHits {
        let none = SearchHits(hits: [], next: nil)
        guard question.limit > 0, !question.audiences.isEmpty else { return none }
        let index: Int
        if let known = question.after?.term { index = known } else { index = try rarest() }
        guard question.terms.indices.contains(index) else { return none }
        var (hits, place, shown) = ([SearchHit](), question.after?.place, SearchCursor?.none)
        while true {
            let rows = try next(of: index, after: place)
            for row in rows.found {
                // Whom a block hides leaves no trace, not even in the place where a page ends.
                if try isBlocked(row.place.id) { continue }
                let cursor = SearchCursor(term: index, place: row.place)
                shown = cursor
                if try hasEarlierRow(row.place, of: index) { continue }
                hits.append(SearchHit(cursor: cursor, audience: row.audience))
                if hits.count == question.limit { return SearchHits(hits: hits, next: cursor) }
            }
            guard let end = rows.end else { return SearchHits(hits: hits, next: nil) }
            place = end
            if try !isBlocked(end.id) { shown = SearchCursor(term: index, place: end) }
            if looked >= Self.most { return SearchHits(hits: hits, next: shown) }
        }
    }

    /// Returns the term with the fewest rows, so that the others are looked up as seldom as possible.
    private mutating func rarest() throws -> Int {
        guard question.terms.count > 1 else { return 0 }
        var (best, fewest) = (0, Int.max)
        for (index, term) in question.terms.enumerated() {
            var count = 0
            for audience in question.audiences where count < Self.mostCounted {
                count +=
                    try connection.first(
                        """
                        SELECT count(*) FROM (SELECT 1 FROM search_terms
                        WHERE audience = ? AND kind = ? AND term >= ? AND term < ? LIMIT ?) AS counted
                        """,
                        .text(audience.text), .text(question.kind.rawValue), .text(term.text), .text(term.end),
                        .integer(Self.mostCounted)
                    ) { $0.integer(0) } ?? 0
            }
            looked += count
            if count < fewest { (best, fewest) = (index, count) }
        }
        return best
    }

    private typealias Found = (place: SearchPlace, audience: SearchAudience)

    /// Returns the next rows of the term that orders the results, of all audiences in their order, and the place up to
    /// which they are all of them; `nil` when there are no more.
    private mutating func next(
        of index: Int, after place: SearchPlace?
    ) throws -> (found: [Found], end: SearchPlace?) {
        var (rows, end) = ([Found](), SearchPlace?.none)
        for audience in question.audiences {
            let found = try slice(of: index, audience, after: place)
            rows += found.places.map { ($0, audience) }
            if let last = found.end { end = min(end ?? last, last) }
        }
        rows.sort { $0.place == $1.place ? $0.audience < $1.audience : $0.place < $1.place }
        var different: [Found] = []
        for row in rows where different.last?.place != row.place && end.map({ row.place <= $0 }) ?? true {
            different.append(row)
        }
        return (different, end)
    }

    /// Returns the next rows of a term in one audience that the other terms match too, and the place up to which they are
    /// all of them; `nil` when there are no more.
    private mutating func slice(
        of index: Int, _ audience: SearchAudience, after place: SearchPlace?
    ) throws -> (places: [SearchPlace], end: SearchPlace?) {
        let term = question.terms[index]
        let range = """
            FROM search_terms WHERE audience = ? AND kind = ? AND (term, title, id) > (?, ?, ?) AND term < ?
            ORDER BY term, title, id LIMIT ?
            """
        let begin: [SQLValue] = [
            .text(audience.text), .text(question.kind.rawValue), .text(place?.term ?? term.text),
            .text(place?.title ?? ""), .text(place?.id ?? ""), .text(term.end),
        ]
        func read(_ sql: String, _ values: [SQLValue]) throws -> [SearchPlace] {
            try connection.all(sql, values) { SearchPlace(term: $0.text(0), title: $0.text(1), id: $0.text(2)) }
        }
        let others = question.terms.indices.filter { $0 != index }.map { question.terms[$0] }
        guard !others.isEmpty else {
            let found = try read("SELECT term, title, id \(range)", begin + [.integer(Self.slice)])
            looked += found.count
            return (found, found.count == Self.slice ? found.last : nil)
        }
        let window = max(Self.slice, Self.window / question.audiences.count)
        let matching = others.map { _ in "instr(words, ?) > 0" }.joined(separator: " AND ")
        let found = try read(
            """
            SELECT term, title, id FROM (SELECT term, title, id, words \(range)) AS found
            WHERE \(matching) ORDER BY term, title, id LIMIT ?
            """,
            begin + [.integer(window)] + others.map { .text($0.mark) } + [.integer(Self.slice)])
        looked += window
        if found.count == Self.slice { return (found, found.last) }
        let last = try read("SELECT term, title, id \(range) OFFSET ?", begin + [.integer(1), .integer(window - 1)])
        return (found, last.first)
    }

    /// Returns whether the same thing has an earlier row, under a term that matches too.
    private mutating func hasEarlierRow(_ place: SearchPlace, of index: Int) throws -> Bool {
        let term = question.terms[index]
        if term.isWhole || place.term == term.text { return false }
        looked += 1
        let found = try connection.all(
            "SELECT audience FROM search_terms WHERE kind = ? AND id = ? AND term >= ? AND term < ?",
            .text(question.kind.rawValue), .text(place.id), .text(term.text), .text(place.term)
        ) { SearchAudience(stored: $0.text(0)) }
        return found.contains { audiences.contains($0) }
    }

    private func isBlocked(_ id: String) throws -> Bool {
        guard question.kind == .person, let viewer = question.viewer else { return false }
        return try connection.first(
            """
            SELECT 1 FROM blocks WHERE blocker = ?1 AND blocked = ?2
            UNION ALL SELECT 1 FROM blocks WHERE blocker = ?2 AND blocked = ?1 LIMIT 1
            """, .text(id), .text(viewer.text)
        ) { $0.boolean(0) } ?? false
    }
}

extension SearchTerm {
    /// The text before which all stored terms lie that match.
    fileprivate var end: String { isWhole ? text + "\u{1}" : text + "\u{10FFFF}" }

    /// What the words of a row contain if one of them matches.
    fileprivate var mark: String { SearchWords.mark + text + (isWhole ? SearchWords.mark : "") }
}
