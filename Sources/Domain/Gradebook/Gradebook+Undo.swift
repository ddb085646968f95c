public import Classes
import GradingKit
public import Shared

extension Gradebook {
    /// Takes back an act, as an act of its own: cells that still hold what it wrote get back what they held, a structure
    /// that is still its own becomes the one before, and a student who came or left is out again, or in. What others
    /// changed since is left and named, below `/rows/{enrolment}/{line}`, and so is what is about the person who undoes.
    ///
    /// - Throws: `FaultList` with `line_changed` when the structure was changed again; `nothing_to_undo` for an act that
    ///   is not taken back this way; `about_oneself` where the student who came or left is the person who undoes.
    public func undo(
        _ version: Version, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        let reason = "undo of \(version)"
        if let own = ground.ledger.first(where: { $0.enrolment == nil }) {
            // What people know by now is not hidden again.
            if own.operation == Self.revealing { throw FaultList([Fault(.nothingToTakeBack)]) }
            return try restore(own, reason: reason, in: ground)
        }
        if let line = ground.ledger.first, ground.ledger.count == 1, let enrolment = line.enrolment,
            let decision = try turn(line, of: enrolment, reason: reason, by: account, in: ground)
        {
            return (decision.plan, CellsAnswer(accepted: 1, faults: []))
        }
        if let decision = try reassign(ground.ledger, reason: reason, by: account, in: ground) { return decision }
        if ground.ledger.contains(where: { Self.total($0.after) != nil }) {
            return try regive(ground.ledger, reason: reason, by: account, in: ground)
        }
        if ground.ledger.contains(where: { Self.groups($0.after) != nil }) {
            return try regroup(ground.ledger, reason: reason, in: ground)
        }
        let structure = ground.snapshot.structure
        let changes = try ground.ledger.flatMap { try Self.changes(takingBack: $0, structure) }
        guard !changes.isEmpty else { throw FaultList([Fault(.nothingToTakeBack)]) }
        let (plan, answer) = try enter(
            changes, .each, operation: "undo", reason: reason, within: GraderScope(by: account), in: ground)
        return (plan, CellsAnswer(accepted: answer.accepted, faults: answer.faults.map { Self.placed($0, changes) }))
    }

    /// The scope that a token needs, besides that of entering results, to take back what the ledger says of an act: that
    /// of the act itself. `nil` for none.
    public static func scope(ofUndoing ledger: [LedgerLine]) -> Scope? {
        for line in ledger {
            let after = line.after.flatMap { try? JSON.parse($0) }?.object
            if after?["given"] != nil || after?["status"] != nil { return .givenWrite }
            let isRoster = line.operation == "enrol" || Self.ofRoster.contains { after?[$0] != nil }
            if isRoster { return .rosterWrite }
        }
        return nil
    }

    /// What the ledger says of students and not of their results.
    private static let ofRoster = ["withdrawn", "section", "groups"]

    /// Whether taking back an act puts a student into the class again who left.
    public static func comesBack(byUndoing ledger: [LedgerLine]) -> Bool {
        ledger.count == 1 && ledger.allSatisfy { isWithdrawn($0.after) == true }
    }

    /// What a side of a line of the ledger says of a student's leaving; `nil` where it says nothing.
    private static func isWithdrawn(_ text: [UInt8]?) -> Bool? {
        text.flatMap { try? JSON.parse($0) }?["withdrawn"]?.bool
    }

    private func restore(
        _ line: LedgerLine, reason: String, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        guard let after = Self.number(line.after), let old = ground.former else {
            throw FaultList([Fault(.nothingToTakeBack)])
        }
        let now = ground.snapshot.structure
        guard now.number == after else { throw FaultList([Fault(.lineChanged)]) }
        let (plan, answer) = try replace(
            by: old.restored(over: now), operation: "undo", reason: reason, in: ground)
        return (plan, CellsAnswer(accepted: 1, faults: answer.faults))
    }

    /// A student who joined leaves, who left comes back, and the other way round for an undo of that; `nil` for a line
    /// about cells.
    private func turn(
        _ line: LedgerLine, of enrolment: EnrolmentID, reason: String, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<Enrolment>? {
        let isLeaving = Self.isWithdrawn(line.after)
        if line.operation == "enrol" || isLeaving == false {
            guard ground.rows.contains(where: { !$0.enrolment.isWithdrawn }) else {
                throw FaultList([Fault(.nothingToTakeBack)])
            }
            return try withdraw(
                enrolment, keepingEntry: false, operation: "undo", reason: reason, by: account, in: ground)
        }
        return isLeaving == true ? try takeBack(enrolment, reason: reason, by: account, in: ground) : nil
    }

    /// What a line of the ledger says of cells, the other way round; only an act of cells says anything.
    private static func changes(
        takingBack line: LedgerLine, _ structure: ClassStructure
    ) throws -> [CellChange] {
        guard let enrolment = line.enrolment, ["cells", LedgerLine.missed, "undo"].contains(line.operation),
            let before = try line.before.map({ try JSON.parse($0) })?.object,
            let after = try line.after.map({ try JSON.parse($0) })?.object
        else { return [] }
        return after.compactMap { member in
            guard let number = Int(member.name), let id = structure.line(numbered: number)?.id,
                let new = ClassCell(member.value), let old = before[member.name].flatMap({ ClassCell($0) })
            else { return nil }
            return CellChange(enrolment, id, restoring: old, over: new)
        }
    }

    /// A fault at the cell that it is about: the places of changes say nothing to a caller who named none.
    private static func placed(_ fault: Fault, _ changes: [CellChange]) -> Fault {
        let steps = fault.path.split(separator: "/")
        guard steps.count > 1, let index = Int(steps[1]), changes.indices.contains(index) else { return fault }
        let change = changes[index]
        return Fault(
            fault.code,
            at: "/rows" + JSONPointer.step(change.enrolment.text) + JSONPointer.step(change.line.text), fault.arguments)
    }

    /// The number of a structure, as the ledger has it.
    public static func number(_ text: [UInt8]?) -> Int? {
        text.flatMap { try? JSON.parse($0) }.flatMap { $0["s"]?.integer }
    }
}
