import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// What a class says of itself, its staff, and what is tried in it.
extension GradebookTests {
    @Test func `a grader of some lines enters results in them and in what stands in them, and in no other`() throws {
        var room = try course()
        try room.enrol("ada")
        let changes = [cell("l4", 7), cell("l3", 50)]
        let ground = room.ground(.rows([Self.ada]))
        let labs = GraderScope(lines: [LineID("l2")])
        let each = try room.gradebook.enter(changes, .each, reason: nil, within: labs, in: ground)
        #expect(each.value.accepted == 1)
        #expect(each.value.faults.map { "\($0.code) \($0.path)" } == ["line_not_assigned /cells/1/line"])
        #expect(each.plan.rows.map { $0.row.cells.keys.sorted() } == [[4]])
        #expect(
            faults { _ = try room.gradebook.enter(changes, .all, reason: nil, within: labs, in: ground) }
                == ["line_not_assigned /cells/1/line"])
        #expect(try room.gradebook.enter(changes, .all, reason: nil, in: ground).value.accepted == 2)
    }

    @Test func `a role is given in lines that are there, and a class keeps a teacher`() throws {
        var room = try course()
        let eve = AccountID("eve")
        let people: Set = [eve, Classroom.teacher]
        let refused = { (member: ClassStaff) in
            faults { _ = try room.gradebook.appoint(member, among: people, in: room.ground(.rows([]))) }
        }
        #expect(refused(ClassStaff(eve, as: .grader, in: [LineID("l3"), LineID("no")])) == ["line_unknown /lines/1"])
        #expect(refused(ClassStaff(eve, as: .observer, in: [LineID("l3")])) == ["unknown_field /lines"])
        #expect(refused(ClassStaff(Classroom.teacher, as: .observer)) == ["teacher_needed /role"])
        let grader = ClassStaff(eve, as: .grader, in: [LineID("l3")])
        room.carryOut(try room.gradebook.appoint(grader, among: people, in: room.ground(.rows([]))).plan)
        #expect(room.snapshot.member(eve) == grader)
        #expect(room.lines.last?.operation == "staff")
        // The same again is no act.
        #expect(try room.gradebook.appoint(grader, among: people, in: room.ground(.rows([]))).plan.isEmpty)
        room.carryOut(try room.gradebook.dismiss(eve, among: people, in: room.ground(.rows([]))).plan)
        #expect(room.snapshot.member(eve) == nil)
        let version = room.snapshot.version
        #expect(faults { try room.undo(version) } == ["nothing_to_undo "])
    }

    @Test func `a service account is never the only teacher of a class`() throws {
        var room = try course()
        let (software, people) = (AccountID("timetables"), Set([Classroom.teacher]))
        let member = ClassStaff(software, as: .teacher)
        room.carryOut(try room.gradebook.appoint(member, among: people, in: room.ground(.rows([]))).plan)
        let ground = room.ground(.rows([]))
        let last = ClassStaff(Classroom.teacher, as: .grader)
        let dismissal = faults { _ = try room.gradebook.dismiss(Classroom.teacher, among: people, in: ground) }
        #expect(dismissal == ["teacher_needed /role"])
        let appointment = faults { _ = try room.gradebook.appoint(last, among: people, in: ground) }
        #expect(appointment == ["teacher_needed /role"])
        _ = try room.gradebook.dismiss(software, among: people, in: ground)
    }

    @Test func `a closed class takes nothing until it is opened again`() throws {
        var room = try course()
        try room.enrol("ada")
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .closed), in: room.ground(.rows([]))).plan)
        #expect(room.lines.last?.operation == "close")
        #expect(faults { try room.enter(cell("l4", 7)) } == ["class_closed "])
        #expect(faults { try room.enrol("bob") } == ["class_closed "])
        #expect(
            faults { _ = try room.gradebook.settle(ClassPatch(title: "Logic"), in: room.ground(.rows([]))) }
                == ["class_closed "])
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .open), in: room.ground(.rows([]))).plan)
        try room.enter(cell("l4", 7))
    }

    @Test func `new lines are posted as the class says, unless a step says otherwise`() throws {
        var room = try course()
        room.carryOut(try room.gradebook.settle(ClassPatch(isPostedByHand: true), in: room.ground(.rows([]))).plan)
        var own = LinePatch(fields: ["title": "Lab 4", "max": 10])
        own.isPostedByHand = false
        try room.change(
            .add(kind: "item", in: LineID("l2"), LinePatch(fields: ["title": "Lab 3", "max": 10])),
            .add(kind: "item", in: LineID("l2"), own))
        #expect(room.snapshot.structure.line(LineID("l6"))?.isPostedByHand == true)
        #expect(room.snapshot.structure.line(LineID("l7"))?.isPostedByHand == false)
        #expect(room.snapshot.structure.line(LineID("l4"))?.isPostedByHand == false)
    }

    @Test func `a rehearsal tells what each row would say and which refuse, and changes nothing`() throws {
        var room = try course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        try room.enter(cell("l3", 100), cell("l4", 0), cell("l5", 0))
        let weights = [StructureChange.patch(LineID("l1"), LinePatch(fields: ["weight": 40]))]
        let rows = try room.gradebook.rehearse(weights, newID: { LineID("") }, in: room.ground()).rows
        #expect(rows.map(\.enrolment.text) == ["e-ada", "e-bob"])
        #expect(rows.map { $0.before?.displays["grade"] } == ["60.00", ""])
        #expect(rows.map { $0.after?.displays["grade"] } == ["50.00", ""])
        #expect(rows.map(\.refusal) == [nil, nil])
        let no = [StructureChange.patch(LineID("l3"), LinePatch(fields: ["max": 0]))]
        #expect(
            faults { _ = try room.gradebook.rehearse(no, newID: { LineID("") }, in: room.ground()) }
                == ["max_not_positive /lines/l3/fields/max"])
    }

    @Test func `a draft, with what stands in it, is to students as if it were not there`() throws {
        var room = try course()
        try room.enrol("ada")
        var draft = LinePatch()
        draft.state = .draft
        var due = LinePatch()
        due.due = CalendarDay(days: 20_000)
        try room.change(.patch(LineID("l2"), draft), .patch(LineID("l3"), due), .patch(LineID("l4"), due))
        #expect(room.snapshot.structure.drafts == Set(["l2", "l4", "l5"].map { LineID($0) }))
        let book = try ClassBook(room.snapshot.structure, under: room.rules)
        for line in ["l2", "l4", "l9"] {
            let found = faults { _ = try book.tried([cell(line, 5)], in: room.enrolled[0], asStudent: true) }
            #expect(found == ["line_unknown /cells/\(line)"])
        }
        let missing = try room.gradebook.markMissing(dueOn: CalendarDay(days: 20_000), in: room.ground()).plan
        #expect(missing.rows.map { $0.row.cells.keys.sorted() } == [[3]])
        let comment = CommentRequest(
            id: CommentID("c"), on: Self.ada, LineID("l4"), by: Classroom.teacher, at: Classroom.moment,
            for: .student, "Clear")
        let plan = try room.gradebook.comment(comment, in: room.ground(.cell(Self.ada, line: 4))).plan
        guard case .written(_, isSeen: let isSeen)? = plan.comment else {
            Issue.record("no comment")
            return
        }
        #expect(!isSeen)
    }

    @Test func `it is told how many marks of missing work stay when a due date moves on or goes`() throws {
        var room = try course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        func dueOn(_ day: Int?) -> StructureChange {
            var patch = LinePatch()
            patch.due = .some(day.map { CalendarDay(days: $0) })
            return .patch(LineID("l3"), patch)
        }
        try room.change(dueOn(20_000))
        room.carryOut(try room.gradebook.markMissing(dueOn: CalendarDay(days: 20_000), in: room.ground()).plan)
        func left(_ day: Int?) throws -> [Int] {
            let ground = room.ground()
            let tried = try room.gradebook.rehearse([dueOn(day)], newID: { LineID("") }, in: ground)
            let done = try room.gradebook.change([dueOn(day)], reason: nil, newID: { LineID("") }, in: ground)
            return [tried.stillMissing, done.value.stillMissing]
        }
        #expect(try left(20_007) == [2, 2])
        #expect(try left(nil) == [2, 2])
        #expect(try left(19_990) == [0, 0])
        try room.enter(cell("l3", 70))
        #expect(try left(20_007) == [1, 1])
    }

    @Test func `a student tries results without seeing those that are not shown`() throws {
        var room = try course()
        try room.enrol("ada")
        var byHand = LinePatch()
        byHand.isPostedByHand = true
        var draft = LinePatch(fields: ["title": "Lab 3", "max": 10])
        draft.state = .draft
        try room.change(.patch(LineID("l3"), byHand), .add(kind: "item", in: LineID("l2"), draft))
        try room.enter(cell("l3", 10), cell("l4", 10), cell("l6", 10))
        let book = try ClassBook(room.snapshot.structure, under: room.rules)
        func grade(_ changes: [CellChange], asStudent: Bool) throws -> String? {
            let part = try book.tried(changes, in: room.enrolled[0], asStudent: asStudent)
            return try room.rules.rules.standing(of: part).entry(EntryID("course-ada"))?.figure("grade")?.display
        }
        // Staff: 10 % of 60 and 20 of 30 points of 40; the student knows of the one lab alone.
        #expect(try grade([cell("l5", 0)], asStudent: false) == "32.67")
        #expect(try grade([], asStudent: true) == "100.00")
        #expect(try grade([cell("l3", 50)], asStudent: true) == "70.00")
        #expect(faults { _ = try grade([cell("l6", 5)], asStudent: true) } == ["line_unknown /cells/l6"])
        #expect(faults { _ = try grade([cell("l2", 5)], asStudent: true) } == ["not_a_cell /cells/l2"])
        #expect(faults { _ = try grade([cell("l9", 5)], asStudent: true) } == ["line_unknown /cells/l9"])
        #expect(faults { _ = try grade([cell("l4", -1)], asStudent: true) } == ["grade_out_of_range /cells/l4"])
        #expect(room.enrolled[0].row[3].values["score"] == .number(10))
    }
}

extension EntryStanding {
    fileprivate func figure(_ name: String) -> StandingFigure? { figures.first { $0.name == name } }
}
