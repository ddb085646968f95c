import GradingKit
public import Shared

extension WriteOutcome {
    /// The record that a repeated request created; `nil` for another answer.
    public var createdRecord: RecordID? {
        guard isReplay, case .record(let id)? = answer.facts.flatMap({ EditFacts($0) }) else { return nil }
        return id
    }

    /// Whether the answer must be made again, as only facts of it were kept.
    public var needsRecord: Bool { isReplay && answer.facts != nil }
}

extension RecordRules {
    /// Makes the answer to a repeated request from what was kept of it and from the record as it stands.
    ///
    /// As long as the record has not changed since, it is the first answer. Later it names the version that the request made
    /// and, beside it, the version of what it shows (`current`); a whole record has its own version alone.
    ///
    /// - Throws: `StoreError.idempotencyMismatch` if what was kept answers another request; `RecordUnreadable`;
    ///   `StoreError.moved` if another version judges the record by now.
    public func repeated(
        _ outcome: WriteOutcome, to form: RecordEdit.Answer, from snapshot: RecordSnapshot, view: RecordView
    ) throws -> WriteOutcome {
        if case .none = form { return outcome }
        guard let facts = outcome.answer.facts.flatMap({ EditFacts($0) }) else { return outcome }
        var (added, references, created): ([EntryID], [String: EntryID], RecordID?) = ([], [:], nil)
        switch (form, facts) {
        case (.added, .added(let entries)): added = entries
        case (.listed, .references(let names)): references = names
        case (.whole, .record(let id)) where id == snapshot.head.id: created = id
        case (.patched, .nothing), (.deleted, .nothing), (.whole, .nothing): break
        default: throw StoreError.idempotencyMismatch
        }
        let revision = snapshot.revision(view)
        let hasMoved = revision != outcome.revision
        let answer = EditAnswer(
            form: form, tree: try visibleTree(of: snapshot, view: view), content: snapshot.content(view),
            added: added, references: references, kind: outcome.answer.kind, record: created)
        let rendered = answer.rendered(
            version: outcome.revision.version, current: hasMoved ? revision.version : nil)
        var shown = outcome.revision
        if case .whole = form { shown = revision }
        return WriteOutcome(answer: rendered, revision: shown, isReplay: true)
    }
}
