import Classes
import Database
import Gradebook
import GradingKit
import Records
import Shared

/// What of an act's ground is read at once, and which rows are to be read in slices.
struct GroundBeginning: Sendable {
    let found: StoredClass
    /// The rows within reach, by the numbers of their enrolments.
    var rows: [Int] = []
    var ofStudent: [RecordID] = []
    var students = 0
    var ledger: [LedgerLine] = []
    var former: ClassStructure?
    var correction: Correction?
    var waiting = 0
    var comments: [CellComment] = []
    var sealed: SealedLine?
    var sealedLines: Set<Int> = []
}

/// Some rows with their records.
struct GroundSlice: Sendable {
    /// How many rows are read in one transaction, so that none of them holds up the log for long.
    static let rows = 64

    var rows: [EnrolledRow] = []
    var records: [RecordID: RecordSnapshot] = [:]

    mutating func append(_ other: GroundSlice) {
        rows += other.rows
        records.merge(other.records) { _, new in new }
    }
}

extension ActGround {
    init(_ reach: ActReach, _ beginning: GroundBeginning, _ slice: GroundSlice) {
        self.init(
            reach, snapshot: beginning.found.snapshot, rows: slice.rows, records: slice.records,
            ofStudent: beginning.ofStudent, students: beginning.students, ledger: beginning.ledger,
            former: beginning.former, correction: beginning.correction, waiting: beginning.waiting,
            comments: beginning.comments, sealed: beginning.sealed, sealedLines: beginning.sealedLines)
    }

    /// Whether the same rows and records stand there at the same versions.
    fileprivate func stands(as other: ActGround) -> Bool {
        rows.map(\.enrolment.id) == other.rows.map(\.enrolment.id) && rows.map(\.version) == other.rows.map(\.version)
            && records.mapValues(\.fullVersion) == other.records.mapValues(\.fullVersion)
            && ofStudent == other.ofStudent && students == other.students && comments == other.comments
            && sealed == other.sealed
    }
}

extension Connection {
    func beginning(_ found: StoredClass, _ reach: ActReach) throws -> GroundBeginning {
        var beginning = GroundBeginning(found: found)
        let number = found.number
        if found.snapshot.head.state == .closed { beginning.waiting = try undecidedCorrections(of: number) }
        switch reach {
        case .everyRow:
            beginning.rows = try enrolmentNumbers(of: number)
            beginning.sealedLines = try sealedLines(of: number)
        case .sealed(let line, let codes): beginning.sealed = try sealedLine(line, of: number, codes)
        case .unsealing(let line):
            beginning.rows = try enrolmentNumbers(of: number)
            beginning.sealed = try sealedLine(line, of: number)
        case .rows(let ids): beginning.rows = try enrolmentNumbers(of: number, ids)
        case .student(let student): try add(student, to: &beginning)
        case .cell(let id, let line):
            beginning.rows = try enrolmentNumbers(of: number, [id])
            beginning.comments = try beginning.rows.first.map { try comments(on: $0, line: line) } ?? []
        case .correction(let id):
            beginning.correction = try correction(id, of: number)
            let cells = beginning.correction.flatMap { try? JSON.parse($0.cells) }?.array ?? []
            beginning.rows = try enrolmentNumbers(
                of: number, cells.compactMap { $0["row"]?.string.map { EnrolmentID($0) } })
        case .act(let version):
            beginning.ledger = try ledger(of: number, lines: found.end.lines, version)
            if let own = beginning.ledger.first(where: { $0.enrolment == nil }) {
                beginning.sealedLines = try sealedLines(of: number)
                beginning.rows = try enrolmentNumbers(of: number)
                beginning.former = try Gradebook.number(own.before).flatMap { try structure($0, of: number) }
            } else {
                beginning.rows = try enrolmentNumbers(of: number, beginning.ledger.compactMap(\.enrolment))
            }
        }
        return beginning
    }

    private func add(_ student: AccountID, to beginning: inout GroundBeginning) throws {
        let number = beginning.found.number
        beginning.rows = try all(
            "SELECT number FROM enrolments WHERE student = ? AND class = ?", .text(student.text), .integer(number)
        ) { $0.integer(0) }
        beginning.ofStudent = try all(
            "SELECT id FROM records WHERE student = ? AND program = ? ORDER BY id LIMIT 20", .text(student.text),
            .text(beginning.found.snapshot.head.program.text)
        ) { RecordID($0.text(0)) }
        beginning.students =
            try first("SELECT COUNT(*) FROM enrolments WHERE class = ?", .integer(number)) { $0.integer(0) } ?? 0
    }

    private func enrolmentNumbers(of number: Int) throws -> [Int] {
        try all("SELECT number FROM enrolments WHERE class = ? ORDER BY number", .integer(number)) { $0.integer(0) }
    }

    private func enrolmentNumbers(of number: Int, _ ids: [EnrolmentID]) throws -> [Int] {
        try Set(ids).compactMap { id in
            try first(
                "SELECT number FROM enrolments WHERE id = ? AND class = ?", .text(id.text), .integer(number)
            ) { $0.integer(0) }
        }.sorted()
    }

    /// Rows with their records, and further records.
    func slice(
        of number: Int, _ rows: some Sequence<Int>, besides records: [RecordID] = [], epoch: Epoch
    ) throws -> GroundSlice {
        var slice = GroundSlice()
        for row in rows {
            slice.rows += try enrolledRows(of: number, where: "AND e.number = ?", [.integer(row)]).map(\.row)
        }
        for id in Set(slice.rows.map(\.enrolment.record) + records) {
            slice.records[id] = try RecordRow.find(id, epoch: epoch, on: self)?.snapshot
        }
        return slice
    }

