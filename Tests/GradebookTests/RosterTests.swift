import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// Sections, late enrolment and transfers.
extension GradebookTests {
    private func credits(_ room: Classroom, of name: String) throws -> JSON? {
        let tree = try JSON.parse(try #require(room.records[RecordID("r-\(name)")]).full.tree)
        return tree["entries"]?.array?.first?["fields"]?["credits"]
    }

    private func request(
        _ name: String, section: SectionID? = nil, since day: Int = 20_000, earlier: EarlierWork = .open,
        replacing replaced: EntryID? = nil
    ) -> EnrolmentRequest {
        EnrolmentRequest(
            id: EnrolmentID("e-\(name)"), student: AccountID(name), record: nil, newRecord: RecordID("r-\(name)"),
            entry: EntryID("course-\(name)"), section: section, since: CalendarDay(days: day), earlier: earlier,
            replacing: replaced, programVersion: 1)
    }

    @discardableResult
    private func enrol(_ request: EnrolmentRequest, _ room: inout Classroom) throws -> Enrolment {
        let ground = room.ground(.student(request.student))
        let (plan, enrolment) = try room.gradebook.enrol(request, in: ground, at: Classroom.moment)
        room.carryOut(plan)
        return enrolment
    }

    /// The course with a section `l6` of 2 credits.
    private func sectioned() throws -> Classroom {
        var room = try course()
        try room.change(.addSection(ClassSection.Patch(title: "02", fields: ["credits": 2])))
        return room
    }

    @Test func `students of a section have its values for the root's fields`() throws {
        var room = try sectioned()
        let section = try #require(room.snapshot.structure.sections.first?.id)
        try enrol(request("ada", section: section), &room)
        try enrol(request("bob"), &room)
        #expect(try credits(room, of: "ada") == 2)
        #expect(try credits(room, of: "bob") == 4)
        try room.change(.patchSection(section, ClassSection.Patch(fields: ["credits": 3])))
        #expect(try credits(room, of: "ada") == 3)
        #expect(try credits(room, of: "bob") == 4)
        try room.change(.patchSection(section, ClassSection.Patch(fields: ["credits": .null])))
        #expect(try credits(room, of: "ada") == 4)
    }

    @Test func `a student goes into another section, and an undo brings the student back`() throws {
        var room = try sectioned()
        let section = try #require(room.snapshot.structure.sections.first?.id)
        try enrol(request("ada"), &room)
        room.carryOut(
            try room.gradebook.assign(Self.ada, to: section, by: Classroom.teacher, in: room.ground(.rows([Self.ada])))
                .plan)
        #expect(try credits(room, of: "ada") == 2)
        try room.undo(room.snapshot.version)
        #expect(try credits(room, of: "ada") == 4)
        #expect(room.enrolled.first?.enrolment.section == nil)
        try room.undo(room.snapshot.version)
        #expect(room.enrolled.first?.enrolment.section == section)
        #expect(
            faults {
                _ = try room.gradebook.assign(
                    Self.ada, to: SectionID("no"), by: Classroom.teacher, in: room.ground(.rows([Self.ada])))
            } == ["section_unknown /section"])
    }

