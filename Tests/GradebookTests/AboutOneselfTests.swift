import Classes
import Gradebook
import GradingKit
import Shared
import Testing

/// Ada teaches the class in which she is a student; Bob is another student.
@Suite struct AboutOneselfTests {
    private static let course = GradebookTests()
    private static let ada = AccountID("ada")
    private static let teachers: Set = [ada, Classroom.teacher]
    private static let own = EnrolmentID("e-ada")
    private static let other = EnrolmentID("e-bob")

    private func room() throws -> Classroom {
        var room = try Self.course.course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        try room.enter(cell("l4", 7, Self.own), cell("l4", 7, Self.other))
        let ada = ClassStaff(Self.ada, as: .teacher)
        room.carryOut(try room.gradebook.appoint(ada, among: Self.teachers, in: room.ground(.rows([]))).plan)
        return room
    }

    private func cell(_ line: String, _ value: JSON, _ row: EnrolmentID) -> CellChange {
        CellChange(row, LineID(line), value: value)
    }

    private func score(of name: String, in room: Classroom) -> FieldValue? {
        room.enrolled.first { $0.enrolment.id.text == "e-\(name)" }?.row[4].values["score"]
    }

    private func faults(_ body: () throws -> Void) -> [String] { Self.course.faults(body) }

    private func faults(of answer: CellsAnswer) -> [String] { answer.faults.map { "\($0.code) \($0.path)" } }

    @Test func `one enters no result, mark or delay of the own, and shows or hides none`() throws {
        var room = try room()
        let own = (CellChange(Self.own, LineID("l4"), status: "missing"), CellChange(Self.own, LineID("l4")))
        var (held, late, mark) = (own.1, own.1, own.1)
        held.isHeldBack = true
        late.late = 60
        mark.mark = 9
        for change in [cell("l4", 10, Self.own), own.0, held, late, mark] {
            #expect(faults { try room.enter(change, by: Self.ada) } == ["about_oneself /cells/0/row"])
        }
        let each = try room.enter(cell("l4", 9, Self.own), cell("l4", 9, Self.other), mode: .each, by: Self.ada)
        #expect(each.accepted == 1)
        #expect(faults(of: each) == ["about_oneself /cells/0/row"])
        #expect(score(of: "ada", in: room) == .number(7))
        #expect(score(of: "bob", in: room) == .number(9))
        // A registrar has no role in the class, and is a student all the same.
        room.carryOut(try room.gradebook.dismiss(Self.ada, among: Self.teachers, in: room.ground(.rows([]))).plan)
        #expect(faults { try room.enter(cell("l4", 10, Self.own), by: Self.ada) } == ["about_oneself /cells/0/row"])
    }

