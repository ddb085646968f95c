import Classes
import Gradebook
import GradingKit
import Records
import Shared

/// A class in memory: the ground of acts, and what they make of it.
struct Classroom {
    var snapshot: ClassSnapshot
    var enrolled: [EnrolledRow] = []
    var records: [RecordID: RecordSnapshot] = [:]
    var lines: [LedgerLine] = []
    var corrections: [CorrectionID: Correction] = [:]
    var comments: [CellComment] = []
    /// What was entered under codes, by the numbers of lines.
    var sealed: [Int: [String: ClassCell]] = [:]
    var structures: [Int: ClassStructure] = [:]
    let rules: RecordRules
    /// The rules of other versions, and versions without rules.
    var otherRules: [RecordRules] = []
    var unusable: Set<Version> = []

    static let teacher = AccountID("teacher")
    static let moment = Timestamp(microseconds: 1_800_000_000_000_000)
    static let context = ActContext(account: teacher, source: "127.0.0.1", at: moment, access: AccessVersions())

    var gradebook: Gradebook { Gradebook(rules: [rules] + otherRules, unusable: unusable) }

    init(_ structure: ClassStructure, _ scheme: InstalledScheme, preset: String? = nil) throws {
        self.init(structure, try scheme.rulebook(preset: preset))
    }

    init(_ structure: ClassStructure, _ rulebook: Rulebook) {
        rules = RecordRules(rules: rulebook, programVersion: 1, language: .english, newID: { EntryID("new") })
        let head = ClassHead(
            id: ClassID("c"), institution: InstitutionID("i"), program: ProgramID("p"), title: "Algorithms",
            createdAt: Self.moment)
        snapshot = ClassSnapshot(
            head: head, version: 1, structure: structure, staff: [ClassStaff(Self.teacher, as: .teacher)])
        structures[structure.number] = structure
    }

    /// What an act rests on.
    func ground(_ reach: ActReach = .everyRow) -> ActGround {
        var (rows, ofStudent, ledger, former) = (enrolled, [RecordID](), [LedgerLine](), ClassStructure?.none)
        switch reach {
        case .everyRow, .unsealing: break
        case .sealed: rows = []
        case .rows(let ids): rows = enrolled.filter { ids.contains($0.enrolment.id) }
        case .cell(let id, _): rows = enrolled.filter { $0.enrolment.id == id }
        case .student(let student):
            rows = enrolled.filter { $0.enrolment.student == student }
            ofStudent = records.values.filter { $0.head.student == student }.map(\.head.id).sorted()
        case .correction(let id):
            let asked = corrections[id].flatMap { try? CellChange.list(JSON.parse($0.cells), at: "/cells") } ?? []
            rows = enrolled.filter { row in asked.contains { $0.enrolment == row.enrolment.id } }
        case .act(let version):
            ledger = lines.filter { $0.version == version }
            if let own = ledger.first(where: { $0.enrolment == nil }) {
                former = Gradebook.number(own.before).flatMap { structures[$0] }
            } else {
                rows = enrolled.filter { row in ledger.contains { $0.enrolment == row.enrolment.id } }
            }
        }
        let wanted = Set(rows.map(\.enrolment.record) + ofStudent)
        return ActGround(
            reach, snapshot: snapshot, rows: rows, records: records.filter { wanted.contains($0.key) },
            ofStudent: ofStudent, students: enrolled.count, ledger: ledger, former: former,
            correction: correction(in: reach),
            waiting: corrections.values.filter { $0.decision == .waiting }.count, comments: comments(in: reach),
            sealed: sealedLine(in: reach), sealedLines: Set(sealed.filter { !$0.value.isEmpty }.keys))
    }

    private func correction(in reach: ActReach) -> Correction? {
        if case .correction(let id) = reach { corrections[id] } else { nil }
    }

    private func sealedLine(in reach: ActReach) -> SealedLine? {
        switch reach {
        case .sealed(let line, _), .unsealing(let line):
            SealedLine(
                secret: Array("secret".utf8), students: enrolled.count,
                cells: (sealed[line] ?? [:]).map { SealedCell($0.key, $0.value) })
        default: nil
        }
    }

    private func comments(in reach: ActReach) -> [CellComment] {
        guard case .cell(let id, let line) = reach else { return [] }
        return comments.filter { $0.enrolment == id && $0.line == line }
    }

