import Accounts
public import GradingKit
import Records
import Shared

/// A preview of an import: it checks every row as the import would, in order, and stores nothing.
///
/// Each row is checked as if the rows before it had been entered, so that the result is that of the import.
public struct ResultPreview: Sendable {
    /// The greatest number of rows. Every record that they change is held in memory in its changed state.
    static let mostRows = 2_000

    /// The result that one row would have.
    public struct Row: Sendable {
        /// The number of the row in the file, from 1.
        let number: Int
        /// The content of the row, if it can be parsed and is short.
        let content: JSON?
        let result: Result<Entering, Refusal>
    }

    /// What the row would enter.
    struct Entering: Sendable {
        let head: RecordHead
        /// The student's name; `nil` for a record without a student.
        let student: String?
        /// The names of the entry and its ancestors.
        let names: [String]
        let change: ChangeDescription
    }

    /// Why the row would be refused.
    struct Refusal: Error {
        let outcome: ResultImport.Outcome
    }

    private let results: ResultWriter
    private var resolved = ResultWriter.Resolved()
    private var records: [RecordID: RecordSnapshot] = [:]
    private var names: [AccountID: String] = [:]

    init(_ results: ResultWriter) { self.results = results }

    /// Returns the previews of a body's rows.
    ///
    /// - Throws: what an import throws for a body that cannot be read; `row_limit` above ``mostRows``.
    mutating func rows(of body: ResultBody) async throws -> [Row] {
        guard try await body.count() <= Self.mostRows else {
            throw FaultList([Fault("row_limit", ["limit": .number(String(Self.mostRows))])])
        }
        let repeated = try await RepeatedRows(in: body)
        var reader = try ResultReader(body)
        var rows: [Row] = []
        while let line = try reader.next() {
            rows.append(await row(line, but: repeated))
            await Task.yield()
        }
        return rows
    }

    private mutating func row(_ line: ResultLine, but repeated: RepeatedRows) async -> Row {
        let content = line.shortContent
        do {
            let row = try ResultRow(line.json.get(), hidden: results.hidden)
            try repeated.check(line.number)
            return Row(number: line.number, content: content, result: .success(try await entering(row)))
        } catch {
            let outcome = ResultWriter.refusal(of: line, error).outcome
            return Row(number: line.number, content: content, result: .failure(Refusal(outcome: outcome)))
        }
    }

    private mutating func entering(_ row: ResultRow) async throws -> Entering {
        let id = try await results.owned(by: row.owner, &resolved).record
        let permit = try await results.records.permit(.write, id, for: results.context)
        guard let snapshot = try await snapshot(of: id) else { throw UseCaseError.notFound }
        let (recordRules, view, author) = (permit.recordRules, permit.view, permit.author(results.context.account))
        let made = try await recordRules.rules.perform {
            try recordRules.wordingRefusals {
                let amendment = try recordRules.amendment(of: snapshot, by: row.edit, view: view, author: author)
                let after = snapshot.replaced(by: amendment)
                let entry = amendment.change.entry.map { EntryID($0) }
                let tree = try recordRules.visibleTree(of: after, view: .full)
                return (after: after, change: amendment.change, names: entry.map { tree.names(of: $0) } ?? [])
            }
        }
        records[id] = made.after
        return Entering(
            head: snapshot.head, student: try await name(of: snapshot.head.student), names: made.names,
            change: made.change)
    }

    private func snapshot(of id: RecordID) async throws -> RecordSnapshot? {
        if let known = records[id] { return known }
        return try await results.records.store.snapshot(of: id)
    }

    private mutating func name(of student: AccountID?) async throws -> String? {
        guard let student else { return nil }
        if let known = names[student] { return known }
        let name = try await results.records.names(of: [student])[student]
        names[student] = name
        return name
    }
}

extension RecordSnapshot {
    /// Returns the record as it would be after a change.
    fileprivate func replaced(by amendment: Amendment) -> RecordSnapshot {
        RecordSnapshot(
            head: head, epoch: epoch, fullVersion: fullVersion, releasedVersion: releasedVersion, full: amendment.full,
            released: amendment.released)
    }
}

extension [ResultPreview.Row] {
    /// Writes `{"total","accepted","refused","rows"}`, with faults worded in the given language.
    public func write(to writer: inout JSONWriter, in language: Language) {
        let accepted = count { if case .success = $0.result { true } else { false } }
        writer.object { writer in
            writer.member("total", count)
            writer.member("accepted", accepted)
            writer.member("refused", count - accepted)
            writer.member("rows") { writer in
                writer.array { writer in for row in self { row.write(to: &writer, in: language) } }
            }
        }
    }
}

extension ResultPreview.Row {
    fileprivate func write(to writer: inout JSONWriter, in language: Language) {
        writer.object { writer in
            writer.member("row", number)
            writer.member("content", content ?? .null)
            switch result {
            case .success(let entering):
                writer.member("state", "accepted")
                entering.write(to: &writer)
            case .failure(let refusal):
                writer.member("state", "refused")
                guard case .refused(let faults, let catalog) = refusal.outcome else { return }
                let words = MessageCatalog.server.adding(catalog ?? MessageCatalog())
                writer.member("faults") { writer in
                    writer.array { writer in
                        for fault in faults.prefix(ResultImport.longestList.faults) {
                            fault.write(to: &writer, words, in: language)
                        }
                    }
                }
            }
        }
    }
}

extension ResultPreview.Entering {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("record", head.id.text)
        writer.member("student", ["id": .text(head.student?.text), "displayName": .text(student)])
        writer.member("names", .array(names.map { .string($0) }))
        writer.member("op", change.operation)
        writer.name("before")
        writer.raw(change.before ?? Array("null".utf8))
        writer.name("after")
        writer.raw(change.after ?? Array("null".utf8))
    }
}
