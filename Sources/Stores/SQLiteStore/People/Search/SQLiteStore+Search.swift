public import People
import SQLite
import Shared

extension SQLiteStore {
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
/// The rows under one of the terms, of all audiences, come in the order of the results, a slice at a time; of each the
/// other terms are looked up. All of that together is bounded by a number of rows.
private struct SearchWalk {
    /// The greatest number of rows that one search looks at.
    private static let most = 5_000
    /// The number of rows up to which the rows of a term are counted, to find the term with the fewest.
    private static let mostCounted = 400
    private static let slice = 24

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
            let rows = try next(of: question.terms[index], after: place)
            for row in rows.found {
                place = row.place
                // Whom a block hides leaves no trace, not even in the place where a page ends.
                if try isBlocked(row.place.id) { continue }
                let cursor = SearchCursor(term: index, place: row.place)
                shown = cursor
                guard try isHit(row.place, of: index) else { continue }
                hits.append(SearchHit(cursor: cursor, audience: row.audience))
                if hits.count == question.limit { return SearchHits(hits: hits, next: cursor) }
            }
            guard rows.hasMore else { return SearchHits(hits: hits, next: nil) }
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
                        WHERE audience = ? AND kind = ? AND term >= ? AND term < ? LIMIT ?)
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

    /// Returns the next rows of a term in their order: of every audience as many as may be among them.
    private mutating func next(
        of term: SearchTerm, after place: SearchPlace?
    ) throws -> (found: [Found], hasMore: Bool) {
        var (rows, hasMore) = ([Found](), false)
        for audience in question.audiences {
            let found = try connection.all(
                """
                SELECT term, title, id FROM search_terms
                WHERE audience = ? AND kind = ? AND (term, title, id) > (?, ?, ?) AND term < ?
                ORDER BY term, title, id LIMIT ?
                """,
                .text(audience.text), .text(question.kind.rawValue), .text(place?.term ?? term.text),
                .text(place?.title ?? ""), .text(place?.id ?? ""), .text(term.end), .integer(Self.slice)
            ) { SearchPlace(term: $0.text(0), title: $0.text(1), id: $0.text(2)) }
            if found.count == Self.slice { hasMore = true }
            rows += found.map { ($0, audience) }
        }
        looked += rows.count
        rows.sort { $0.place == $1.place ? $0.audience < $1.audience : $0.place < $1.place }
        hasMore = hasMore || rows.count > Self.slice
        var different: [Found] = []
        for row in rows where different.last?.place != row.place { different.append(row) }
        if different.count > Self.slice { different.removeLast(different.count - Self.slice) }
        return (different, hasMore)
    }

    /// Returns whether a row is a result: the other terms match, and the same thing has no earlier row.
    private mutating func isHit(_ place: SearchPlace, of index: Int) throws -> Bool {
        for (other, term) in question.terms.enumerated() where other != index {
            guard try isFound(place.id, from: term.text, to: term.end) else { return false }
        }
        let term = question.terms[index]
        if !term.isWhole, place.term != term.text, try isFound(place.id, from: term.text, to: place.term) {
            return false
        }
        return true
    }

    private mutating func isFound(_ id: String, from start: String, to end: String) throws -> Bool {
        looked += 1
        let found = try connection.all(
            "SELECT audience FROM search_terms WHERE kind = ? AND id = ? AND term >= ? AND term < ?",
            .text(question.kind.rawValue), .text(id), .text(start), .text(end)
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
    fileprivate var end: String { isWhole ? text + "\u{0}" : text + "\u{10FFFF}" }
}
