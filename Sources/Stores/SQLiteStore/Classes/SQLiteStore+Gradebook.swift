public import Classes
public import Gradebook
import GradingKit
import Records
import SQLite
public import Shared

extension SQLiteStore: GradebookStore {
    /// Stores a new class as version 1.
    public func found(
        _ head: ClassHead, _ structure: ClassStructure, staff: [ClassStaff], by context: ActContext
    ) async throws -> ClassSnapshot {
        try await write { try $0.found(head, structure, staff: staff, by: context) }
    }

    /// A class as it stands; `nil` when there is none.
    public func taughtClass(_ id: ClassID) async throws -> ClassSnapshot? {
        try await read { try $0.taughtClass(id)?.snapshot }
    }

    /// The classes in which an account teaches, in the order of their identifiers.
    public func classes(
        taughtBy account: AccountID, after cursor: ClassID?, limit: Int
    ) async throws -> [ClassSnapshot] {
        try await read { connection in
            try connection.taughtClasses(
                """
                WHERE c.number IN (SELECT class FROM class_staff WHERE account = ?) AND c.id > ?
                ORDER BY c.id LIMIT ?
                """,
                [.text(account.text), .text(cursor?.text ?? ""), .integer(max(0, limit))]
            ).map(\.snapshot)
        }
    }

    /// A student's enrolments, in the order of their identifiers.
    public func enrolments(of student: AccountID) async throws -> [Enrolment] {
        try await read { try $0.enrolments(of: student) }
    }

    /// The rows that changed after a version, with the class's version before they were read.
    public func rows(of id: ClassID, since version: Version) async throws -> (version: Version, rows: [EnrolledRow])? {
        try await read { connection -> (version: Version, rows: [EnrolledRow])? in
            guard let found = try connection.taughtClass(id) else { return nil }
            let rows = try connection.enrolledRows(of: found.number, where: "AND r.version > ?", [.integer(version)])
            return (found.snapshot.version, rows.map(\.row))
        }
    }

    /// One row; `nil` when the class has no such enrolment.
    public func row(_ enrolment: EnrolmentID, of id: ClassID) async throws -> EnrolledRow? {
        try await read { connection -> EnrolledRow? in
            guard let found = try connection.taughtClass(id) else { return nil }
            return try connection.enrolledRows(of: found.number, where: "AND e.id = ?", [.text(enrolment.text)]).first?
                .row
        }
    }

    /// The ledger below a version, newest first: of one student's row, or of the class.
    public func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before version: Version?, limit: Int
    ) async throws -> [LedgerLine] {
        try await read { connection -> [LedgerLine] in
            guard let found = try connection.taughtClass(id), limit > 0 else { return [] }
            var last = found.end.change
            if let enrolment {
                let rows = try connection.enrolledRows(
                    of: found.number, where: "AND e.id = ?", [.text(enrolment.text)])
                last = rows.first?.change ?? 0
            }
            var lines: [LedgerLine] = []
            try connection.walkLedger(from: last, ofRow: enrolment != nil) { line in
                if line.version < version ?? .max { lines.append(line) }
                return lines.count < limit
            }
            return lines
        }
    }

    /// Lets `change` decide an act from the truth, on the writer's thread.
    public func act<Value: Sendable>(
        in id: ClassID, by context: ActContext,
        _ change: @escaping @Sendable (any ClassTruth) throws -> (plan: ActPlan, value: Value)
    ) async throws -> ActOutcome<Value> {
        try await write { try $0.act(in: id, by: context, change) }
    }
}
