import Classes
import Database
import Gradebook
import GradingKit
import Shared

/// A class with the numbers by which its tables know it.
struct StoredClass {
    let number: Int
    let snapshot: ClassSnapshot
    let end: LedgerEnd
}

/// A class with the numbers by which its tables know it, without reading its structure.
struct StoredClassHead {
    let number: Int
    let head: ClassHead
    let version: Version
    /// The number of its structure.
    let structure: Int
    /// The due day that comes next; `nil` for none.
    let nextDue: CalendarDay?
    /// The last due day that was dealt with; `nil` for none.
    let doneDue: CalendarDay?
    let staff: [ClassStaff]
    let groups: [ClassGroup]
    /// Its term with the periods in it; `nil` for none.
    let calendar: ClassCalendar?
    let end: LedgerEnd
}

/// Where a class's ledger ends.
struct LedgerEnd {
    /// How many lines there are.
    var lines = 0
    /// The place of the last one; 0 for none.
    var change = 0
    var link = AuditChain.origin
}

/// A row with the numbers by which its tables know it.
struct StoredEnrolment {
    let number: Int
    let row: EnrolledRow
    /// The place of the row's last line in the ledger; 0 for none.
    let change: Int
}

extension Connection {
    func taughtClass(_ id: ClassID) throws -> StoredClass? {
        try taughtClasses("WHERE c.id = ?", [.text(id.text)]).first
    }

    /// Returns the classes that meet an SQL condition, with their structures and staff.
    func taughtClasses(_ condition: String, _ values: [SQLValue]) throws -> [StoredClass] {
        let sql = """
            SELECT c.number, c.id, c.institution, c.program, c.title, c.state, c.created_at, c.version, c.lines,
            c.last_change, c.chain, s.document, c.by_hand, c.term FROM classes AS c
            JOIN class_structures AS s ON s.class = c.number AND s.structure = c.structure \(condition)
            """
        let found = try all(sql, values) { row in
            (
                number: row.integer(0), version: row.integer(7),
                head: ClassHead(row, firstColumn: 1, isPostedByHand: row.boolean(12), term: row.optionalText(13)),
                end: LedgerEnd(lines: row.integer(8), change: row.integer(9), link: row.bytes(10)),
                document: row.bytes(11)
            )
        }
        return try found.map { found in
            guard let structure = StructureMemory.structure(found.document, of: found.head.id) else {
                throw StoreError.unavailable("the structure of class \(found.head.id) cannot be read")
            }
            return StoredClass(
                number: found.number,
                snapshot: ClassSnapshot(
                    head: found.head, version: found.version, structure: structure, staff: try staff(of: found.number),
                    groups: try groups(of: found.number), calendar: try calendar(of: found.head)),
                end: found.end)
        }
    }

    /// The number by which the tables know a class; `nil` when there is no such class.
    func classNumber(_ id: ClassID) throws -> Int? {
        try first("SELECT number FROM classes WHERE id = ?", .text(id.text)) { $0.integer(0) }
    }

    func classHead(_ id: ClassID) throws -> StoredClassHead? {
        let sql = """
            SELECT number, id, institution, program, title, state, created_at, version, lines, last_change, chain,
            structure, by_hand, next_due, done_due, term FROM classes WHERE id = ?
            """
        let found = try first(sql, .text(id.text)) { row in
            (
                number: row.integer(0),
                head: ClassHead(row, firstColumn: 1, isPostedByHand: row.boolean(12), term: row.optionalText(15)),
                version: row.integer(7),
                end: LedgerEnd(lines: row.integer(8), change: row.integer(9), link: row.bytes(10)),
                structure: row.integer(11), nextDue: row.optionalInteger(13).map { CalendarDay(days: $0) },
                doneDue: row.optionalInteger(14).map { CalendarDay(days: $0) }
            )
        }
        return try found.map { found in
            StoredClassHead(
                number: found.number, head: found.head, version: found.version, structure: found.structure,
                nextDue: found.nextDue, doneDue: found.doneDue, staff: try staff(of: found.number),
                groups: try groups(of: found.number), calendar: try calendar(of: found.head), end: found.end)
        }
    }

    /// The term of a class with all in it and the year in which it stands.
    private func calendar(of head: ClassHead) throws -> ClassCalendar? {
        guard let term = head.term else { return nil }
        let sql = """
            SELECT \(TermRow.columns) FROM terms WHERE institution = ?1 AND (id = ?2 OR parent = ?2
            OR parent IN (SELECT id FROM terms WHERE institution = ?1 AND parent = ?2)
            OR id IN (SELECT parent FROM terms WHERE institution = ?1 AND id = ?2)) ORDER BY id
            """
        let terms = try all(sql, .text(head.institution.text), .text(term.text)) { TermRow.term($0) }
        return ClassCalendar(of: term, among: terms)
    }

    private func staff(of number: Int) throws -> [ClassStaff] {
        let sql = "SELECT account, role, lines, for_groups FROM class_staff WHERE class = ? ORDER BY account"
        // What cannot be read is none, rather than all.
        func list(_ text: String?) -> [String]? {
            text.map { text in ((try? JSON.parse(Array(text.utf8)))?.array ?? []).compactMap(\.string) }
        }
        return try all(sql, .integer(number)) { row in
            ClassStaff(
                AccountID(row.text(0)), as: ClassRole(rawValue: row.text(1)) ?? .observer,
                in: list(row.optionalText(2))?.map { LineID($0) },
                groups: list(row.optionalText(3))?.map { GroupID($0) })
        }
    }

    private func groups(of number: Int) throws -> [ClassGroup] {
        let sql = "SELECT id, in_set, title FROM class_groups WHERE class = ? ORDER BY in_set, title, id"
        return try all(sql, .integer(number)) {
            ClassGroup(GroupID($0.text(0)), in: $0.text(1), title: $0.text(2))
        }
    }

