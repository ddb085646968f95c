public import Classes
import Database
public import Gradebook
import GradingKit
import Records
public import Shared

extension RelationalStore: GradebookStore {
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

    /// Some classes, in the order of their identifiers.
    public func classes(
        _ selection: ClassSelection, after cursor: ClassID?, limit: Int
    ) async throws -> [ClassSnapshot] {
        let (condition, subject) =
            switch selection {
            case .taught(let account):
                ("c.number IN (SELECT class FROM class_staff WHERE account = ?)", account.text)
            case .program(let program): ("c.program = ?", program.text)
            case .institution(let institution): ("c.institution = ?", institution.text)
            }
        return try await read { connection in
            try connection.taughtClasses(
                "WHERE \(condition) AND c.id > ? ORDER BY c.id LIMIT ?",
                [.text(subject), .text(cursor?.text ?? ""), .integer(max(0, limit))]
            ).map(\.snapshot)
        }
    }

    /// The classes that have a due day before another day, each with the first one that is not dealt with.
    public func classesDue(
        before day: CalendarDay, after cursor: ClassID?, limit: Int
    ) async throws -> [(id: ClassID, institution: InstitutionID, day: CalendarDay)] {
        try await read { connection in
            try connection.all(
                "SELECT id, institution, next_due FROM classes WHERE next_due < ? AND id > ? ORDER BY id LIMIT ?",
                [.integer(day.days), .text(cursor?.text ?? ""), .integer(max(0, limit))]
            ) { row in
                (
                    id: ClassID(row.text(0)), institution: InstitutionID(row.text(1)),
                    day: CalendarDay(days: row.integer(2))
                )
            }
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
            guard let number = try connection.classNumber(id) else { return nil }
            return try connection.enrolledRows(of: number, where: "AND e.id = ?", [.text(enrolment.text)]).first?.row
        }
    }

    /// Returns the details of acts that changed a record; see ``GradebookStore``.
    public func details(of acts: [ClassAct], in record: RecordID) async throws -> [ClassAct: ClassActDetail] {
        let lines = Dictionary(grouping: acts.filter { $0.line != nil }, by: \.classID)
        if lines.isEmpty { return [:] }
        return try await read { connection in
            var details: [ClassAct: ClassActDetail] = [:]
            for (id, acts) in lines {
                guard let found = try connection.taughtClass(id),
                    let row = try connection.enrolledRows(
                        of: found.number, where: "AND e.record = ?", [.text(record.text)]
                    ).last?.row
                else { continue }
                let numbers = Set(acts.compactMap(\.line)).sorted()
                let marks = numbers.map { _ in "?" }.joined(separator: ", ")
                for line in try connection.ledgerLines(of: found.number, "AND c.number IN (\(marks))", numbers)
                where line.enrolment == nil || line.enrolment == row.enrolment.id {
                    details[ClassAct(id, line: line.number)] = ClassActDetail(line, in: found.snapshot, row: row)
                }
            }
            return details
        }
    }