    @Test func `who is behind a service account does none of it through that account`() throws {
        let room = try room()
        let service = AccountID("service")
        let gradebook = Gradebook(rules: [room.rules], makers: [Self.ada, Classroom.teacher])
        let ground = room.ground(.rows([Self.own, Self.other]))
        func enter(_ row: EnrolmentID) throws {
            _ = try gradebook.enter(
                [cell("l4", 10, row)], .all, reason: nil, within: GraderScope(by: service), in: ground)
        }
        #expect(faults { try enter(Self.own) } == ["about_oneself /cells/0/row"])
        #expect(faults { try enter(Self.other) } == [])
        #expect(
            faults { _ = try gradebook.withdraw(Self.own, keepingEntry: true, by: service, in: ground) }
                == ["about_oneself /enrolment"])
    }

    @Test func `the server marks the work of a teacher as missing, too`() throws {
        var room = try room()
        var due = LinePatch()
        due.due = CalendarDay(days: 20_001)
        try room.change(.patch(LineID("l5"), due))
        let (plan, answer) = try room.gradebook.markMissing(dueOn: CalendarDay(days: 20_001), in: room.ground())
        #expect(answer.accepted == 2 && answer.faults.isEmpty)
        #expect(plan.rows.map(\.enrolment.id) == [Self.own, Self.other])
    }

    @Test func `one gives no total of the own`() throws {
        let room = try room()
        let overrides = [Self.other, Self.own].map { RowOverride($0, ["grade": "95"]) }
        let found = faults {
            _ = try room.gradebook.override(
                overrides, reason: "Oral", by: Self.ada, at: Classroom.moment, in: room.ground())
        }
        #expect(found == ["about_oneself /rows/1/row"])
    }

    @Test func `an undo leaves what is about the person who undoes, and names it`() throws {
        var room = try room()
        try room.enter(cell("l4", 2, Self.own), cell("l4", 2, Self.other))
        let answer = try room.undo(room.snapshot.version, by: Self.ada)
        #expect(answer.accepted == 1)
        #expect(faults(of: answer) == ["about_oneself /rows/e-ada/l4"])
        #expect(score(of: "ada", in: room) == .number(2))
        #expect(score(of: "bob", in: room) == .number(7))
        let totals = [Self.own, Self.other].map { RowOverride($0, ["grade": "60"]) }
        room.carryOut(
            try room.gradebook.override(
                totals, reason: "Oral", by: Classroom.teacher, at: Classroom.moment, in: room.ground()
            ).plan)
        let given = try room.undo(room.snapshot.version, by: Self.ada)
        #expect(given.accepted == 1)
        #expect(faults(of: given) == ["about_oneself /rows/e-ada"])
    }

    @Test func `one neither asks for, nor approves, nor refuses a correction of the own row`() throws {
        var room = try room()
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .closed), in: room.ground(.rows([]))).plan)
        func asked(by account: AccountID) throws -> Correction {
            let request = CorrectionRequest(
                id: CorrectionID("page-4"), account: account, at: Classroom.moment, [cell("l4", 10, Self.own)],
                reason: "Page 4")
            let scope = room.snapshot.scope(of: account)
            let decision = try room.gradebook.ask(request, within: scope, in: room.ground(.rows([Self.own])))
            room.carryOut(decision.plan)
            return decision.value
        }
        #expect(faults { _ = try asked(by: Self.ada) } == ["about_oneself /cells/0/row"])
        let correction = try asked(by: Classroom.teacher)
        let ground = room.ground(.correction(correction.id))
        #expect(
            faults { _ = try room.gradebook.approve(by: Self.ada, at: Classroom.moment, in: ground) } == [
                "about_oneself /cells/0/row"
            ])
        #expect(
            faults { _ = try room.gradebook.refuse(by: Self.ada, at: Classroom.moment, in: ground) } == [
                "about_oneself "
            ])
        _ = try room.gradebook.approve(by: AccountID("bob"), at: Classroom.moment, in: ground)
    }

    @Test func `one leaves no class, changes no section, and comes back by no undo of the own`() throws {
        var room = try room()
        try room.change(.addSection(ClassSection.Patch(title: "02", fields: ["credits": 2])))
        let section = try #require(room.snapshot.structure.sections.first?.id)
        let ground = room.ground(.rows([Self.own]))
        let withdrawal = faults { try room.withdraw("ada", keepingEntry: true, by: Self.ada) }
        #expect(withdrawal == ["about_oneself /enrolment"])
        let leaving = faults {
            _ = try room.gradebook.leave(Self.own, for: "Other", by: Self.ada, in: ground)
        }
        #expect(leaving == ["about_oneself /enrolment"])
        let moving = faults {
            _ = try room.gradebook.assign(Self.own, to: section, by: Self.ada, in: ground)
        }
        #expect(moving == ["about_oneself /row"])
        room.carryOut(
            try room.gradebook.assign(Self.own, to: section, by: Classroom.teacher, in: ground).plan)
        #expect(faults(of: try room.undo(room.snapshot.version, by: Self.ada)) == ["about_oneself /rows/e-ada"])
        try room.withdraw("ada", keepingEntry: false)
        let version = room.snapshot.version
        #expect(faults { try room.undo(version, by: Self.ada) } == ["about_oneself "])
        try room.undo(version)
    }

    @Test func `one enters nothing under the own code`() throws {
        var room = try Self.course.course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        var patch = LinePatch()
        patch.marking = .anonymous
        try room.change(.patch(LineID("l3"), patch))
        let codes = AnonymousCodes(secret: Array("secret".utf8), line: LineID("l3"), students: 2).list
        let changes = codes.prefix(2).map {
            SealedCellChange($0, CellChange(EnrolmentID(""), LineID("l3"), value: 90))
        }
        let ground = room.ground(.sealed(line: 3, codes: Array(codes.prefix(2))))
        let (plan, answer) = try room.gradebook.enterSealed(
            changes, in: LineID("l3"), .each, but: [codes[0]], in: ground)
        #expect(faults(of: answer) == ["about_oneself /cells/0/code"])
        room.carryOut(plan)
        #expect(room.sealed[3]?.keys.sorted() == [codes[1]])
    }
}
