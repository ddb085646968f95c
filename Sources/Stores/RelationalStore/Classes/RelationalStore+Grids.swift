import Classes
import Database
public import Gradebook
import Records
public import Shared

extension RelationalStore: GridStore {
    /// The rows that changed after a version; see ``GridStore``.
    public func grid(
        of id: ClassID, since version: Version, after place: Int, limit: Int
    ) async throws -> GridRows? {
        try await read { [epoch] connection -> GridRows? in
            guard let found = try connection.taughtClass(id) else { return nil }
            let structured = try connection.first(
                "SELECT structured FROM classes WHERE number = ?", .integer(found.number)
            ) { $0.integer(0) }
            let structuredAt = structured ?? 0
            let stored = try connection.enrolledRows(
                of: found.number, where: "AND e.number > ? AND max(r.version, ?) > ?",
                [.integer(place), .integer(structuredAt), .integer(version)], limit: limit)
            let rows = try stored.map { stored in
                GridRow(
                    stored.row, at: stored.number,
                    programVersion: try connection.programVersion(of: stored.row.enrolment.record),
                    comments: try connection.commentCounts(of: stored.number).mapValues(\.all))
            }
            return GridRows(found.snapshot, in: epoch, structuredAt: structuredAt, rows: rows)
        }
    }

    /// How far classes are; see ``GridStore``.
    public func marks(of classes: [ClassID]) async throws -> [ClassID: ClassMark] {
        if classes.isEmpty { return [:] }
        return try await read { connection in
            var marks: [ClassID: ClassMark] = [:]
            for id in classes {
                marks[id] = try connection.first(
                    """
                    SELECT c.version, c.restated + coalesce(i.calendar, 0) FROM classes AS c
                    LEFT JOIN institutions AS i ON i.id = c.institution WHERE c.id = ?
                    """, .text(id.text)
                ) { ClassMark(version: $0.integer(0), restated: $0.integer(1)) }
            }
            return marks
        }
    }

    /// What the documents of rows follow from; see ``GridStore``.
    public func marks(of rows: [EnrolmentID]) async throws -> [EnrolmentID: RowMark] {
        if rows.isEmpty { return [:] }
        return try await read { connection in
            var marks: [EnrolmentID: RowMark] = [:]
            for id in rows { marks[id] = try connection.mark(of: id)?.mark }
            return marks
        }
    }

    /// One row with its class; see ``GridStore``.
    public func markedRow(_ id: EnrolmentID) async throws -> MarkedRow? {
        try await read { try $0.markedRow(id) }
    }

    /// A record with the rows of its classes; see ``GridStore``.
    public func linked(_ record: RecordID) async throws -> LinkedRecord? {
        // Without classes there is nothing else to read at the same moment.
        if let known = recent[record]?.snapshot, !known.holdsLinks { return LinkedRecord(known) }
        return try await read { [epoch] in try $0.linked(record, epoch: epoch) }
    }

    /// How many students a class has; see ``GridStore``.
    public func roster(of id: ClassID) async throws -> ClassRoster {
        let sql = """
            SELECT count(*), CAST(sum(e.withdrawn) AS BIGINT) FROM enrolments AS e WHERE e.class = ?
            """
        return try await read { connection in
            guard let found = try connection.classHead(id) else { return ClassRoster(students: 0, withdrawn: 0) }
            let counts = try connection.first(sql, .integer(found.number)) {
                (all: $0.integer(0), withdrawn: $0.optionalInteger(1) ?? 0)
            }
            return ClassRoster(
                students: (counts?.all ?? 0) - (counts?.withdrawn ?? 0), withdrawn: counts?.withdrawn ?? 0,
                corrections: try connection.undecidedCorrections(of: found.number))
        }
    }

    /// Whether any student in a class has said a first or last name; see ``GridStore``.
    public func hasPersonNames(in id: ClassID) async throws -> Bool {
        let sql = """
            SELECT 1 FROM classes AS c JOIN enrolments AS e ON e.class = c.number AND e.withdrawn = 0
            JOIN accounts AS a ON a.id = e.student
            WHERE c.id = ? AND (a.given_name IS NOT NULL OR a.family_name IS NOT NULL) LIMIT 1
            """
        return try await read { try $0.first(sql, .text(id.text)) { _ in true } ?? false }
    }
}

extension Connection {
    fileprivate func programVersion(of record: RecordID) throws -> Version? {
        try first("SELECT program_version FROM records WHERE id = ?", .text(record.text)) { $0.integer(0) }
    }

    /// A record with the rows of its classes, within the caller's transaction.
    func linked(_ record: RecordID, epoch: Epoch) throws -> LinkedRecord? {
        guard let found = try RecordRow.find(record, epoch: epoch, on: self) else { return nil }
        guard found.snapshot.holdsLinks else { return LinkedRecord(found.snapshot) }
        let enrolments = try all(
            "SELECT id FROM enrolments WHERE record = ? AND withdrawn = 0 ORDER BY id", [.text(record.text)]
        ) { EnrolmentID($0.text(0)) }
        let rows = try enrolments.compactMap { try markedRow($0) }
        return LinkedRecord(
            found.snapshot,
            rows: Dictionary(rows.map { ($0.enrolled.enrolment.entry, $0) }, uniquingKeysWith: { _, last in last }))
    }

    fileprivate func markedRow(_ id: EnrolmentID) throws -> MarkedRow? {
        guard let (classID, mark) = try mark(of: id), let found = try taughtClass(classID),
            let row = try enrolledRows(of: found.number, where: "AND e.id = ?", [.text(id.text)]).first
        else { return nil }
        return MarkedRow(row.row, of: found.snapshot, mark)
    }

    func mark(of row: EnrolmentID) throws -> (classID: ClassID, mark: RowMark)? {
        let sql = """
            SELECT c.id, w.version, c.restated, r.program_version FROM enrolments AS e
            JOIN classes AS c ON c.number = e.class
            JOIN class_rows AS w ON w.class = e.class AND w.enrolment = e.number
            LEFT JOIN records AS r ON r.id = e.record WHERE e.id = ?
            """
        return try first(sql, .text(row.text)) { row in
            (
                ClassID(row.text(0)),
                RowMark(row: row.integer(1), restated: row.integer(2), programVersion: row.optionalInteger(3))
            )
        }
    }
}
