import Accounts
import Classes
import DataStore
import Gradebook
import GradingKit
import Records
import RoseHulman
import Shared

/// A class of one category of two items, as acts of the domain make it.
struct SampleClass {
    static let id = ClassID("class")
    static let rules = Result { try InstalledScheme(RoseHulman.self).rulebook() }

    let place: any StoreUnderTest

    private var store: any GradebookStore { place.data.gradebook }

    func book() throws -> Gradebook {
        Gradebook(rules: [
            RecordRules(
                rules: try Self.rules.get(), programVersion: 1, language: .english, newID: { EntryID("new") })
        ])
    }

    func context(by account: AccountID = Sample.teacher) async throws -> ActContext {
        ActContext(
            account: account, source: "127.0.0.1", at: Sample.now, access: try await place.store.access(of: account))
    }

    /// Stores the class with its lines `l1` (category), `l2` and `l3` (items of 10).
    func found() async throws {
        let head = ClassHead(
            id: Self.id, institution: InstitutionID("school"), program: ProgramID("program"), title: "Logic",
            createdAt: Sample.now)
        let structure = ClassStructure(
            root: "course", id: LineID("root"),
            fields: ["title": "Logic", "quarter": 1, "year": 2026, "credits": 4])
        _ = try await store.found(
            head, structure, staff: [ClassStaff(Sample.teacher, as: .teacher)], by: context())
        let item = LinePatch(fields: ["title": "Lab", "max": 10])
        try await change(
            .add(kind: "category", in: LineID("root"), LinePatch(fields: ["category": "labs", "weight": 100])),
            .add(kind: "item", in: LineID("l1"), item), .add(kind: "item", in: LineID("l1"), item))
    }

    func change(_ changes: StructureChange...) async throws {
        let book = try book()
        _ = try await store.act(in: Self.id, .everyRow, by: context()) { ground in
            let first = ground.snapshot.structure.nextNumber
            let ids = Lines(from: first)
            return try book.change(changes, reason: nil, newID: { ids.next() }, in: ground)
        }
    }

    /// Names new lines by their numbers.
    private final class Lines {
        private var number: Int
        init(from number: Int) { self.number = number }
        func next() -> LineID {
            defer { number += 1 }
            return LineID("l\(number)")
        }
    }

    func withdraw(_ name: String) async throws {
        let (book, context, id) = (try book(), try await context(), EnrolmentID("e-\(name)"))
        _ = try await store.act(in: Self.id, .rows([id]), by: context) { ground in
            try book.withdraw(id, keepingEntry: true, by: context.account, in: ground)
        }
    }

    func enrol(_ name: String, since day: CalendarDay = CalendarDay(days: 20_000)) async throws {
        let book = try book()
        let request = EnrolmentRequest(
            id: EnrolmentID("e-\(name)"), student: AccountID(name), record: nil, newRecord: RecordID("r-\(name)"),
            entry: EntryID("course"), since: day, programVersion: 1)
        _ = try await store.act(in: Self.id, .student(request.student), by: context()) { ground in
            try book.enrol(request, in: ground, at: Sample.now)
        }
    }

    @discardableResult
    func enter(
        _ changes: CellChange..., by account: AccountID = Sample.teacher, mode: CellMode = .all
    ) async throws -> ActOutcome<CellsAnswer> {
        let book = try book()
        let reach = ActReach.rows(changes.map(\.enrolment))
        return try await store.act(in: Self.id, reach, by: context(by: account)) { ground in
            try book.enter(changes, mode, reason: "marked", in: ground)
        }
    }

    /// Decides the move of a record to version 2 of the same rules.
    func move(_ record: RecordID) async throws -> RecordMove {
        guard let linked = try await store.linked(record) else { throw Violation(description: "no record") }
        let rules = RecordRules(
            rules: try Self.rules.get(), programVersion: 2, language: .english, newID: { EntryID("new") })
        return try RecordMove(linked, to: rules, judgingClosed: false) { _ in
            nil
        } books: { taught throws(FaultList) in
            try ClassBook(taught.structure, under: rules)
        }
    }

    func undo(_ version: Version) async throws {
        let book = try book()
        _ = try await store.act(in: Self.id, .act(version), by: context()) { ground in
            try book.undo(version, by: Sample.teacher, in: ground)
        }
    }

    func snapshot() async throws -> ClassSnapshot {
        guard let found = try await store.taughtClass(Self.id) else { throw Violation(description: "no class") }
        return found
    }

    func cell(_ line: String, _ value: JSON, of name: String) -> CellChange {
        CellChange(EnrolmentID("e-\(name)"), LineID(line), value: value)
    }

    /// The GPA of a student's record.
    func gpa(_ name: String) async throws -> String? {
        let record = try await place.store.found("r-\(name)")
        return try JSON.parse(record.full.standing)["figures"]?["gpa"]?["display"]?.string
    }
}
