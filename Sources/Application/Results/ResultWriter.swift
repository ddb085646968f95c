public import Accounts
import GradingKit
public import Institutions
import Records
import Shared

/// Enters rows of results into the records of a program, each row by itself: accepted, or refused with its faults.
public struct ResultWriter: Sendable {
    /// Rows entered at once; those of one record follow each other.
    private static let window = 32

    /// Whose records were looked up so far.
    struct Resolved: Sendable {
        fileprivate var records: [ResultRow.Owner: RecordID] = [:]
    }

    let records: RecordService
    let program: Program
    /// The request that orders it; its conditions do not apply to single rows.
    let context: AccountContext
    /// Whether rows that do not say so are hidden from the student.
    let hidden: Bool?
    private let accounts: AccountServices

    /// Enters rows into the records of `program`, which the caller may grade.
    ///
    /// - Parameter hidden: whether rows that do not say so are hidden from the student.
    public init(
        into program: Program, of records: RecordService, accounts: AccountServices, hidden: Bool?,
        by context: AccountContext
    ) {
        self.records = records
        self.accounts = accounts
        self.program = program
        self.context = context
        self.hidden = hidden
    }

    /// Enters the next rows of an import.
    ///
    /// Where the sender gave a key, each row has one of its own, so that an import that was cut off and is sent again
    /// enters no row twice.
    func enter(
        _ rows: inout ResultReader, _ resolved: inout Resolved, under entry: ImportEntry
    ) async -> [ResultImport.Item] {
        var items: [ResultImport.Item] = []
        var window: [(line: ResultLine, record: RecordID, row: ResultRow)] = []
        var taken: Set<RecordID> = []
        while window.count < Self.window, items.count < Self.window, let next = try? rows.next() {
            do {
                let row = try ResultRow(next.json.get(), hidden: hidden)
                let record = try await record(of: row.owner, &resolved)
                guard taken.insert(record).inserted else {
                    rows.giveBack(next)
                    break
                }
                window.append((next, record, row))
            } catch {
                items.append(Self.refusal(of: next, error))
            }
        }
        return await withTaskGroup(of: ResultImport.Item.self) { group in
            for (line, record, row) in window {
                group.addTask { await enter(row, line, into: record, under: entry) }
            }
            return await group.reduce(into: items) { $0.append($1) }
        }
    }

    private func enter(
        _ row: ResultRow, _ line: ResultLine, into record: RecordID, under entry: ImportEntry
    ) async -> ResultImport.Item {
        do {
            // No client's key has a space in it.
            let key = entry.key.map { IdempotencyKey(key: "import \(entry.id) \(line.number)", digest: $0.digest) }
            let outcome = try await records.edit(record, row.edit, by: context.job(named: key))
            return ResultImport.Item(
                row: line.number, outcome: .accepted(record: record, version: outcome.revision.version))
        } catch {
            return Self.refusal(of: line, error)
        }
    }

    static func refusal(of line: ResultLine, _ error: any Error) -> ResultImport.Item {
        guard let error = UseCaseError(error) else {
            return ResultImport.Item(
                row: line.number, content: line.shortContent, outcome: .refused([Fault("internal")], nil))
        }
        let faults = error.faults.isEmpty ? [Fault(error.code)] : error.faults
        return ResultImport.Item(
            row: line.number, content: line.shortContent, outcome: .refused(faults, error.catalog))
    }

    /// The record a row is about. One of another program answers as none.
    func record(of owner: ResultRow.Owner, _ resolved: inout Resolved) async throws -> RecordID {
        if let known = resolved.records[owner] { return known }
        let record: RecordID
        switch owner {
        case .record(let id):
            guard try await records.store.head(of: id)?.program == program.id else {
                throw FaultList([Fault("record_unknown", at: "/record")])
            }
            record = id
        case .student(let name):
            let account = try await accounts.administration.find(login: name)?.id ?? AccountID(name)
            let found = try await records.store.records(student: account, program: program.id, after: nil, limit: 2)
            guard let only = found.first, found.count == 1 else {
                throw FaultList([Fault(found.isEmpty ? "record_unknown" : "record_ambiguous", at: "/student")])
            }
            record = only.head.id
        }
        resolved.records[owner] = record
        return record
    }
}
