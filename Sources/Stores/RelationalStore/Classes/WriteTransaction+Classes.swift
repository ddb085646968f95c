import Classes
import Database
import Gradebook
import GradingKit
import Institutions
import Records
import Shared
import TimeZones

extension WriteTransaction {
    /// Stores a new class; see ``GradebookStore``.
    func found(
        _ head: ClassHead, _ structure: ClassStructure, staff: [ClassStaff], by context: ActContext
    ) throws -> ClassSnapshot {
        try check(context, for: head)
        let isUsed = try connection.first("SELECT 1 FROM classes WHERE id = ?", .text(head.id.text)) { $0.boolean(0) }
        if isUsed == true { throw StoreError.taken(field: "id") }
        let number = try connection.insert(
            """
            INSERT INTO classes (id, institution, program, title, state, created_at, version, structure, lines, last_change,
            chain, by_hand, term) VALUES (?, ?, ?, ?, ?, ?, 1, ?, 0, 0, ?, ?, ?)
            """,
            numbering: "number",
            .text(head.id.text), .text(head.institution.text), .text(head.program.text), .text(head.title),
            .text(head.state.rawValue), .integer(head.createdAt.microseconds), .integer(structure.number),
            .blob(AuditChain.origin), .boolean(head.isPostedByHand), .text(head.term?.text))
        try put(structure, of: number)
        try put(staff, of: number)
        var end = LedgerEnd()
        let line = ActPlan.Line.founding(structure.number)
        _ = try append([line], "create", nil, of: head.id, number, version: 1, by: context, after: &end, rows: [:])
        try finish(number, head, version: 1, structure: structure.number, end)
        try connection.run(
            "UPDATE classes SET next_due = ? WHERE number = ?",
            .integer(structure.firstDue(from: try today(in: head.institution, context))?.days), .integer(number))
        try connection.index(.taughtClass(head.id))
        let members = staff.sorted { $0.account < $1.account }
        guard let made = try connection.taughtClass(head.id)?.snapshot else { throw StoreError.notFound }
        return ClassSnapshot(
            head: head, version: 1, structure: structure, staff: members, calendar: made.calendar)
    }

    /// Carries out an act; see ``GradebookStore``.
    ///
    /// - Parameter decision: what was decided from the ground; `nil` to decide it now.
    func act<Value: Sendable>(
        on ground: ActGround, by context: ActContext, _ decision: ActDecision<Value>?,
        keeping keep: (ActOutcome<Value>) -> KeptAnswer?, again: (ActGround) throws -> ActDecision<Value>
    ) throws -> ActOutcome<Value> {
        let before = ground.snapshot
        try hold(.taughtClass(before.head.id))
        guard let found = try connection.classHead(before.head.id) else { throw StoreError.notFound }
        try check(context, for: found.head)
        guard found.head == before.head, found.structure == before.structure.number, found.staff == before.staff,
            found.groups == before.groups, found.calendar == before.calendar
        else {
            throw StoreError.moved
        }
        let (plan, value) = try repaired(ground, found).map { try again($0) } ?? decision ?? again(ground)
        // Of all who look for due days, one deals with each.
        if let day = plan.dueDay, found.nextDue != day { throw StoreError.moved }
        if !plan.isEmpty { try apply(plan, to: found, by: context) }
        let outcome = ActOutcome(
            version: plan.isEmpty ? found.version : found.version + 1,
            structure: plan.structure?.number ?? found.structure, value: value, isNew: !plan.isEmpty)
        try self.keep(keep(outcome))
        return outcome
    }

