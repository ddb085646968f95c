import Classes
import Gradebook
import GradingKit
import Records
import SQLite
import Shared

/// What an act finds, within its transaction.
private struct StoredTruth: ClassTruth {
    let transaction: WriteTransaction
    let found: StoredClass

    var snapshot: ClassSnapshot { found.snapshot }

    func rows(_ enrolments: [EnrolmentID]?) throws -> [EnrolledRow] {
        guard let enrolments else { return try transaction.connection.enrolledRows(of: found.number).map(\.row) }
        // Many are found in one walk through the class.
        guard enrolments.count < 8 else {
            let wanted = Set(enrolments)
            return try rows(nil).filter { wanted.contains($0.enrolment.id) }
        }
        return try enrolments.sorted().flatMap { id in
            try transaction.connection.enrolledRows(of: found.number, where: "AND e.id = ?", [.text(id.text)]).map(
                \.row)
        }
    }

    func record(_ id: RecordID) throws -> RecordSnapshot? { try transaction.record(id)?.snapshot }

    func records(of student: AccountID) throws -> [RecordSnapshot] {
        let sql = "SELECT id FROM records WHERE student = ? AND program = ? ORDER BY id LIMIT 20"
        let program = snapshot.head.program
        let ids = try transaction.connection.all(sql, .text(student.text), .text(program.text)) { RecordID($0.text(0)) }
        return try ids.compactMap { try record($0) }
    }

    func author(of enrolment: EnrolmentID, _ number: Int) throws -> CellAuthor? {
        let rows = try transaction.connection.enrolledRows(
            of: found.number, where: "AND e.id = ?", [.text(enrolment.text)])
        guard let last = rows.first?.change else { return nil }
        var author: CellAuthor?
        try transaction.connection.walkLedger(from: last, ofRow: true) { line in
            let cells = line.after.flatMap { try? JSON.parse($0) }
            guard cells?[String(number)] != nil else { return true }
            author = CellAuthor(account: line.account, at: line.at)
            return false
        }
        return author
    }

    func ledger(of version: Version) throws -> [LedgerLine] {
        var lines: [LedgerLine] = []
        try transaction.connection.walkLedger(from: found.end.change, ofRow: false) { line in
            if line.version == version { lines.append(line) }
            return line.version >= version
        }
        return lines.reversed()
    }

    func structure(numbered number: Int) throws -> ClassStructure? {
        try transaction.connection.structure(number, of: found.number)
    }
}

extension WriteTransaction {
    /// Stores a new class; see ``GradebookStore``.
    func found(
        _ head: ClassHead, _ structure: ClassStructure, staff: [ClassStaff], by context: ActContext
    ) throws -> ClassSnapshot {
        try check(context, for: head)
        let isUsed = try connection.first("SELECT 1 FROM classes WHERE id = ?", .text(head.id.text)) { $0.boolean(0) }
        if isUsed == true { throw StoreError.taken(field: "id") }
        try connection.run(
            """
            INSERT INTO classes (id, institution, program, title, state, created_at, version, structure, lines, last_change,
            chain) VALUES (?, ?, ?, ?, ?, ?, 1, ?, 0, 0, ?)
            """,
            .text(head.id.text), .text(head.institution.text), .text(head.program.text), .text(head.title),
            .text(head.state.rawValue), .integer(head.createdAt.microseconds), .integer(structure.number),
            .blob(AuditChain.origin))
        let number = connection.lastInsertedRow
        try put(structure, of: number)
        try put(staff, of: number)
        var end = LedgerEnd()
        let line = ActPlan.Line.founding(structure.number)
        _ = try append([line], "create", nil, of: head.id, number, version: 1, by: context, after: &end, rows: [:])
        try finish(number, head, version: 1, structure: structure.number, end)
        let members = staff.sorted { $0.account < $1.account }
        return ClassSnapshot(head: head, version: 1, structure: structure, staff: members)
    }

    /// Carries out an act; see ``GradebookStore``.
    func act<Value: Sendable>(
        in id: ClassID, by context: ActContext,
        _ change: (any ClassTruth) throws -> (plan: ActPlan, value: Value)
    ) throws -> ActOutcome<Value> {
        guard let found = try connection.taughtClass(id) else { throw StoreError.notFound }
        try check(context, for: found.snapshot.head)
        let (plan, value) = try change(StoredTruth(transaction: self, found: found))
        let before = found.snapshot
        guard !plan.isEmpty else {
            return ActOutcome(version: before.version, structure: before.structure.number, value: value)
        }
        try apply(plan, to: found, by: context)
        return ActOutcome(
            version: before.version + 1, structure: plan.structure?.number ?? before.structure.number, value: value)
    }

    private func apply(_ plan: ActPlan, to found: StoredClass, by context: ActContext) throws {
        let (before, number) = (found.snapshot, found.number)
        let version = before.version + 1
        for new in plan.newRecords {
            var access = context.writing.access
            access.student = try new.head.student.map { try accessVersion(of: .account($0)) } ?? 0
            _ = try create(new.head, as: new.amendment, by: context.writing(under: access))
        }
        for (record, amendment) in plan.amendments { _ = try amend(record, by: context.writing) { _ in amendment } }
        if let structure = plan.structure { try put(structure, of: number) }
        if let staff = plan.staff {
            try connection.run("DELETE FROM class_staff WHERE class = ?", .integer(number))
            try put(staff, of: number)
        }
        var end = found.end
        let stored = try plan.rows.map { row in (row, try put(row.enrolment, of: number)) }
        let last = try append(
            plan.lines, plan.operation, plan.reason, of: before.head.id, number, version: version, by: context,
            after: &end,
            rows: Dictionary(stored.map { ($0.0.enrolment.id, $0.1.change) }, uniquingKeysWith: { first, _ in first }))
        for (row, place) in stored {
            try put(row.row, of: number, place.number, version: version, last[row.enrolment.id] ?? place.change)
        }
        try finish(
            number, plan.head ?? before.head, version: version,
            structure: plan.structure?.number ?? before.structure.number, end)
    }