    @Test func `a section in which students are is not deleted, and its fields are those of the root`() throws {
        var room = try sectioned()
        let section = try #require(room.snapshot.structure.sections.first?.id)
        try enrol(request("ada", section: section), &room)
        #expect(faults { try room.change(.deleteSection(section)) } == ["section_in_use /changes"])
        let path = "/sections/\(section)/fields"
        #expect(
            faults { try room.change(.patchSection(section, ClassSection.Patch(fields: ["credits": -1]))) }.map {
                $0.split(separator: " ").last.map(String.init) ?? ""
            } == ["\(path)/credits"])
        room.carryOut(
            try room.gradebook.assign(Self.ada, to: nil, by: Classroom.teacher, in: room.ground(.rows([Self.ada]))).plan
        )
        try room.change(.deleteSection(section))
        #expect(room.snapshot.structure.sections == [])
    }

    @Test func `many students go into sections as one act, which is taken back where nothing was changed since`() throws
    {
        var room = try course()
        try room.change(
            .addSection(ClassSection.Patch(title: "02", fields: ["credits": 2])),
            .addSection(ClassSection.Patch(title: "03")))
        let sections = room.snapshot.structure.sections.map(\.id)
        for name in ["ada", "bob"] { try enrol(request(name), &room) }
        let bob = EnrolmentID("e-bob")
        let asked = [SectionChange(Self.ada, to: sections[0], seen: .some(nil)), SectionChange(bob, to: sections[0])]
        let (plan, answer) = try room.gradebook.assign(
            asked, by: Classroom.teacher, in: room.ground(.rows([Self.ada, bob])))
        room.carryOut(plan)
        #expect(answer.accepted == 2 && plan.lines.count == 2)
        #expect(try ["ada", "bob"].map { try credits(room, of: $0) } == [2, 2])
        let version = room.snapshot.version
        #expect(
            faults {
                let late = [
                    SectionChange(Self.ada, to: sections[1], seen: .some(nil)), SectionChange(bob, to: SectionID("no")),
                    SectionChange(EnrolmentID("who"), to: nil),
                ]
                _ = try room.gradebook.assign(late, by: Classroom.teacher, in: room.ground(.rows([Self.ada, bob])))
            } == [
                "section_changed /rows/0/section", "section_unknown /rows/1/section", "enrolment_unknown /rows/2/row",
            ])
        room.carryOut(
            try room.gradebook.assign(bob, to: sections[1], by: Classroom.teacher, in: room.ground(.rows([bob]))).plan)
        let (undo, undone) = try room.gradebook.undo(
            version, by: Classroom.teacher, in: room.ground(.act(version)))
        room.carryOut(undo)
        #expect(undone.accepted == 1 && undone.faults.map(\.path) == ["/rows/e-bob"])
        #expect(room.enrolled.map(\.enrolment.section) == [nil, sections[1]])
    }

    @Test func `a class comes in the place of the entry that stood in the record before`() throws {
        var room = try course()
        let own: JSON = [
            "kind": "course", "fields": ["title": "Mine", "quarter": 1, "year": 2026, "credits": 4],
            "children": [["kind": "category", "fields": ["category": "exams", "weight": 100]]],
        ]
        var made = 0
        let tree = try room.rules.rules.calculation(fields: .null, entries: [own]) {
            made += 1
            return EntryID("own-\(made)")
        }
        let head = RecordHead(
            id: RecordID("r-ada"), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
            student: AccountID("ada"), createdAt: Classroom.moment)
        let amendment = try room.rules.creation(tree, head: head)
        room.records[head.id] = RecordSnapshot(
            head: head, epoch: Epoch("e"), fullVersion: 1, releasedVersion: 1, full: amendment.full,
            released: amendment.released)
        let entries = try room.rules.visibleTree(of: try #require(room.records[head.id]), view: .full)
        let course = try #require(entries.entry(atPosition: 1))
        for (entry, code) in [(EntryID("no"), "entry_not_found"), (course.children[0].id, "entry_not_found")] {
            #expect(faults { try enrol(request("ada", replacing: entry), &room) } == ["\(code) /replaces"])
        }
        try enrol(request("ada", replacing: course.id), &room)
        let left = try JSON.parse(try #require(room.records[head.id]).full.tree)["entries"]?.array
        #expect(left?.map { $0["fields"]?["title"] } == ["Algorithms"])
        var other = try self.course()
        other.records = room.records
        let link = EntryID("course-ada")
        #expect(faults { try enrol(request("ada", replacing: link), &other) } == ["class_entry /replaces"])
        #expect(faults { try enrol(request("bob", replacing: link), &other) } == ["entry_not_found /replaces"])
    }

    @Test func `a number that is typed as a text is stored as a number`() throws {
        var room = try course()
        try room.change(
            .patch(LineID("l3"), LinePatch(fields: ["max": "50", "title": "7"])),
            .addSection(ClassSection.Patch(title: "02", fields: ["credits": "2.5"])))
        let structure = room.snapshot.structure
        #expect(structure.line(LineID("l3"))?.fields == ["title": "7", "max": 50])
        #expect(structure.sections.first?.fields == ["credits": .number("2.5")])
        let since = structure.line(LineID("l3"))?.since
        try room.change(.patch(LineID("l3"), LinePatch(fields: ["max": "50"])))
        #expect(room.snapshot.structure.line(LineID("l3"))?.since == since)
    }

    @Test func `sections survive being stored`() throws {
        let structure = try sectioned().snapshot.structure
        #expect(ClassStructure(text: structure.text) == structure)
    }

    @Test func `who joins late is excused from what was due before, or misses it`() throws {
        for (earlier, status) in [(EarlierWork.excused, "excused"), (.missing, "missing"), (.open, nil)] {
            var room = try course()
            var due = LinePatch()
            due.due = .some(CalendarDay(days: 19_000))
            try room.change(.patch(LineID("l4"), due))
            due.due = .some(CalendarDay(days: 21_000))
            try room.change(.patch(LineID("l5"), due))
            try enrol(request("ada", earlier: earlier), &room)
            let row = try #require(room.enrolled.first).row
            #expect(row[4].statusWord == status)
            #expect(row[5].isEmpty && row[3].isEmpty)
        }
    }

    @Test func `who joins late is neither excused from anonymous work nor misses it`() throws {
        var room = try course()
        var patch = LinePatch()
        patch.due = .some(CalendarDay(days: 19_000))
        patch.marking = .anonymous
        try room.change(.patch(LineID("l4"), patch))
        for (name, earlier) in [("ada", EarlierWork.excused), ("bob", .missing)] {
            try enrol(request(name, earlier: earlier), &room)
        }
        #expect(room.enrolled.map { $0.row[4].isEmpty } == [true, true])
    }

    @Test func `a copy has the same lines under other names, without due dates and curves`() throws {
        var room = try sectioned()
        var patch = LinePatch()
        patch.due = .some(CalendarDay(days: 19_000))
        patch.state = .posted
        try room.change(.patch(LineID("l4"), patch))
        var made = 0
        let copy = room.snapshot.structure.copied(with: ["year": 2027]) {
            made += 1
            return LineID("c\(made)")
        }
        #expect(copy.root.fields["year"] == 2027)
        #expect(copy.lines.map(\.key) == room.snapshot.structure.lines.map(\.id.text))
        #expect(copy.lines.allSatisfy { $0.due == nil && $0.state == .open })
        #expect(copy.lines.dropFirst().allSatisfy { line in copy.lines.contains { $0.id == line.parent } })
        #expect(copy.sections.map(\.title) == ["02"])
        _ = try ClassBook(copy, under: room.rules)
        // A copy of the copy shares the same keys.
        #expect(copy.copied(with: [:]) { LineID("d") }.lines.map(\.key) == copy.lines.map(\.key))
    }

    @Test func `results go along to a class whose lines share their keys`() throws {
        var (room, other) = (try course(), try course())
        try room.enrol("ada")
        try room.enter(cell("l3", 80), cell("l4", 7), cell("l5", 9))
        // In the other class one line has another maximum, and one is gone.
        try other.change(.patch(LineID("l4"), LinePatch(fields: ["max": 20])), .delete(LineID("l5")))
        let (leaving, row) = try room.gradebook.leave(
            Self.ada, for: "Other", by: Classroom.teacher, in: room.ground(.rows([Self.ada])))
        room.carryOut(leaving)
        #expect(room.enrolled.first?.enrolment.isWithdrawn == true)
        #expect(room.lines.last?.reason == "transfer to Other")
        other.records = room.records
        let (arriving, answer) = try other.gradebook.arrive(
            request("ada"), with: row, in: other.ground(.student(AccountID("ada"))), at: Classroom.moment)
        other.carryOut(arriving)
        #expect(answer.left == [LineID("l4"), LineID("l5")])
        #expect(other.enrolled.first?.row.cells.keys.sorted() == [3])
        #expect(other.enrolled.first?.enrolment.record == RecordID("r-ada"))
        #expect(other.lines.last?.reason == "transfer from Algorithms")
    }
}