    /// The ledger below a line, newest first: of one student's row, or of the class.
    public func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before number: Int?, limit: Int
    ) async throws -> [LedgerLine] {
        try await read { connection -> [LedgerLine] in
            guard let found = try connection.classHead(id), limit > 0 else { return [] }
            guard let enrolment else {
                return try connection.ledgerLines(
                    of: found.number, "AND c.number < ? ORDER BY c.number DESC LIMIT ?", [number ?? .max, limit])
            }
            guard let last = try connection.lastChange(of: enrolment, in: found.number, before: number) else {
                return []
            }
            var lines: [LedgerLine] = []
            try connection.walkLedger(from: last, ofRow: true) { line in
                lines.append(line)
                return lines.count < limit
            }
            return lines
        }
    }

    /// The structure that a class has or had under a number; `nil` for none.
    public func structure(_ number: Int, of id: ClassID) async throws -> ClassStructure? {
        try await read { connection in
            try connection.classHead(id).flatMap { try connection.structure(number, of: $0.number) }
        }
    }

    /// How many lines of a row are looked through for the author of a cell.
    private static let greatestLook = 200

    /// The authors of the content of cells; `nil` if the last lines of a row's ledger do not show them.
    public func authors(of cells: [CellPlace], in id: ClassID) async throws -> [CellAuthor?] {
        try await read { connection -> [CellAuthor?] in
            guard let found = try connection.classHead(id) else { return cells.map { _ in nil } }
            return try cells.map { cell in
                guard let last = try connection.lastChange(of: cell.enrolment, in: found.number, before: nil) else {
                    return nil
                }
                var (author, looks) = (CellAuthor?.none, 0)
                try connection.walkLedger(from: last, ofRow: true) { line in
                    looks += 1
                    let written = line.after.flatMap { try? JSON.parse($0) }
                    if written?[String(cell.line)] != nil {
                        let person = line.operation == LedgerLine.missed ? nil : line.account
                        author = CellAuthor(account: person, at: line.at)
                    }
                    return author == nil && looks < Self.greatestLook
                }
                return author
            }
        }
    }

    /// The corrections of a class below a number, newest first.
    public func corrections(
        of id: ClassID, before number: Int?, limit: Int
    ) async throws -> [(number: Int, correction: Correction)] {
        try await read { connection in
            try connection.corrections(
                "WHERE c.id = ? AND r.number < ? ORDER BY r.number DESC LIMIT ?",
                [.text(id.text), .integer(number ?? .max), .integer(max(0, limit))])
        }
    }

    /// A correction of any class.
    public func correction(_ id: CorrectionID) async throws -> Correction? {
        try await read { try $0.corrections("WHERE r.id = ?", [.text(id.text)]).first?.correction }
    }

    /// Corrections of an institution's classes that wait.
    public func waitingCorrections(
        in institution: InstitutionID, besides asker: AccountID, since moment: Timestamp, before number: Int?,
        limit: Int
    ) async throws -> [(number: Int, correction: Correction)] {
        try await read { connection in
            try connection.corrections(
                """
                WHERE r.decision = 'waiting' AND c.institution = ? AND r.account <> ? AND r.at >= ? AND r.number < ?
                ORDER BY r.number DESC LIMIT ?
                """,
                [
                    .text(institution.text), .text(asker.text), .integer(moment.microseconds),
                    .integer(number ?? .max), .integer(max(0, limit)),
                ])
        }
    }

    /// What an act rests on.
    public func ground(of id: ClassID, _ reach: ActReach) async throws -> ActGround? {
        let size = GroundSlice.rows
        let begun = try await read { [epoch] connection -> (GroundBeginning, GroundSlice)? in
            guard let found = try connection.taughtClass(id) else { return nil }
            let beginning = try connection.beginning(found, reach)
            let slice = try connection.slice(
                of: found.number, beginning.rows.prefix(size), besides: beginning.ofStudent, epoch: epoch)
            return (beginning, slice)
        }
        guard let (beginning, first) = begun else { return nil }
        var (slice, next) = (first, size)
        while next < beginning.rows.count {
            let rows = beginning.rows[next..<min(next + size, beginning.rows.count)]
            slice.append(
                try await browse { [epoch] in
                    try $0.slice(of: beginning.found.number, rows, epoch: epoch)
                })
            next += size
        }
        return ActGround(reach, beginning, slice)
    }

    /// Carries out an act, and decides it again for rows that have changed meanwhile.
    public func act<Value: Sendable>(
        on ground: ActGround, by context: ActContext, _ decision: ActDecision<Value>,
        keeping keep: @escaping @Sendable (ActOutcome<Value>) -> KeptAnswer?,
        again: @escaping @Sendable (ActGround) throws -> ActDecision<Value>
    ) async throws -> ActOutcome<Value> {
        try await write(within: WriteReach(of: decision, on: ground, keeping: keep)) {
            try $0.act(on: ground, by: context, decision, keeping: keep, again: again)
        }
    }

    /// Carries out the move of a record with the rows of its classes.
    public func move(_ move: RecordMove, by context: ActContext) async throws {
        try await write(within: WriteReach(of: move)) { try $0.move(move, by: context) }
    }

    /// Carries out two acts, of two classes, in one transaction.
    public func act<First: Sendable, Second: Sendable>(
        on grounds: (first: ActGround, second: ActGround), by context: ActContext,
        keeping keep: @escaping @Sendable (ActOutcome<Second>) -> KeptAnswer?,
        first: @escaping @Sendable (ActGround) throws -> ActDecision<First>,
        second: @escaping @Sendable (ActGround, First) throws -> ActDecision<Second>
    ) async throws -> ActOutcome<Second> {
        try await write { transaction in
            let done = try transaction.act(on: grounds.first, by: context, nil, keeping: { _ in nil }, again: first)
            return try transaction.act(on: grounds.second, by: context, nil, keeping: keep) {
                try second($0, done.value)
            }
        }
    }
}

extension Connection {
    /// The place of a row's last line in its class's ledger, or of the last one before a line of it; `nil` for none.
    fileprivate func lastChange(of enrolment: EnrolmentID, in number: Int, before line: Int?) throws -> Int? {
        if let line {
            let sql = "SELECT row_previous FROM class_changes WHERE class = ? AND number = ? AND enrolment = ?"
            return try first(sql, .integer(number), .integer(line), .text(enrolment.text)) { $0.optionalInteger(0) }
                ?? nil
        }
        let sql = """
            SELECT r.last_change FROM enrolments AS e
            JOIN class_rows AS r ON r.class = e.class AND r.enrolment = e.number WHERE e.id = ? AND e.class = ?
            """
        return try first(sql, .text(enrolment.text), .integer(number)) { $0.integer(0) }
    }
}
