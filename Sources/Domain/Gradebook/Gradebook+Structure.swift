public import Classes
import GradingKit
import Records
public import Shared

extension Gradebook {
    /// Changes the structure, and judges every row by the new one.
    ///
    /// - Throws: `FaultList`: what is wrong with the steps or with the structure, `structure_refused` with the students
    ///   whose results do not allow it, `class_closed`.
    public func change(
        _ changes: [StructureChange], operation: String = "structure", reason: String?, newID: () -> LineID,
        in truth: any ClassTruth
    ) throws -> (plan: ActPlan, value: ClassStructure) {
        let structure = try truth.snapshot.structure.applying(changes, newID: newID)
        return (try replace(by: structure, operation: operation, reason: reason, in: truth), structure)
    }

    func replace(
        by structure: ClassStructure, operation: String, reason: String?, in truth: any ClassTruth
    ) throws -> ActPlan {
        guard truth.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        // Checked even while there is no row to judge.
        _ = try ClassBook(structure, under: try newestRules())
        var plan = ActPlan(operation, reason: reason)
        plan.structure = structure
        plan.lines = [
            ActPlan.Line(
                enrolment: nil, before: Self.text(truth.snapshot.structure.number), after: Self.text(structure.number))
        ]
        var books = ClassBooks(self, structure)
        do {
            try follow(try truth.rows(nil).filter { !$0.enrolment.isWithdrawn }, &books, truth, in: &plan)
        } catch let refused as RowsRefused {
            throw FaultList(
                refused.rows.prefix(50).map { enrolment, faults in
                    Fault(
                        .structureRefused, at: "/changes",
                        [
                            "enrolment": .string(enrolment.text),
                            "code": .string(faults.first?.code.text ?? ""),
                            "line": faults.first?.entry.map { .string($0.text) } ?? .null,
                        ])
                })
        }
        return plan
    }

    /// Shows or hides the results of lines.
    public func post(
        _ lines: [LineID], hide isHidden: Bool, in truth: any ClassTruth
    ) throws -> (plan: ActPlan, value: ClassStructure) {
        var patch = LinePatch()
        patch.state = isHidden ? .open : .posted
        // What was hidden once is shown by hand.
        if isHidden { patch.isPostedByHand = true }
        return try change(
            lines.map { .patch($0, patch) }, operation: isHidden ? "hide" : "post", reason: nil,
            newID: { LineID("") }, in: truth)
    }

    private static func text(_ number: Int) -> [UInt8] { JSON.object(["s": .number(String(number))]).bytes }
}