    func structure(_ structure: Int, of number: Int) throws -> ClassStructure? {
        let sql = "SELECT document FROM class_structures WHERE class = ? AND structure = ?"
        let text = try first(sql, .integer(number), .integer(structure)) { $0.bytes(0) }
        return text.flatMap { ClassStructure(text: $0) }
    }

    /// Rows of a class in the order of enrolment.
    func enrolledRows(
        of number: Int, where condition: String = "", _ values: [SQLValue] = [], limit: Int = .max
    ) throws -> [StoredEnrolment] {
        let sql = """
            SELECT e.number, e.id, c.id, e.student, e.record, e.entry, e.since, e.withdrawn, e.section, e.in_groups,
            e.left_as, r.version, r.last_change, r.cells FROM enrolments AS e JOIN classes AS c ON c.number = e.class
            JOIN class_rows AS r ON r.class = e.class AND r.enrolment = e.number
            WHERE e.class = ? \(condition) ORDER BY e.number LIMIT ?
            """
        let found = try all(sql, [.integer(number)] + values + [.integer(limit)]) { row in
            (
                number: row.integer(0), version: row.integer(11), change: row.integer(12), cells: row.bytes(13),
                enrolment: Enrolment(row)
            )
        }
        return try found.map { found in
            guard let row = (try? JSON.parse(found.cells)).flatMap({ ClassRow($0) }) else {
                throw StoreError.unavailable("the row of enrolment \(found.enrolment.id) cannot be read")
            }
            return StoredEnrolment(
                number: found.number, row: EnrolledRow(found.enrolment, row, version: found.version),
                change: found.change)
        }
    }

    func enrolments(of student: AccountID) throws -> [Enrolment] {
        let sql = """
            SELECT e.number, e.id, c.id, e.student, e.record, e.entry, e.since, e.withdrawn, e.section, e.in_groups,
            e.left_as FROM enrolments AS e JOIN classes AS c ON c.number = e.class WHERE e.student = ? ORDER BY e.id
            """
        return try all(sql, .text(student.text)) { Enrolment($0) }
    }

    /// The line of a ledger at a place, with the places of those before it in its class and of its row.
    func ledgerLine(at seq: Int) throws -> (line: LedgerLine, previous: Int?, rowPrevious: Int?)? {
        let sql = """
            SELECT c.previous, c.row_previous, \(LedgerLine.columns) FROM class_changes AS c
            JOIN classes AS k ON k.number = c.class WHERE c.seq = ?
            """
        // A line only ever names an earlier one, so that a damaged file cannot keep a walk going for ever.
        return try first(sql, .integer(seq)) { row in
            (
                LedgerLine(row, firstColumn: 2), row.optionalInteger(0).flatMap { $0 < seq ? $0 : nil },
                row.optionalInteger(1).flatMap { $0 < seq ? $0 : nil }
            )
        }
    }

    /// The lines from one back, while `visit` says so.
    func walkLedger(
        from last: Int, ofRow isRow: Bool, visit: (LedgerLine) -> Bool
    ) throws {
        var next: Int? = last > 0 ? last : nil
        while let seq = next {
            guard let found = try ledgerLine(at: seq), visit(found.line) else { return }
            next = isRow ? found.rowPrevious : found.previous
        }
    }
}

extension ClassHead {
    /// Six columns: identifier, institution, program, title, state, moment.
    fileprivate init(_ row: borrowing Row, firstColumn first: Int32, isPostedByHand: Bool, term: String?) {
        self.init(
            id: ClassID(row.text(first)), institution: InstitutionID(row.text(first + 1)),
            program: ProgramID(row.text(first + 2)), title: row.text(first + 3),
            state: State(rawValue: row.text(first + 4)) ?? .closed, isPostedByHand: isPostedByHand,
            term: term.map { TermID($0) }, createdAt: Timestamp(microseconds: Int64(row.integer(first + 5))))
    }
}

extension Enrolment {
    /// Eleven columns; the first is the number.
    fileprivate init(_ row: borrowing Row) {
        self.init(
            id: EnrolmentID(row.text(1)), classID: ClassID(row.text(2)),
            student: row.optionalText(3).map { AccountID($0) },
            record: RecordID(row.text(4)), entry: EntryID(row.text(5)),
            section: row.optionalText(8).map { SectionID($0) },
            groups: GroupPlaces(row.optionalText(9).flatMap { try? JSON.parse(Array($0.utf8)) }),
            since: CalendarDay(days: row.integer(6)),
            isWithdrawn: row.boolean(7), leftAs: row.optionalText(10).flatMap { Status(rawValue: $0) })
    }
}

extension LedgerLine {
    /// The columns that `init(_:firstColumn:)` reads, of the tables `c` and `k`.
    static let columns = """
        k.id, c.enrolment, c.version, c.at, c.account, c.source, c.operation, c.reason, c.before, c.after, c.number, c.seen
        """

    init(_ row: borrowing Row, firstColumn first: Int32) {
        self.init(
            classID: ClassID(row.text(first)), number: row.integer(first + 10),
            enrolment: row.optionalText(first + 1).map { EnrolmentID($0) },
            version: row.integer(first + 2), at: Timestamp(microseconds: Int64(row.integer(first + 3))),
            account: AccountID(row.text(first + 4)), source: row.text(first + 5), operation: row.text(first + 6),
            reason: row.optionalText(first + 7), before: row.optionalBytes(first + 8),
            after: row.optionalBytes(first + 9), seen: SeenLines(text: row.optionalBytes(first + 11)))
    }
}
