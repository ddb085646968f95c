import Accounts
import Cryptography
import GradingKit
import Institutions
import Records
import Shared

/// A writer of results into the records of a program. Each row is accepted or refused on its own.
public struct ResultWriter: Sendable {
    /// Number of rows entered concurrently; rows of the same record are entered one after another.
    private static let window = 32

    /// Records that were already looked up, by owner.
    struct Resolved: Sendable {
        fileprivate var records: [ResultRow.Owner: Owned] = [:]
    }

    /// A record with its student.
    struct Owned: Sendable {
        let record: RecordID
        let student: AccountID?
    }

    let records: RecordService
    let program: Program
    /// The request that ordered the import; its conditions do not apply to single rows.
    let context: AccountContext
    /// Whether rows are hidden from the student if they do not say so themselves.
    let hidden: Bool?
    private let accounts: AccountServices

    /// Creates a writer for the records of a program that the caller may grade.
    ///
    /// - Parameter hidden: whether rows are hidden from the student if they do not say so themselves.
    init(
        under permit: ProgramPermit<May.Grade>, of records: RecordService, accounts: AccountServices, hidden: Bool?,
        by context: AccountContext
    ) {
        self.records = records
        self.accounts = accounts
        program = permit.program
        self.context = context
        self.hidden = hidden
    }

    /// Enters the next rows of an import, but for those that contradict each other.
    ///
    /// Each row has its own key, so an import that was interrupted and resumes enters no row twice.
    ///
    /// - Throws: errors that are not about a row: a store that takes no writes, a scheme that computes nothing, and
    ///   cancellation.
    func enter(
        _ rows: inout ResultReader, but repeated: RepeatedRows, _ resolved: inout Resolved, under entry: ImportEntry
    ) async throws -> [ResultImport.Item] {
        var items: [ResultImport.Item] = []
        var window: [(line: ResultLine, owned: Owned, row: ResultRow)] = []
        var taken: Set<RecordID> = []
        while window.count < Self.window, items.count < Self.window, let next = try? rows.next() {
            do {
                let row = try ResultRow(next.json.get(), hidden: hidden)
                try repeated.check(next.number)
                let owned = try await owned(by: row.owner, &resolved)
                guard taken.insert(owned.record).inserted else {
                    rows.giveBack(next)
                    break
                }
                window.append((next, owned, row))
            } catch {
                if Self.isPassing(error) { throw error }
                items.append(Self.refusal(of: next, error, about: await subject(of: next)))
            }
        }
        return try await withThrowingTaskGroup(of: ResultImport.Item.self) { group in
            for (line, owned, row) in window {
                group.addTask { try await enter(row, line, into: owned, under: entry) }
            }
            return try await group.reduce(into: items) { $0.append($1) }
        }
    }

    /// Returns the body with its numeric columns named: those whose field is a number wherever it occurs in the
    /// program's records.
    func reading(_ body: ResultBody) async throws -> ResultBody {
        guard let newest = program.newest else { return body }
        let shape = try await records.rulesCache.rules(of: program, version: newest).rules.shape
        let fields = shape.kinds.flatMap(\.fields)
        let others = Set(fields.filter { $0.content != .number && $0.content != .integer }.map(\.name))
        return body.naming(numbers: Set(fields.map(\.name)).subtracting(others))
    }

    private func enter(
        _ row: ResultRow, _ line: ResultLine, into owned: Owned, under entry: ImportEntry
    ) async throws -> ResultImport.Item {
        let subject = ResultSubject(record: owned.record, student: owned.student)
        do {
            // The space keeps the key distinct from clients' keys, which contain none.
            let digest = entry.key?.digest ?? SHA256.hash(Array(entry.id.utf8))
            let key = IdempotencyKey(key: "import \(entry.id) \(line.number)", digest: digest)
            let outcome = try await records.edit(owned.record, row.edit, by: context.job(named: key))
            return ResultImport.Item(
                row: line.number, subject: subject,
                outcome: .accepted(record: owned.record, version: outcome.revision.version))
        } catch {
            if Self.isPassing(error) { throw error }
            if UseCaseError(error)?.code == .notComputable, try await !records.isComputing(program) {
                throw SchemeSilent()
            }
            return Self.refusal(of: line, error, about: subject)
        }
    }

