import Classes
import Gradebook
import GradingKit
import Shared
import Testing

extension GradebookTests {
    private static let eve = AccountID("eve")
    private static let page4 = CorrectionID("page-4")

    /// A closed class in which Ada has 7, 8 and 70, and a teacher asked for 9 in the first lab.
    private func corrected() throws -> Classroom {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 70), cell("l4", 7), cell("l5", 8))
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .closed), in: room.ground(.rows([]))).plan)
        let request = CorrectionRequest(
            id: Self.page4, account: Classroom.teacher, at: Classroom.moment, [cell("l4", 9)], reason: "Page 4")
        room.carryOut(try room.gradebook.ask(request, in: room.ground(.rows([Self.ada]))).plan)
        return room
    }

    private func later(days: Int64) -> Timestamp {
        Timestamp(microseconds: Classroom.moment.microseconds + days * 86_400_000_000)
    }

    @Test func `a correction that another person approves is entered and decided in one act`() throws {
        var room = try corrected()
        #expect(room.enrolled.first?.row[4].values["score"] == .number(7))
        let ground = room.ground(.correction(Self.page4))
        room.carryOut(try room.gradebook.approve(by: Self.eve, at: later(days: 30), in: ground).plan, by: Self.eve)
        #expect(room.enrolled.first?.row[4].values["score"] == .number(9))
        #expect(room.corrections[Self.page4]?.decision == .entered)
        #expect(room.lines.suffix(3).map(\.operation) == ["correction_asked", "correction", "correction"])
        #expect(room.lines.suffix(3).map(\.account) == [Classroom.teacher, Self.eve, Self.eve])
    }

    @Test func `after thirty days a correction is void, and can only be put away`() throws {
        var room = try corrected()
        let ground = room.ground(.correction(Self.page4))
        #expect(room.corrections[Self.page4]?.state(at: later(days: 30)) == .waiting)
        #expect(room.corrections[Self.page4]?.state(at: later(days: 31)) == .void)
        #expect(
            faults { _ = try room.gradebook.approve(by: Self.eve, at: later(days: 31), in: ground) } == [
                "correction_void "
            ])
        room.carryOut(try room.gradebook.refuse(by: Self.eve, at: later(days: 31), in: ground).plan)
        #expect(room.corrections[Self.page4]?.state(at: later(days: 31)) == .refused)
    }

    @Test func `the person who asked for a correction does not approve it`() throws {
        let room = try corrected()
        let ground = room.ground(.correction(Self.page4))
        let found = faults {
            _ = try room.gradebook.approve(by: Classroom.teacher, at: Classroom.moment, in: ground)
        }
        #expect(found == ["needs_second_person "])
    }

    @Test func `who could have asked for a correction through a service account does not approve it`() throws {
        let room = try corrected()
        let ground = room.ground(.correction(Self.page4))
        let found = faults {
            _ = try room.gradebook.approve(
                by: Self.eve, at: Classroom.moment, besides: [Self.eve, AccountID("bob")], in: ground)
        }
        #expect(found == ["needs_second_person "])
        _ = try room.gradebook.approve(by: AccountID("carl"), at: Classroom.moment, besides: [Self.eve], in: ground)
    }
}
