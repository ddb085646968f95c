import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// Groups of students in sets, and graders who are limited to them.
@Suite struct GroupTests {
    private let course = GradebookTests()
    private static let (monday, tuesday, team) = (GroupID("monday"), GroupID("tuesday"), GroupID("team"))

    /// Three students; labs on Monday and Tuesday, and a team.
    private func room() throws -> Classroom {
        var room = try course.course()
        for name in ["ada", "bob", "eve"] { try room.enrol(name) }
        for group in [
            ClassGroup(Self.monday, in: "Labs", title: "Monday"),
            ClassGroup(Self.tuesday, in: "Labs", title: "Tuesday"), ClassGroup(Self.team, in: "Teams", title: "One"),
        ] {
            room.carryOut(try room.gradebook.makeGroup(group, in: room.ground(.rows([]))).plan)
        }
        return room
    }

    private func row(_ name: String) -> EnrolmentID { EnrolmentID("e-\(name)") }

    private func move(_ id: GroupID, _ joining: [String], leaving: [String] = [], in room: inout Classroom) throws {
        let (join, leave) = (joining.map { row($0) }, leaving.map { row($0) })
        let ground = room.ground(.rows(join + leave))
        room.carryOut(try room.gradebook.regroup(id, joining: join, leaving: leave, in: ground).plan)
    }

    private func groups(of name: String, in room: Classroom) -> [GroupID] {
        room.enrolled.filter { $0.enrolment.id == row(name) }.flatMap { room.snapshot.groups(of: $0.enrolment) }
    }

