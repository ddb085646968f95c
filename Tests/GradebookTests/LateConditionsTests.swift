import Classes
import Gradebook
import GradingKit
import Shared
import Testing

/// What a policy keeps, and on which condition a delay is entered.
extension GradebookTests {
    private func delay(_ json: JSON) throws -> CellChange {
        try CellChange(json, Self.ada, LineID("l3"), at: "/cells/0")
    }

    private func enrolled() throws -> Classroom {
        var room = try course()
        try room.enrol("ada")
        return room
    }

    private func policy(_ json: JSON, in room: inout Classroom) throws -> WorkPolicy {
        let steps = try StructureChange.list([["op": "policy", "policy": json]], at: "/changes")
        try room.change(#require(steps.first))
        return room.snapshot.structure.policy
    }

    @Test func `a member of a policy that is left out stays, and null takes it away`() throws {
        var room = try enrolled()
        let late = WorkPolicy.Lateness(10, per: .day)
        let missing = WorkPolicy.Absence(share: 0, isAutomatic: true)
        let steps: [(JSON, WorkPolicy)] = [
            (["missing": ["percent": 0, "automatic": true]], WorkPolicy(absence: missing)),
            (["late": ["percent": 10, "per": "day"]], WorkPolicy(lateness: late, absence: missing)),
            ([:], WorkPolicy(lateness: late, absence: missing)),
            (["missing": nil], WorkPolicy(lateness: late)),
            (["late": nil], WorkPolicy()),
        ]
        for (json, expected) in steps {
            let policy = try policy(json, in: &room)
            #expect(policy == expected)
        }
    }

    @Test func `a delay is entered over the delay that was seen, and a conflict shows the other's`() throws {
        var room = try enrolled()
        try room.enter(delay(["late": 120, "was": ["late": nil]]), by: AccountID("other"))
        do {
            try room.enter(delay(["late": 180, "was": ["late": nil]]))
            Issue.record("the other's delay was lost")
        } catch let faults as FaultList {
            #expect(faults.faults.map(\.code) == [.cellConflict])
            #expect(faults.faults.first?.arguments["late"] == 120)
        }
        // What stands there already is accepted whatever was seen, and a delay has no condition by itself.
        try room.enter(delay(["late": 120, "was": ["late": 0]]))
        try room.enter(delay(["late": 60]))
        try room.enter(delay(["late": 30, "was": ["late": 60]]))
        #expect(room.enrolled[0].row[3].late == 30)
    }

    @Test func `of a delay alone the result is no condition, and of a result the delay is none`() throws {
        var room = try enrolled()
        try room.enter(delay(["value": 80, "late": 60]))
        try room.enter(delay(["late": 90, "was": ["late": 60]]))
        try room.enter(delay(["value": 70, "was": ["value": 80]]))
        for was in [["value": 70, "late": 60], ["value": nil, "late": 90], ["status": nil, "late": 90]] as [JSON] {
            #expect(faults { try room.enter(delay(["late": 30, "was": was])) } == ["cell_conflict /cells/0"])
        }
        try room.enter(delay(["late": 30, "was": ["value": 70, "late": 90]]))
        #expect(room.enrolled[0].row[3].late == 30)
    }

    @Test(arguments: ["90", .number("1.5"), true, [90]] as [JSON])
    func `a delay that was seen is a number of minutes`(_ late: JSON) {
        #expect(
            faults { _ = try delay(["late": 30, "was": ["late": late]]) } == ["wrong_type /cells/0/was/late"])
    }
}
