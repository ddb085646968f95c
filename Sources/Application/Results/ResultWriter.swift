public import Accounts
import Cryptography
import GradingKit
import Institutions
import Records
import Shared

/// Enters rows of results into the records of a program, each row by itself: accepted, or refused with its faults.
public struct ResultWriter: Sendable {
    /// Rows entered at once; those of one record follow each other.
    private static let window = 32

    /// Whose records were looked up so far.
    struct Resolved: Sendable {
        fileprivate var records: [ResultRow.Owner: Owned] = [:]
    }

    /// A record, and whose it is.
    struct Owned: Sendable {
        let record: RecordID
        let student: AccountID?
    }

    let records: RecordService
    let program: Program
    /// The request that orders it; its conditions do not apply to single rows.
    let context: AccountContext
    /// Whether rows that do not say so are hidden from the student.
    let hidden: Bool?
    private let accounts: AccountServices

    /// Enters rows into the records of a program that the caller may grade.
    ///
    /// - Parameter hidden: whether rows that do not say so are hidden from the student.
    public init(
        under permit: ProgramPermit<May.Grade>, of records: RecordService, accounts: AccountServices, hidden: Bool?,
        by context: AccountContext
    ) {
        self.records = records
        self.accounts = accounts
        program = permit.program
        self.context = context
        self.hidden = hidden
    }

    /// Enters the next rows of an import.
    ///
    /// Each row has a key of its own, so that an import that was cut off and goes on enters no row twice.
    ///
    /// - Throws: what says nothing about the rows: a store that takes no changes, a scheme that computes nothing, and
    ///   cancellation.
    func enter(
        _ rows: inout ResultReader, _ resolved: inout Resolved, under entry: ImportEntry
    ) async throws -> [ResultImport.Item] {
        var items: [ResultImport.Item] = []
        var window: [(line: ResultLine, owned: Owned, row: ResultRow)] = []
        var taken: Set<RecordID> = []
        while window.count < Self.window, items.count < Self.window, let next = try? rows.next() {
            do {
                let row = try ResultRow(next.json.get(), hidden: hidden)
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

    /// A body whose numbers are known as such: the fields that are numbers wherever the program's records have them.
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
            // No client's key has a space in it.
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

    /// Whether an error says nothing about a row: the import goes on when it has passed.
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

    /// Whom a row names that is refused before its record is found, as far as what is listed of it says so.
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
        return found
    }

    /// The record a row is about, and whose it is. One of another program answers as none.
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

/// The scheme computes nothing at present, which says nothing about a row.
private struct SchemeSilent: Error {}

/// Whom a row of results is about, as far as that is known.
struct ResultSubject: Sendable, Equatable {
    var record: RecordID?
    var student: AccountID?
}
