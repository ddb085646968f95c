public import Classes
public import GradingKit
import Records
public import Shared

/// The result of a change of the structure.
public struct StructureAnswer: Sendable, Equatable {
    /// The new structure.
    public let structure: ClassStructure
    /// The rows that could not be judged before either, below `/rows/{enrolment}`; their records stay unchanged.
    public let faults: [Fault]
    /// The number of results that stay marked as missing in lines whose due date was postponed or removed.
    public let stillMissing: Int
}

extension Gradebook {
    /// Changes the structure, and judges every row by the new one. A change without effect makes no act.
    ///
    /// - Throws: `FaultList`: the faults of the steps or of the structure, `structure_refused` with the students whose
    ///   results do not allow it, `class_closed`.
    public func change(
        _ changes: [StructureChange], operation: String = "structure", reason: String?, newID: () -> LineID,
        in ground: ActGround
    ) throws -> ActDecision<StructureAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        let structure = try proposed(changes, newID: newID, in: ground)
        if structure.saysTheSame(as: ground.snapshot.structure) {
            return (
                ActPlan(operation), StructureAnswer(structure: ground.snapshot.structure, faults: [], stillMissing: 0)
            )
        }
        return try replace(by: structure, operation: operation, reason: reason, in: ground)
    }

    /// The structure after some steps. New lines are posted as the class says, unless a step says otherwise.
    func proposed(
        _ changes: [StructureChange], newID: () -> LineID, in ground: ActGround
    ) throws -> ClassStructure {
        // Steps use the names of kinds and fields in the newest rules.
        let rules = try newestRules()
        let names = ShapeNames(rules.rules, newest: rules.rules)
        let now = names.named(ground.snapshot.structure)
        let steps = changes.map { change -> StructureChange in
            let change = change.typed(in: now, of: rules.rules.shape)
            guard case .add(let kind, let parent, var patch) = change else { return change }
            patch.isPostedByHand = patch.isPostedByHand ?? ground.snapshot.head.isPostedByHand
            return .add(kind: kind, in: parent, patch)
        }
        let structure = try now.applying(steps, newID: newID)
        try checkRisk(structure, against: ground.snapshot.structure, under: rules, after: steps)
        return structure
    }

    /// A figure for a new demand must be one that the rules show. If they lose it later, the demand has no effect.
    private func checkRisk(
        _ structure: ClassStructure, against before: ClassStructure, under rules: RecordRules,
        after steps: [StructureChange]
    ) throws(FaultList) {
        guard let target = structure.policy.risk?.target, target != before.policy.risk?.target,
            !rules.rules.shownFigures(of: Kind(structure.root.kind)).contains(where: { $0.name == target.figure })
        else { return }
        let place = steps.lastIndex { if case .policy = $0 { true } else { false } } ?? 0
        throw FaultList([Fault(.unknownField, at: "/changes" + JSONPointer.step(place) + "/policy/risk/figure")])
    }

    /// - Parameter isOpening: whether a line stops being marked anonymously, which is an act of its own.
    func replace(
        by structure: ClassStructure, operation: String, reason: String?, in ground: ActGround,
        opening isOpening: Bool = false
    ) throws -> ActDecision<StructureAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        try Self.checkLocks(from: ground.snapshot, to: structure)
        // An undo does not remove a section that has students by now.
        let isLost = { (section: SectionID?) in section.map { structure.section($0) == nil } ?? false }
        guard !ground.rows.contains(where: { !$0.enrolment.isWithdrawn && isLost($0.enrolment.section) }) else {
            throw FaultList([Fault(.sectionInUse, at: "/changes")])
        }
        if !isOpening { try Self.checkAnonymity(of: structure, in: ground) }
        // Checked even if there is no row to judge.
        let book = try ClassBook(structure, under: try newestRules())
        try book.checkFieldsOfStudents(beyond: ground.snapshot.structure)
        var plan = ActPlan(operation, reason: reason)
        plan.structure = structure
        let (former, shown) = (ground.snapshot.shownLines, structure.shownLines(ground.snapshot.head.state))
        // A new line shows no results yet.
        let used = ground.rows.reduce(into: Set<Int>()) { $0.formUnion($1.row.cells.keys) }
        plan.lines = [
            ActPlan.Line(
                enrolment: nil, before: Self.text(ground.snapshot.structure.number), after: Self.text(structure.number),
                seen: SeenLines(
                    shown: shown.subtracting(former).intersection(used), hidden: former.subtracting(shown)))
        ]
        var books = ClassBooks(self, structure)
        do {
            let unusable = try follow(
                ground.rows.filter { !$0.enrolment.isWithdrawn }, &books, ground, in: &plan)
            let faults = try faults(of: unusable, in: ground)
            let stillMissing = Self.stillMissing(after: structure, in: ground)
            return (plan, StructureAnswer(structure: structure, faults: faults, stillMissing: stillMissing))
        } catch let refused as RowsRefused {
            throw FaultList(refused.rows.prefix(Self.greatestNaming).map(Self.refusal))
        }
    }

    /// Returns the number of results marked as missing in lines whose due date a structure postpones or removes. The
    /// marks stay: people may also have made them.
    static func stillMissing(after structure: ClassStructure, in ground: ActGround) -> Int {
        let numbers = ground.snapshot.structure.lines.compactMap { line -> Int? in
            guard let due = line.due, let after = structure.line(line.id) else { return nil }
            return after.due.map { $0 > due } ?? true ? line.number : nil
        }
        return ground.rows.filter { !$0.enrolment.isWithdrawn }.reduce(0) { count, row in
            count + numbers.count { row.row[$0].isMissing }
        }
    }

    /// Throws `line_locked` if a line in a locked period would change, or a line would move into one. Showing or hiding
    /// results does not count as a change.
    private static func checkLocks(
        from snapshot: ClassSnapshot, to structure: ClassStructure
    ) throws(FaultList) {
        guard let calendar = snapshot.calendar, calendar.hasLocks else { return }
        let before = Dictionary(
            snapshot.structure.lines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(structure.lines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var faults = FaultList()
        for line in snapshot.structure.lines + structure.lines.filter({ before[$0.id] == nil })
        where faults.faults.count < greatestNaming {
            let (old, new) = (before[line.id], after[line.id])
            let isLocked = [old, new].contains { $0.map { calendar.isLocked($0) } ?? false }
            guard isLocked, old.map({ $0.bearing }) != new.map({ $0.bearing }) else { continue }
            faults.add(Fault(.lineLocked, at: "/changes", ["line": .string(line.id.text)]))
        }
        try faults.check()
    }

    /// The most students that a refusal names.
    private static let greatestNaming = 50

    private static func refusal(_ enrolment: EnrolmentID, _ faults: [RowFault]) -> Fault {
        Fault(
            .structureRefused, at: "/changes",
            [
                "enrolment": .string(enrolment.text), "code": .string(faults.first?.code.text ?? ""),
                "line": faults.first?.entry.map { .string($0.text) } ?? .null,
            ])
    }

    /// The faults of rows that cannot be judged by the new structure. Rows that the present structure could not judge
    /// either are named; the others refuse the change.
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
        // Results that are shown as they come are posted already.
        let lines = lines.filter { isHidden || ground.snapshot.structure.line($0)?.showsResults != true }
        var patch = LinePatch()
        patch.state = isHidden ? .open : .posted
        // Once results were hidden, they are shown by hand.
        if isHidden { patch.isPostedByHand = true }
        return try change(
            lines.map { .patch($0, patch) }, operation: isHidden ? "hide" : "post", reason: nil,
            newID: { LineID("") }, in: ground)
    }

    private static func text(_ number: Int) -> [UInt8] { JSON.object(["s": .number(String(number))]).bytes }
}

extension ClassLine {
    /// What affects its results: everything except what students see of them.
    fileprivate var bearing: ClassLine {
        var line = self
        (line.state, line.isPostedByHand, line.key, line.since) = (.open, false, nil, 0)
        return line
    }
}