    /// Throws ``StoreError/moved`` unless the stored access versions are those under which the permission was given.
    private func check(_ context: ActContext, for head: ClassHead) throws {
        let stored = AccessVersions(
            account: try accessVersion(of: .account(context.account)),
            institution: try accessVersion(of: .institution(head.institution)),
            program: try accessVersion(of: .program(head.program)))
        guard context.access == stored else { throw StoreError.moved }
    }
}

// MARK: - Rows

extension WriteTransaction {
    private func put(_ structure: ClassStructure, of number: Int) throws {
        try connection.run(
            "INSERT INTO class_structures (class, structure, document) VALUES (?, ?, ?)", .integer(number),
            .integer(structure.number), .utf8(structure.text))
    }

    private func put(_ staff: [ClassStaff], of number: Int) throws {
        for member in staff {
            try connection.run(
                "INSERT INTO class_staff (class, account, role) VALUES (?, ?, ?)", .integer(number),
                .text(member.account.text), .text(member.role.rawValue))
        }
    }

    /// Stores an enrolment that is new or changed: its number, and the place of its row's last line in the ledger.
    private func put(_ enrolment: Enrolment, of number: Int) throws -> (number: Int, change: Int) {
        let sql = """
            SELECT e.number, r.last_change, e.withdrawn FROM enrolments AS e
            JOIN class_rows AS r ON r.class = e.class AND r.enrolment = e.number WHERE e.id = ?
            """
        let known = try connection.first(sql, .text(enrolment.id.text)) { row in
            (number: row.integer(0), change: row.integer(1), isWithdrawn: row.boolean(2))
        }
        if let known {
            if known.isWithdrawn != enrolment.isWithdrawn {
                try connection.run(
                    "UPDATE enrolments SET withdrawn = ? WHERE number = ?", .boolean(enrolment.isWithdrawn),
                    .integer(known.number))
            }
            return (known.number, known.change)
        }
        try connection.run(
            """
            INSERT INTO enrolments (id, class, student, record, entry, since, withdrawn) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .text(enrolment.id.text), .integer(number), .text(enrolment.student?.text), .text(enrolment.record.text),
            .text(enrolment.entry.text), .integer(enrolment.since.days), .boolean(enrolment.isWithdrawn))
        return (connection.lastInsertedRow, 0)
    }

    private func put(_ row: ClassRow, of number: Int, _ enrolment: Int, version: Version, _ change: Int) throws {
        try connection.run(
            """
            INSERT INTO class_rows (class, enrolment, version, last_change, cells) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (class, enrolment) DO UPDATE SET version = ?3, last_change = ?4, cells = ?5
            """,
            .integer(number), .integer(enrolment), .integer(version), .integer(change), .utf8(row.json.bytes))
    }

    /// Appends lines to a class's ledger: by enrolment, the place of its last one.
    private func append(
        _ lines: [ActPlan.Line], _ operation: String, _ reason: String?, of id: ClassID, _ number: Int,
        version: Version, by context: ActContext, after end: inout LedgerEnd, rows: [EnrolmentID: Int]
    ) throws -> [EnrolmentID: Int] {
        var last: [EnrolmentID: Int] = [:]
        for line in lines {
            let whole = LedgerLine(
                classID: id, enrolment: line.enrolment, version: version, at: context.at, account: context.account,
                source: context.source, operation: operation, reason: reason, before: line.before, after: line.after)
            let seal = whole.seal(after: end.lines > 0 ? end.link : nil)
            let previous = line.enrolment.flatMap { rows[$0] }
            try connection.run(
                """
                INSERT INTO class_changes (class, number, previous, row_previous, enrolment, version, at, account, source,
                operation, reason, before, after, digest, chain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .integer(number), .integer(end.lines + 1), .integer(end.change > 0 ? end.change : nil),
                .integer(previous.flatMap { $0 > 0 ? $0 : nil }), .text(line.enrolment?.text), .integer(version),
                .integer(context.at.microseconds), .text(context.account.text), .text(context.source),
                .text(operation), .text(reason), .utf8(line.before), .utf8(line.after), .blob(seal.digest),
                .blob(seal.link))
            end = LedgerEnd(lines: end.lines + 1, change: connection.lastInsertedRow, link: seal.link)
            if let enrolment = line.enrolment { last[enrolment] = end.change }
        }
        return last
    }

    private func finish(
        _ number: Int, _ head: ClassHead, version: Version, structure: Int, _ end: LedgerEnd
    ) throws {
        try connection.run(
            """
            UPDATE classes SET title = ?, state = ?, version = ?, structure = ?, lines = ?, last_change = ?, chain = ?
            WHERE number = ?
            """,
            .text(head.title), .text(head.state.rawValue), .integer(version), .integer(structure),
            .integer(end.lines), .integer(end.change), .blob(end.link), .integer(number))
    }
}
