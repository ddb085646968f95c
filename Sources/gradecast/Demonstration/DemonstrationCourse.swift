import Classes
import Cryptography
import DataStore
import Gradebook
import GradingKit
import Institutions
import Records
import Shared

/// The class that the demonstration's teacher teaches: a structure defined once, thirty students, results in all items
/// but the last, and a quiz whose results are not posted yet. Made only as far as it is missing.
struct DemonstrationCourse {
    let store: DataStore
    let institution: InstitutionID
    let program: ProgramID
    let teacher: AccountID
    let recordRules: RecordRules
    let identifiers: UUIDSource
    /// The institution's current day, when the students' enrolments start.
    let today: CalendarDay

    static let scheme = "rose-hulman"
    /// A separate program, so that the course has a record of its own.
    static let program = NewProgram(
        scheme: scheme, title: "Minor in Software Engineering, class of 2027", entry: .staff)

    private static let titles = [
        "Homework 1", "Homework 2", "Homework 3", "Quiz 1", "Quiz 2", "Quiz 3", "Midterm", "Final",
    ]
    /// Marked, but not posted.
    private static let unposted = "Quiz 3"
    /// Not marked yet.
    private static let open = "Final"

    func make(of students: [(person: DemonstrationStudent, account: AccountID)]) async throws {
        let taught = try await taught()
        for student in students { try await enrol(student.account, in: taught.head.id) }
        try await enterResults(of: students, in: taught)
    }

    private var gradebook: Gradebook { Gradebook(rules: [recordRules]) }

    private func context() async throws -> ActContext {
        ActContext(
            account: teacher, source: "demo", at: WallClock.system.now,
            access: try await store.records.accessVersions(of: teacher, in: institution, program))
    }

    // MARK: - The structure

    /// The class as it is now, created if it is missing.
    private func taught() async throws -> ClassSnapshot {
        let known = try await store.gradebook.classes(.taught(by: teacher), after: nil, limit: 200)
        if let there = known.first(where: { $0.head.program == program }) { return there }
        let head = ClassHead(
            id: ClassID(identifiers.next()), institution: institution, program: program, title: "Software Testing",
            createdAt: WallClock.system.now)
        return try await store.gradebook.found(
            head, structure(), staff: [ClassStaff(teacher, as: .teacher)], by: context())
    }

    private func structure() throws -> ClassStructure {
        let root = ClassStructure(
            root: "course", id: LineID(identifiers.next()),
            fields: [
                "title": "Software Testing", "number": "CSSE376", "section": 1, "quarter": 2, "year": 2027,
                "credits": 4,
            ])
        let categories = (0..<3).map { _ in LineID(identifiers.next()) }
        var ids = categories + Self.titles.map { _ in LineID(identifiers.next()) }
        let weights = [("assignments", 30), ("quizzes", 20), ("exams", 50)]
        let headers = weights.map { name, weight in
            StructureChange.add(
                kind: "category", in: root.root.id,
                LinePatch(fields: ["category": .string(name), "weight": whole(weight)]))
        }
        let items = Self.titles.map { title in
            var patch = LinePatch(fields: ["title": .string(title), "max": whole(Self.best(of: title))])
            patch.isPostedByHand = title == Self.unposted
            return StructureChange.add(kind: "item", in: categories[Self.category(of: title)], patch)
        }
        return try root.applying(headers + items) { ids.removeFirst() }
    }

    private static func category(of title: String) -> Int {
        title.hasPrefix("Homework") ? 0 : title.hasPrefix("Quiz") ? 1 : 2
    }

    private static func best(of title: String) -> Int {
        switch category(of: title) {
        case 0: 40
        case 1: 10
        default: title == open ? 100 : 50
        }
    }

    // MARK: - The students and their results

    private func enrol(_ student: AccountID, in taught: ClassID) async throws {
        let enrolments = try await store.gradebook.enrolments(of: student)
        guard !enrolments.contains(where: { $0.classID == taught }) else { return }
        let request = EnrolmentRequest(
            id: EnrolmentID(identifiers.next()), student: student, record: nil,
            newRecord: RecordID(identifiers.next()), entry: EntryID(identifiers.next()),
            since: today, programVersion: recordRules.programVersion)
        let context = try await context()
        _ = try await store.gradebook.act(in: taught, .student(student), by: context) { [gradebook] ground in
            try gradebook.enrol(request, in: ground, at: context.at)
        }
    }

    /// Enters all results as one act, unless there are any.
    private func enterResults(
        of students: [(person: DemonstrationStudent, account: AccountID)], in taught: ClassSnapshot
    ) async throws {
        let rows = try await store.gradebook.rows(of: taught.head.id, since: 0)?.rows ?? []
        guard rows.allSatisfy(\.row.cells.isEmpty) else { return }
        let items = taught.structure.lines.filter { $0.kind == "item" && $0.fields["title"] != .string(Self.open) }
        let cells = rows.flatMap { row -> [CellChange] in
            guard let student = students.first(where: { $0.account == row.enrolment.student })?.person else {
                return []
            }
            return items.map { Self.cell(of: student, in: $0, row.enrolment.id) }
        }
        _ = try await store.gradebook.act(
            in: taught.head.id, .rows(rows.map(\.enrolment.id)), by: context()
        ) { [gradebook] ground in
            try gradebook.enter(cells, .all, reason: nil, in: ground)
        }
    }

    private static func cell(
        of student: DemonstrationStudent, in line: ClassLine, _ enrolment: EnrolmentID
    ) -> CellChange {
        let title = line.fields["title"]?.string ?? ""
        switch (student.login, title) {
        case ("kwame.mensah", "Quiz 2"): return CellChange(enrolment, line.id, status: "absent")
        case ("zofia.kowalczyk", "Homework 2"): return CellChange(enrolment, line.id, status: "excused")
        default:
            let work = 60 + line.number
            return CellChange(enrolment, line.id, value: whole(student.result(of: work, outOf: best(of: title))))
        }
    }
}