    /// Returns whether an error is temporary and not about a row, so that the import can resume later.
    static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case StoreError.full, StoreError.unavailable, is CancellationError, is SchemeSilent: true
        default: false
        }
    }

    static func refusal(
        of line: ResultLine, _ error: any Error, about subject: ResultSubject = ResultSubject()
    ) -> ResultImport.Item {
        guard let error = UseCaseError(error) else {
            return ResultImport.Item(
                row: line.number, subject: subject, content: line.shortContent,
                outcome: .refused([Fault("internal")], nil))
        }
        let faults = error.faults.isEmpty ? [Fault(error.code)] : error.faults
        return ResultImport.Item(
            row: line.number, subject: subject, content: line.shortContent, outcome: .refused(faults, error.catalog))
    }

    /// Returns the record or student that a row names, for a row refused before its record was found.
    private func subject(of line: ResultLine) async -> ResultSubject {
        let content = try? line.json.get()
        if let id = content?["record"]?.string, let head = try? await records.store.head(of: RecordID(id)) {
            return ResultSubject(record: head.id, student: head.student)
        }
        let kinds: [ResultRow.NameKind?] = [nil, .studentNumber, .login, .account]
        for kind in kinds {
            guard let name = content?[kind?.rawValue ?? "student"]?.string else { continue }
            guard let students = try? await students(named: name, kind), students.count == 1 else { break }
            return ResultSubject(student: students.first)
        }
        return ResultSubject()
    }

    /// The accounts that a name of a kind means; of no kind, all that it means as a student number of the program's
    /// institution, as a login or as an identifier. People choose their logins, and might choose another's number: a name
    /// that means two people means neither.
    private func students(named name: String, _ kind: ResultRow.NameKind?) async throws -> Set<AccountID> {
        var found: Set<AccountID> = []
        if kind == nil || kind == .studentNumber {
            found.formUnion(
                try await records.institutions.members.accounts(numbered: name, in: program.institution))
        }
        if kind == nil || kind == .login, let account = try await accounts.administration.find(login: name) {
            found.insert(account.id)
        }
        if kind == nil || kind == .account, let account = try await accounts.profiles.account(AccountID(name)) {
            found.insert(account.id)
        }
        guard kind == nil, found.count > 1 else { return found }
        // Anyone may take a login that is a student's number. Without a record in the program it stops no row of the student.
        let numbered = try await records.institutions.members.accounts(numbered: name, in: program.institution)
        guard !numbered.isEmpty else { return found }
        for other in found.subtracting(numbered) {
            let records = try await records.store.records(student: other, program: program.id, after: nil, limit: 1)
            if records.isEmpty { found.remove(other) }
        }
        return found
    }

    /// Returns the record that a row names, with its student. A record of another program counts as unknown.
    func owned(by owner: ResultRow.Owner, _ resolved: inout Resolved) async throws -> Owned {
        if let known = resolved.records[owner] { return known }
        let owned: Owned
        switch owner {
        case .record(let id):
            guard let head = try await records.store.head(of: id), head.program == program.id else {
                throw FaultList([Fault("record_unknown", at: "/record")])
            }
            owned = Owned(record: id, student: head.student)
        case .student(let name, let kind):
            let students = try await students(named: name, kind)
            guard students.count <= 1 else { throw FaultList([Fault("record_ambiguous", at: owner.pointer)]) }
            guard let student = students.first else { throw FaultList([Fault("record_unknown", at: owner.pointer)]) }
            let found = try await records.store.records(
                student: student, program: program.id, after: nil, limit: 2)
            guard let only = found.first, found.count == 1 else {
                throw FaultList([Fault(found.isEmpty ? "record_unknown" : "record_ambiguous", at: owner.pointer)])
            }
            owned = Owned(record: only.head.id, student: only.head.student)
        }
        resolved.records[owner] = owned
        return owned
    }
}

/// The scheme currently computes nothing, which is no fault of the row.
private struct SchemeSilent: Error {}

/// The record and student that a row concerns, as far as they are known.
struct ResultSubject: Sendable, Equatable {
    var record: RecordID?
    var student: AccountID?
}