    @Test func `a student is in at most one group of a set, and in groups of other sets`() throws {
        var room = try room()
        try move(Self.monday, ["ada", "bob"], in: &room)
        try move(Self.team, ["ada"], in: &room)
        try move(Self.tuesday, ["ada"], in: &room)
        #expect(groups(of: "ada", in: room) == [Self.tuesday, Self.team])
        #expect(groups(of: "bob", in: room) == [Self.monday])
        // Who followed the group of Monday learns that Ada is gone.
        #expect(room.enrolled[0].enrolment.groups.left == [Self.monday])
        try move(Self.monday, ["ada"], in: &room)
        #expect(room.enrolled[0].enrolment.groups.left == [Self.tuesday])
        #expect(room.lines.last?.operation == "groups")
        let version = room.snapshot.version
        // The same again is no act.
        try move(Self.monday, ["ada"], in: &room)
        #expect(
            try room.gradebook.regroup(
                Self.monday, joining: [row("ada")], leaving: [], in: room.ground(.rows([row("ada")]))
            ).plan.isEmpty)
        #expect(room.lines.last?.version == version)
    }

    @Test func `results and records stay as they are when groups change`() throws {
        var room = try room()
        try room.enter(course.cell("l4", 7))
        let (rows, records) = (room.enrolled.map(\.row), room.records.mapValues(\.fullVersion))
        try move(Self.monday, ["ada"], in: &room)
        #expect(room.enrolled.map(\.row) == rows)
        #expect(room.records.mapValues(\.fullVersion) == records)
    }

    @Test func `an act on groups is taken back whole, but for students who moved on`() throws {
        var room = try room()
        try move(Self.monday, ["ada", "bob"], in: &room)
        try move(Self.tuesday, ["ada", "bob"], in: &room)
        let version = room.snapshot.version
        try move(Self.monday, ["bob"], in: &room)
        let answer = try room.undo(version)
        #expect(answer.accepted == 1)
        #expect(answer.faults.map { "\($0.code) \($0.path)" } == ["group_changed /rows/e-bob"])
        #expect(groups(of: "ada", in: room) == [Self.monday])
        try room.undo(room.snapshot.version)
        #expect(groups(of: "ada", in: room) == [Self.tuesday])
    }

    @Test func `what is wrong with groups is said at its place`() throws {
        var room = try room()
        let make = { (title: String) in
            course.faults {
                let group = ClassGroup(GroupID("new"), in: "Labs", title: title)
                _ = try room.gradebook.makeGroup(group, in: room.ground(.rows([])))
            }
        }
        #expect(make("Monday") == ["group_taken /title"])
        #expect(make("Friday") == [])
        #expect(
            course.faults {
                _ = try room.gradebook.renameGroup(Self.tuesday, "Monday", in: room.ground(.rows([])))
            } == ["group_taken /title"])
        #expect(
            course.faults {
                _ = try room.gradebook.regroup(
                    Self.monday, joining: [row("ada"), row("no")], leaving: [], in: room.ground(.rows([row("ada")])))
            } == ["enrolment_unknown /join/1"])
        #expect(throws: StoreError.notFound) {
            _ = try room.gradebook.deleteGroup(GroupID("no"), in: room.ground(.rows([])))
        }
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .closed), in: room.ground(.rows([]))).plan)
        #expect(make("Friday") == ["class_closed "])
        #expect(course.faults { try move(Self.monday, ["ada"], in: &room) } == ["class_closed "])
    }

    @Test func `a grader of a group enters results and comments for its students alone`() throws {
        var room = try room()
        try move(Self.monday, ["ada"], in: &room)
        let scope = GraderScope(lines: [LineID("l2")], groups: [Self.monday])
        let changes = ["ada", "bob"].flatMap { name in
            ["l4", "l3"].map { course.cell($0, 7, row(name)) }
        }
        let ground = room.ground(.rows([row("ada"), row("bob")]))
        let (plan, answer) = try room.gradebook.enter(changes, .each, reason: nil, within: scope, in: ground)
        #expect(answer.accepted == 1)
        #expect(
            answer.faults.map { "\($0.code) \($0.path)" } == [
                "line_not_assigned /cells/1/line", "row_not_assigned /cells/2/row", "line_not_assigned /cells/3/line",
                "row_not_assigned /cells/3/row",
            ])
        #expect(plan.rows.map(\.enrolment.id) == [row("ada")])
        let remark = CommentRequest(
            id: CommentID("c"), on: row("bob"), LineID("l4"), by: Classroom.teacher, at: Classroom.moment, for: .staff,
            "x")
        #expect(
            course.faults {
                _ = try room.gradebook.comment(
                    remark, within: scope, in: room.ground(.cell(row("bob"), line: 4)))
            } == ["row_not_assigned /row"])
    }

    @Test func `a role is limited to groups that are there, and these stay`() throws {
        var room = try room()
        let eve = AccountID("eve")
        let refused = { (member: ClassStaff) in
            course.faults {
                _ = try room.gradebook.appoint(
                    member, among: [member.account, Classroom.teacher], in: room.ground(.rows([])))
            }
        }
        #expect(
            refused(ClassStaff(eve, as: .grader, groups: [Self.monday, GroupID("no")])) == ["group_unknown /groups/1"])
        #expect(refused(ClassStaff(eve, as: .grader, groups: [])) == ["missing_field /groups"])
        #expect(refused(ClassStaff(eve, as: .observer, groups: [Self.monday])) == ["unknown_field /groups"])
        let grader = ClassStaff(eve, as: .grader, groups: [Self.monday])
        room.carryOut(
            try room.gradebook.appoint(grader, among: [grader.account, Classroom.teacher], in: room.ground(.rows([])))
                .plan)
        #expect(
            course.faults { _ = try room.gradebook.deleteGroup(Self.monday, in: room.ground(.rows([]))) }
                == ["group_in_use "])
        room.carryOut(try room.gradebook.deleteGroup(Self.tuesday, in: room.ground(.rows([]))).plan)
        #expect(room.snapshot.groups.map(\.id) == [Self.monday, Self.team])
    }

    @Test(arguments: [GroupPlaces(), GroupPlaces([monday], left: [team]), GroupPlaces([], left: [team])])
    func `places survive being stored`(places: GroupPlaces) {
        #expect(GroupPlaces(places.json) == places)
    }
}
