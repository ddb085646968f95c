import Classes
import Gradebook
import GradingKit
import Records
import Shared

/// Compares records, together with the rows of their classes, under published rules and under a draft.
struct LinkedComparison: Sendable {
    private let comparison: CohortComparison
    private let gradebook: any GradebookStore
    /// The draft's rules; `nil` for the rehearsal of a build, which judges no classes.
    private let draft: RecordRules?
    private let published: [Version: RecordRules]
    /// The books under the draft's rules, which the shared cache must not hold, and under published ones.
    private let bookCache = ClassBookCache()

    init(
        _ comparison: CohortComparison, from published: [Version: RecordRules], draft: Rulebook?,
        gradebook: any GradebookStore
    ) {
        self.comparison = comparison
        self.published = published
        self.gradebook = gradebook
        self.draft = draft.map { rules in
            // These rules compare and write nothing, so neither language nor identifiers matter.
            RecordRules(rules: rules, programVersion: .max, language: .english, newID: { EntryID("draft") })
        }
    }

    /// Whether ``compare(_:)`` needs the stored standings of the records.
    var needsStandings: Bool { comparison.needsStandings }

    /// Returns what would differ in a record. Suspends, without blocking a thread, while a separate process computes.
    func compare(_ stored: StoredTree) async throws -> RehearsedRecord {
        guard let draft, stored.holdsLinks, let linked = try await gradebook.linked(stored.record) else {
            return try await comparison.compare(stored)
        }
        let closed = linked.rows.filter { $0.value.snapshot.head.state == .closed }.keys
        let former = published[stored.programVersion]
        let newest = published.max { $0.key < $1.key }?.value
        let links = CohortComparison.Links(closed: Set(closed)) { [bookCache] in
            try linked.links { taught throws(FaultList) in
                try bookCache.book(taught.structure, of: taught.head.id, under: draft)
            }
        } rows: { [bookCache] comparison in
            try linked.changes(by: RowComparison(comparison)) { taught in
                former.flatMap {
                    try? bookCache.book(taught.structure, of: taught.head.id, under: $0, renamedBy: newest)
                }
            } to: { taught in
                try? bookCache.book(taught.structure, of: taught.head.id, under: draft)
            }
        }
        return try await comparison.compare(stored, linking: links)
    }
}