    /// Writes what an act does, and tells those who follow the class after the commit.
    func apply(_ plan: ActPlan, to found: StoredClassHead, by context: ActContext) throws {
        if !plan.isWithinClass { try holdEverything() }
        let number = found.number
        let version = found.version + 1
        for new in plan.newRecords {
            var access = context.writing.access
            access.student = try new.head.student.map { try accessVersion(of: .account($0)) } ?? 0
            _ = try create(new.head, as: new.amendment, by: context.writing(under: access))
        }
        let places = plan.linesOfRecords()
        for (record, amendment) in plan.amendments {
            let act = ClassAct(found.head.id, line: places[record].map { found.end.lines + 1 + $0 })
            _ = try amend(record, by: context.writing) { _ in amendment.noting(act) }
        }
        if let structure = plan.structure { try put(structure, of: number) }
        if let staff = plan.staff {
            try connection.run("DELETE FROM class_staff WHERE class = ?", .integer(number))
            try put(staff, of: number)
            // What rests on a role ends with it: permits, and what is followed live.
            let kept = Set(staff.map(\.account)).intersection(found.staff.filter { staff.contains($0) }.map(\.account))
            for account in Set((staff + found.staff).map(\.account)).subtracting(kept).sorted() {
                try raiseAccess(of: .account(account))
            }
        }
        if let groups = plan.groups { try put(groups, of: number) }
        if let correction = plan.correction { try put(correction, of: number) }
        if let sealed = plan.sealed { try put(sealed, of: number) }
        if let comment = plan.comment { try put(comment, of: plan.rows.first, in: found, by: context) }
        if found.head.state == .closed, plan.head?.state == .open { try tellOfReopening(of: found, by: context) }
        var end = found.end
        let stored = try plan.rows.map { row in (row, try put(row.enrolment, of: number)) }
        let last = try append(
            plan.lines, plan.operation, plan.reason, of: found.head.id, number, version: version, by: context,
            after: &end,
            rows: Dictionary(stored.map { ($0.0.enrolment.id, $0.1.change) }, uniquingKeysWith: { first, _ in first }))
        for (row, place) in stored {
            try put(row.row, of: number, place.number, version: version, last[row.enrolment.id] ?? place.change)
        }
        try finish(
            number, plan.head ?? found.head, version: version,
            structure: plan.structure?.number ?? found.structure, end)
        if plan.mayMoveDueDay { try moveDueDay(plan, found, context) }
        // Cells, which change most, are not found by words.
        if plan.head != nil || plan.staff != nil { try connection.index(.taughtClass(found.head.id)) }
        try announce(plan, in: found)
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
        if structure.lines.contains(where: { $0.marking == .anonymous }) { try makeSecret(of: number) }
        try connection.run(
            "INSERT INTO class_structures (class, structure, document) VALUES (?, ?, ?)", .integer(number),
            .integer(structure.number), .utf8(structure.text))
    }

    private func put(_ staff: [ClassStaff], of number: Int) throws {
        for member in staff {
            try connection.run(
                "INSERT INTO class_staff (class, account, role, lines, for_groups) VALUES (?, ?, ?, ?, ?)",
                .integer(number),
                .text(member.account.text), .text(member.role.rawValue),
                .utf8(member.lines.map { JSON.array($0.map { .string($0.text) }).bytes }),
                .utf8(member.groups.map { JSON.array($0.map { .string($0.text) }).bytes }))
        }
    }

    private func put(_ groups: [ClassGroup], of number: Int) throws {
        try connection.run("DELETE FROM class_groups WHERE class = ?", .integer(number))
        for group in groups {
            try connection.run(
                "INSERT INTO class_groups (class, id, in_set, title) VALUES (?, ?, ?, ?)", .integer(number),
                .text(group.id.text), .text(group.set), .text(group.title))
        }
    }

