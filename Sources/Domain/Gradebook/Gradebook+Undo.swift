public import Classes
import GradingKit
public import Shared

extension Gradebook {
    /// Takes back an act, with a new act. Cells that still have the content of the act get their earlier content. The
    /// structure becomes the earlier one if it has not changed since. A student who joined or left is out again, or in.
    /// What others have changed since stays, and is named below `/rows/{enrolment}/{line}`; so does what is about the
    /// person who undoes.
    ///
    /// - Throws: `FaultList` with `line_changed` when the structure was changed again; `nothing_to_undo` for an act
    ///   that cannot be undone this way; `about_oneself` if the student who joined or left is the person who undoes.
    public func undo(
        _ version: Version, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        let reason = "undo of \(version)"
        if let own = ground.ledger.first(where: { $0.enrolment == nil }) {
            // What people know already is not hidden again.
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

    /// The scope that a token needs to undo an act, besides that for entering results: the scope of the act itself.
    /// `nil` for none.
    public static func scope(ofUndoing ledger: [LedgerLine]) -> Scope? {
        for line in ledger {
            let after = line.after.flatMap { try? JSON.parse($0) }?.object
            if after?["given"] != nil || after?["status"] != nil { return .givenWrite }
            let isRoster = line.operation == "enrol" || Self.ofRoster.contains { after?[$0] != nil }
            if isRoster { return .rosterWrite }
        }
        return nil
    }

    /// The members of ledger lines that are about students, not their results.
    private static let ofRoster = ["withdrawn", "section", "groups"]

    /// Whether undoing an act puts a student who left back into the class.
    public static func comesBack(byUndoing ledger: [LedgerLine]) -> Bool {
        ledger.count == 1 && ledger.allSatisfy { isWithdrawn($0.after) == true }
    }

    /// Whether a side of a ledger line says that a student has left; `nil` if it does not mention it.
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

    /// Reverses a student's joining, leaving or coming back; `nil` for a line about cells.
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

    /// The reverse of a ledger line about cells. Only acts on cells have such lines.
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

    /// A fault placed at its cell: the places of changes mean nothing to a caller who sent none.
    private static func placed(_ fault: Fault, _ changes: [CellChange]) -> Fault {
        let steps = fault.path.split(separator: "/")
        guard steps.count > 1, let index = Int(steps[1]), changes.indices.contains(index) else { return fault }
        let change = changes[index]
        return Fault(
            fault.code,
            at: "/rows" + JSONPointer.step(change.enrolment.text) + JSONPointer.step(change.line.text), fault.arguments)
    }

    /// The number of a structure in a ledger line.
    public static func number(_ text: [UInt8]?) -> Int? {
        text.flatMap { try? JSON.parse($0) }.flatMap { $0["s"]?.integer }
    }
}