    /// Does what a plan says, as a store would.
    mutating func carryOut(_ plan: ActPlan, by account: AccountID = teacher) {
        guard !plan.isEmpty else { return }
        let version = snapshot.version + 1
        for new in plan.newRecords {
            records[new.head.id] = RecordSnapshot(
                head: new.head, epoch: Epoch("e"), fullVersion: 1, releasedVersion: 1, full: new.amendment.full,
                released: new.amendment.released)
        }
        for (id, amendment) in plan.amendments {
            guard let old = records[id] else { continue }
            records[id] = RecordSnapshot(
                head: old.head, epoch: old.epoch, fullVersion: old.fullVersion + 1,
                releasedVersion: old.releasedVersion, full: amendment.full, released: amendment.released)
        }
        if let correction = plan.correction { corrections[correction.id] = correction }
        switch plan.comment {
        case .written(let comment, _): comments.append(comment)
        case .deleted(let id): comments.removeAll { $0.id == id }
        case nil: break
        }
        switch plan.sealed {
        case .entered(let line, let cells):
            for cell in cells { sealed[line, default: [:]][cell.code] = cell.cell.isEmpty ? nil : cell.cell }
        case .revealed(let line): sealed[line] = nil
        case nil: break
        }
        for row in plan.rows {
            let new = EnrolledRow(row.enrolment, row.row, version: version)
            if let index = enrolled.firstIndex(where: { $0.enrolment.id == row.enrolment.id }) {
                enrolled[index] = new
            } else {
                enrolled.append(new)
            }
        }
        for line in plan.lines {
            let line = LedgerLine(
                classID: snapshot.head.id, number: lines.count + 1, enrolment: line.enrolment, version: version,
                at: Self.moment,
                account: account, source: "127.0.0.1", operation: plan.operation, reason: plan.reason,
                before: line.before, after: line.after, seen: line.seen)
            lines.append(line)
        }
        let structure = plan.structure ?? snapshot.structure
        structures[structure.number] = structure
        snapshot = ClassSnapshot(
            head: plan.head ?? snapshot.head, version: version, structure: structure,
            staff: plan.staff ?? snapshot.staff, groups: plan.groups ?? snapshot.groups)
    }
}

extension Classroom {
    /// Puts a student into the class, who has a record or gets one.
    mutating func enrol(_ name: String) throws {
        let request = EnrolmentRequest(
            id: EnrolmentID("e-\(name)"), student: AccountID(name), record: nil, newRecord: RecordID("r-\(name)"),
            entry: EntryID("course-\(name)"), since: CalendarDay(days: 20_000), programVersion: 1)
        let ground = ground(.student(AccountID(name)))
        carryOut(try gradebook.enrol(request, in: ground, at: Self.moment).plan)
    }

    /// Enters results; the answer.
    @discardableResult
    mutating func enter(
        _ changes: CellChange..., mode: CellMode = .all, by account: AccountID = teacher
    ) throws -> CellsAnswer {
        let ground = ground(.rows(changes.map(\.enrolment)))
        let scope = snapshot.scope(of: account)
        let (plan, answer) = try gradebook.enter(changes, mode, reason: nil, within: scope, in: ground)
        carryOut(plan, by: account)
        return answer
    }

    /// Changes the structure.
    mutating func change(_ changes: StructureChange...) throws {
        var made = 0
        let next = snapshot.structure.nextNumber
        carryOut(
            try gradebook.change(
                changes, reason: nil,
                newID: {
                    made += 1
                    return LineID("l\(next + made - 1)")
                }, in: ground()
            ).plan)
    }

    /// Takes back an act; the answer.
    @discardableResult
    mutating func undo(_ version: Version, by account: AccountID = teacher) throws -> CellsAnswer {
        let (plan, answer) = try gradebook.undo(version, by: account, in: ground(.act(version)))
        carryOut(plan, by: account)
        return answer
    }

    /// Lets a student leave.
    mutating func withdraw(
        _ name: String, keepingEntry isKept: Bool, as status: Status? = nil, by account: AccountID = teacher
    ) throws {
        let id = EnrolmentID("e-\(name)")
        let ground = ground(.rows([id]))
        carryOut(
            try gradebook.withdraw(id, keepingEntry: isKept, as: status, by: account, in: ground).plan, by: account)
    }

    /// A record's standing, as one view shows it.
    func standing(_ name: String, _ view: RecordView = .full) throws -> JSON {
        try JSON.parse(records[RecordID("r-\(name)")]?.content(view).standing ?? [])
    }

    /// What stands in a record's figure for the class's entry.
    func display(_ figure: String, _ name: String, _ view: RecordView = .full) throws -> String? {
        try standing(name, view)["entries"]?["course-\(name)"]?["figures"]?[figure]?["display"]?.string
    }

    /// A student's record with the row of this class.
    func assembled(_ name: String, _ view: RecordView = .full) throws -> AssembledRecord {
        let record = RecordID("r-\(name)")
        guard let snapshot = records[record] else { throw StoreError.notFound }
        let rows = enrolled.filter { $0.enrolment.record == record && !$0.enrolment.isWithdrawn }.map { row in
            (row.enrolment.entry, MarkedRow(row, of: self.snapshot, RowMark(row: 1, restated: 1, programVersion: 1)))
        }
        return try AssembledRecord(
            LinkedRecord(snapshot, rows: Dictionary(rows) { $1 }), view: view, under: rules
        ) { try? ClassBook($0.structure, under: rules) }
    }
}