    /// Stores an enrolment that is new or changed: its number, and the place of its row's last line in the ledger.
    private func put(_ enrolment: Enrolment, of number: Int) throws -> (number: Int, change: Int) {
        let sql = """
            SELECT e.number, r.last_change, e.withdrawn, e.record, e.section, e.in_groups, e.left_as FROM enrolments AS e
            JOIN class_rows AS r ON r.class = e.class AND r.enrolment = e.number WHERE e.id = ?
            """
        let known = try connection.first(sql, .text(enrolment.id.text)) { row in
            (
                number: row.integer(0), change: row.integer(1), isWithdrawn: row.boolean(2),
                record: RecordID(row.text(3)), section: row.optionalText(4).map { SectionID($0) },
                groups: row.optionalText(5), leftAs: row.optionalText(6)
            )
        }
        let groups = enrolment.groups.json?.text
        if let known {
            if known.isWithdrawn != enrolment.isWithdrawn || known.record != enrolment.record
                || known.section != enrolment.section || known.groups != groups
                || known.leftAs != enrolment.leftAs?.rawValue
            {
                try connection.run(
                    """
                    UPDATE enrolments SET withdrawn = ?, record = ?, section = ?, in_groups = ?, left_as = ? WHERE number = ?
                    """,
                    .boolean(enrolment.isWithdrawn), .text(enrolment.record.text), .text(enrolment.section?.text),
                    .text(groups), .text(enrolment.leftAs?.rawValue), .integer(known.number))
            }
            return (known.number, known.change)
        }
        let number = try connection.insert(
            """
            INSERT INTO enrolments (id, class, student, record, entry, since, withdrawn, section, in_groups)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            numbering: "number",
            .text(enrolment.id.text), .integer(number), .text(enrolment.student?.text), .text(enrolment.record.text),
            .text(enrolment.entry.text), .integer(enrolment.since.days), .boolean(enrolment.isWithdrawn),
            .text(enrolment.section?.text), .text(groups))
        return (number, 0)
    }

    func put(_ row: ClassRow, of number: Int, _ enrolment: Int, version: Version, _ change: Int) throws {
        try connection.run(
            """
            INSERT INTO class_rows (class, enrolment, version, last_change, cells) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (class, enrolment) DO UPDATE SET version = ?3, last_change = ?4, cells = ?5
            """,
            .integer(number), .integer(enrolment), .integer(version), .integer(change), .utf8(row.json.bytes))
    }

    /// Appends lines to a class's ledger: by enrolment, the place of its last one.
    func append(
        _ lines: [ActPlan.Line], _ operation: String, _ reason: String?, of id: ClassID, _ number: Int,
        version: Version, by context: ActContext, after end: inout LedgerEnd, rows: [EnrolmentID: Int]
    ) throws -> [EnrolmentID: Int] {
        var last: [EnrolmentID: Int] = [:]
        for line in lines {
            let whole = LedgerLine(
                classID: id, number: end.lines + 1, enrolment: line.enrolment, version: version, at: context.at,
                account: context.account, source: context.source, operation: operation, reason: reason,
                before: line.before, after: line.after, seen: line.seen)
            let seal = whole.seal(after: end.lines > 0 ? end.link : nil)
            let previous = line.enrolment.flatMap { rows[$0] }
            let change = try connection.insert(
                """
                INSERT INTO class_changes (class, number, previous, row_previous, enrolment, version, at, account,
                source, operation, reason, before, after, digest, chain, seen)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                numbering: "seq",
                .integer(number), .integer(end.lines + 1), .integer(end.change > 0 ? end.change : nil),
                .integer(previous.flatMap { $0 > 0 ? $0 : nil }), .text(line.enrolment?.text), .integer(version),
                .integer(context.at.microseconds), .text(context.account.text), .text(context.source),
                .text(operation), .text(reason), .utf8(line.before), .utf8(line.after), .blob(seal.digest),
                .blob(seal.link), .utf8(whole.seen.text))
            end = LedgerEnd(lines: end.lines + 1, change: change, link: seal.link)
            if let enrolment = line.enrolment { last[enrolment] = end.change }
        }
        return last
    }

    private func moveDueDay(_ plan: ActPlan, _ found: StoredClassHead, _ context: ActContext) throws {
        guard let structure = try plan.structure ?? connection.structure(found.structure, of: found.number) else {
            return
        }
        let done = plan.dueDay ?? found.doneDue
        let next = plan.nextDue(
            plan.head ?? found.head, structure, before: found.nextDue, done: done,
            on: try today(in: found.head.institution, context))
        guard next != found.nextDue || done != found.doneDue else { return }
        try connection.run(
            "UPDATE classes SET next_due = ?, done_due = ? WHERE number = ?", .integer(next?.days),
            .integer(done?.days), .integer(found.number))
    }

    private func today(in institution: InstitutionID, _ context: ActContext) throws -> CalendarDay {
        let name = try connection.first(
            "SELECT time_zone FROM institutions WHERE id = ?", .text(institution.text)
        ) { $0.text(0) }
        return context.at.day(in: name.flatMap { TimeZone($0) } ?? .utc)
    }

    func finish(
        _ number: Int, _ head: ClassHead, version: Version, structure: Int, _ end: LedgerEnd
    ) throws {
        try connection.run(
            """
            UPDATE classes SET title = ?, state = ?, by_hand = ?, term = ?, version = ?, structure = ?, lines = ?, last_change = ?,
            chain = ? WHERE number = ?
            """,
            .text(head.title), .text(head.state.rawValue), .boolean(head.isPostedByHand),
            .text(head.term?.text), .integer(version), .integer(structure),
            .integer(end.lines), .integer(end.change), .blob(end.link), .integer(number))
    }
}
