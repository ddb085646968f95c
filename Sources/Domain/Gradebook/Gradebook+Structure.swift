public import Classes
public import GradingKit
import Records
public import Shared

/// What became of a change of the structure.
public struct StructureAnswer: Sendable, Equatable {
    /// The new structure.
    public let structure: ClassStructure
    /// The rows that could not be judged before either, below `/rows/{enrolment}`: their records stay as they are.
    public let faults: [Fault]
}

extension Gradebook {
    /// Changes the structure, and judges every row by the new one.
    ///
    /// - Throws: `FaultList`: what is wrong with the steps or with the structure, `structure_refused` with the students
    ///   whose results do not allow it, `class_closed`.
    public func change(
        _ changes: [StructureChange], operation: String = "structure", reason: String?, newID: () -> LineID,
        in ground: ActGround
    ) throws -> ActDecision<StructureAnswer> {
        let structure = try proposed(changes, newID: newID, in: ground)
        return try replace(by: structure, operation: operation, reason: reason, in: ground)
    }

    /// The structure after some steps. New lines are posted as the class says, unless a step says otherwise.
    func proposed(
        _ changes: [StructureChange], newID: () -> LineID, in ground: ActGround
    ) throws(FaultList) -> ClassStructure {
        let steps = changes.map { change -> StructureChange in
            guard case .add(let kind, let parent, var patch) = change else { return change }
            patch.isPostedByHand = patch.isPostedByHand ?? ground.snapshot.head.isPostedByHand
            return .add(kind: kind, in: parent, patch)
        }
        return try ground.snapshot.structure.applying(steps, newID: newID)
    }

    func replace(
        by structure: ClassStructure, operation: String, reason: String?, in ground: ActGround
    ) throws -> ActDecision<StructureAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        // Checked even while there is no row to judge.
        _ = try ClassBook(structure, under: try newestRules())
        var plan = ActPlan(operation, reason: reason)
        plan.structure = structure
        plan.lines = [
            ActPlan.Line(
                enrolment: nil, before: Self.text(ground.snapshot.structure.number), after: Self.text(structure.number))
        ]
        var books = ClassBooks(self, structure)
        do {
            let unusable = try follow(
                ground.rows.filter { !$0.enrolment.isWithdrawn }, &books, ground, in: &plan)
            let faults = try faults(of: unusable, in: ground)
            return (plan, StructureAnswer(structure: structure, faults: faults))
        } catch let refused as RowsRefused {
            throw FaultList(refused.rows.prefix(Self.greatestNaming).map(Self.refusal))
        }
    }

    /// How many students a refusal names.
    private static let greatestNaming = 50

    private static func refusal(_ enrolment: EnrolmentID, _ faults: [RowFault]) -> Fault {
        Fault(
            .structureRefused, at: "/changes",
            [
                "enrolment": .string(enrolment.text), "code": .string(faults.first?.code.text ?? ""),
                "line": faults.first?.entry.map { .string($0.text) } ?? .null,
            ])
    }

    /// Rows that cannot be judged by the new structure: those that the present one could not judge either are named, and
    /// the others refuse the change.
    private func faults(of unusable: [EnrolmentID: Fault], in ground: ActGround) throws -> [Fault] {
        guard !unusable.isEmpty else { return [] }
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        var (named, refused) = ([Fault](), RowsRefused())
        for row in ground.rows {
            guard let fault = unusable[row.enrolment.id] else { continue }
            if fault.code == .rulesUnusable, let version = ground.records[row.enrolment.record]?.head.programVersion {
                do {
                    _ = try books.book(version)
                    refused.rows.append((row.enrolment.id, [RowFault(fault)]))
                    continue
                } catch is RowUnusable {}
            }
            named.append(fault.prefixed("/rows" + JSONPointer.step(row.enrolment.id.text)))
        }
        if !refused.rows.isEmpty { throw refused }
        return named
    }

    /// Shows or hides the results of lines.
    public func post(
        _ lines: [LineID], hide isHidden: Bool, in ground: ActGround
    ) throws -> ActDecision<StructureAnswer> {
        var patch = LinePatch()
        patch.state = isHidden ? .open : .posted
        // What was hidden once is shown by hand.
        if isHidden { patch.isPostedByHand = true }
        return try change(
            lines.map { .patch($0, patch) }, operation: isHidden ? "hide" : "post", reason: nil,
            newID: { LineID("") }, in: ground)
    }

    private static func text(_ number: Int) -> [UInt8] { JSON.object(["s": .number(String(number))]).bytes }
}