    /// The lines of one act. Versions rise with the numbers of lines, so that they are found by halving.
    func ledger(of number: Int, lines: Int, _ version: Version) throws -> [LedgerLine] {
        let first = try firstLine(of: number, lines: lines, from: version)
        let end = try firstLine(of: number, lines: lines, from: version + 1)
        return try ledgerLines(of: number, "AND c.number >= ? AND c.number < ? ORDER BY c.number", [first, end])
    }

    /// The number of the first line that is of a version, or of a later one.
    private func firstLine(of number: Int, lines: Int, from version: Version) throws -> Int {
        let sql = "SELECT version FROM class_changes WHERE class = ? AND number = ?"
        var (low, high) = (1, lines + 1)
        while low < high {
            let middle = (low + high) / 2
            let found = try first(sql, .integer(number), .integer(middle)) { $0.integer(0) }
            if found ?? .max < version { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func ledgerLines(of number: Int, _ condition: String, _ values: [Int]) throws -> [LedgerLine] {
        let sql = """
            SELECT \(LedgerLine.columns) FROM class_changes AS c JOIN classes AS k ON k.number = c.class
            WHERE c.class = ? \(condition)
            """
        return try all(sql, ([number] + values).map { .integer($0) }) { LedgerLine($0, firstColumn: 0) }
    }
}

// MARK: - What has changed since

extension ActReach {
    /// Whether the ground holds more than rows and records, so that all of it is read again.
    fileprivate var isRepairedWhole: Bool {
        switch self {
        case .student, .cell, .sealed: true
        case .rows, .everyRow, .act, .correction, .unsealing: false
        }
    }
}

extension WriteTransaction {
    /// The ground of an act as it stands by now; `nil` if nothing of it has changed.
    ///
    /// - Throws: `StoreError.moved` where more has changed than can be judged on the writer's thread.
    func repaired(_ ground: ActGround, _ found: StoredClassHead) throws -> ActGround? {
        if ground.reach.isRepairedWhole {
            let taught = StoredClass(number: found.number, snapshot: ground.snapshot, end: found.end)
            let beginning = try connection.beginning(taught, ground.reach)
            let slice = try connection.slice(
                of: found.number, beginning.rows, besides: beginning.ofStudent, epoch: epoch)
            try hold(slice)
            let now = ActGround(ground.reach, beginning, slice)
            return now.stands(as: ground) ? nil : now
        }
        if case .unsealing(let line) = ground.reach {
            let sealed = try connection.sealedLine(line, of: found.number)
            guard sealed == ground.sealed else { throw StoreError.moved }
        }
        let rows = try changedRows(since: ground, of: found.number)
        let records = try changedRecords(since: ground)
        if rows.isEmpty, records.isEmpty { return nil }
        guard max(rows.count, records.count) <= ActGround.greatestRepair else { throw StoreError.moved }
        let slice = try connection.slice(of: found.number, rows, besides: records, epoch: epoch)
        try hold(slice)
        let gone = records.filter { slice.records[$0] == nil }.map { ($0, RecordSnapshot?.none) }
        let there = slice.records.map { ($0.key, RecordSnapshot?.some($0.value)) }
        return ground.replacing(slice.rows, Dictionary(there + gone, uniquingKeysWith: { first, _ in first }))
    }

    /// Makes sure that the records stay as they were read.
    private func hold(_ slice: GroundSlice) throws {
        for row in slice.rows { try hold(.record(row.enrolment.record)) }
        for record in slice.records.keys { try hold(.record(record)) }
    }

    /// The numbers of the rows within reach that are new, or at another version.
    private func changedRows(since ground: ActGround, of number: Int) throws -> [Int] {
        let known = Dictionary(
            ground.rows.map { ($0.enrolment.id, $0.version) }, uniquingKeysWith: { first, _ in first })
        let sql = """
            SELECT e.id, e.number, r.version FROM enrolments AS e
            JOIN class_rows AS r ON r.class = e.class AND r.enrolment = e.number WHERE e.class = ?
            """
        var ids = ground.rows.map(\.enrolment.id)
        if case .rows(let wanted) = ground.reach { ids = Array(Set(wanted)) }
        let isWhole = ground.isWhole
        // Many are found in one walk through the class.
        let found: [(id: EnrolmentID, number: Int, version: Version)]
        if isWhole || ids.count >= 32 {
            let wanted = Set(ids)
            found = try connection.all(sql, .integer(number)) {
                (EnrolmentID($0.text(0)), $0.integer(1), $0.integer(2))
            }.filter { isWhole || wanted.contains($0.0) }
        } else {
            found = try ids.flatMap { id in
                try connection.all(sql + " AND e.id = ?", .integer(number), .text(id.text)) {
                    (EnrolmentID($0.text(0)), $0.integer(1), $0.integer(2))
                }
            }
        }
        return found.filter { known[$0.id] != $0.version }.map(\.number).sorted()
    }

    private func changedRecords(since ground: ActGround) throws -> [RecordID] {
        let sql = "SELECT full_version FROM records WHERE id = ?"
        return try ground.records.compactMap { id, snapshot in
            let version = try connection.first(sql, .text(id.text)) { $0.integer(0) }
            return version == snapshot.fullVersion ? nil : id
        }
    }
}
