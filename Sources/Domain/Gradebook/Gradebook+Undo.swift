import Classes
import GradingKit
public import Shared

extension Gradebook {
    /// Takes back an act, as an act of its own: cells that still hold what it wrote get back what they held, and a
    /// structure that is still its own becomes the one before. What others changed since is left and named.
    ///
    /// - Throws: `FaultList` with `line_changed` when the structure was changed again; `nothing_to_undo` for an act that
    ///   is not taken back this way.
    public func undo(
        _ version: Version, in truth: any ClassTruth
    ) throws -> (plan: ActPlan, value: CellsAnswer) {
        let lines = try truth.ledger(of: version)
        let reason = "undo of \(version)"
        if let own = lines.first(where: { $0.enrolment == nil }) {
            let (before, after) = (Self.number(own.before), Self.number(own.after))
            guard let before, let after, let old = try truth.structure(numbered: before) else {
                throw FaultList([Fault(.nothingToTakeBack)])
            }
            let now = truth.snapshot.structure
            guard now.number == after else { throw FaultList([Fault(.lineChanged)]) }
            let plan = try replace(
                by: old.restored(over: now), operation: "undo", reason: reason, in: truth)
            return (plan, CellsAnswer(accepted: 1, faults: []))
        }
        let changes = try lines.flatMap { try Self.changes(takingBack: $0, truth.snapshot.structure) }
        guard !changes.isEmpty else { throw FaultList([Fault(.nothingToTakeBack)]) }
        return try enter(changes, .each, operation: "undo", reason: reason, in: truth)
    }

    /// What a line of the ledger says of cells, the other way round; only an act of cells says anything.
    private static func changes(
        takingBack line: LedgerLine, _ structure: ClassStructure
    ) throws -> [CellChange] {
        guard let enrolment = line.enrolment, ["cells", "undo"].contains(line.operation),
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

    private static func number(_ text: [UInt8]?) -> Int? {
        text.flatMap { try? JSON.parse($0) }.flatMap { $0["s"]?.integer }
    }
}
