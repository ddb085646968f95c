public import Classes
import GradingKit
public import Shared

extension Gradebook {
    /// Puts a student into another section, or into none.
    ///
    /// - Throws: `FaultList`: `section_unknown`, `enrolment_unknown`, `enrolment_ended`, `class_closed`,
    ///   `about_oneself`, and the faults of the entry with the section's fields under the record's rules.
    public func assign(
        _ id: EnrolmentID, to section: SectionID?, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<Enrolment> {
        let (plan, moved) = try assign([SectionChange(id, to: section)], at: { _ in "" }, by: account, in: ground)
        guard let enrolment = moved.first else { throw FaultList([Fault(.enrolmentUnknown, at: "/row")]) }
        return (plan, enrolment)
    }

    /// Puts students into other sections, all or none, in one act.
    ///
    /// - Throws: `FaultList` with every fault by its place, `/rows/{n}`: as for one student, and `section_changed` if
    ///   the student has changed sections since the row was seen.
    public func assign(
        _ changes: [SectionChange], by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        let (plan, moved) = try assign(changes, at: { "/rows" + JSONPointer.step($0) }, by: account, in: ground)
        return (plan, CellsAnswer(accepted: moved.count, faults: []))
    }

    private func assign(
        _ changes: [SectionChange], at place: (Int) -> String, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<[Enrolment]> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        var rows = Dictionary(ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (moved, faults) = ([EnrolmentID](), FaultList())
        for (index, change) in changes.enumerated() where faults.faults.count < Self.mostNamed {
            if let fault = refusal(of: change, rows[change.enrolment]?.enrolment, account, ground.snapshot.structure) {
                faults.add(fault.prefixed(place(index)))
                continue
            }
            rows[change.enrolment]?.enrolment.section = change.section
            moved.append(change.enrolment)
        }
        try faults.check()
        var plan = ActPlan("section")
        for old in ground.rows {
            guard let row = rows[old.enrolment.id], row.enrolment.section != old.enrolment.section else { continue }
            plan.rows.append(row)
            plan.lines.append(
                .assigning(row.enrolment.id, from: old.enrolment.section, to: row.enrolment.section))
        }
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        do {
            let unusable = try follow(plan.rows, &books, ground, in: &plan)
            if let fault = unusable.values.first { throw FaultList([fault.prefixed("/record")]) }
        } catch let refused as RowsRefused {
            throw FaultList(refused.rows.flatMap(\.faults).map { ClassBook.placed($0) })
        }
        return (plan, moved.compactMap { rows[$0]?.enrolment })
    }

    /// The most rows that a refusal names.
    private static let mostNamed = 100

    private func refusal(
        of change: SectionChange, _ enrolment: Enrolment?, _ account: AccountID, _ structure: ClassStructure
    ) -> Fault? {
        guard let enrolment else { return Fault(.enrolmentUnknown, at: "/row") }
        if isOwn(enrolment, of: account) { return Fault(.aboutOneself, at: "/row") }
        if enrolment.isWithdrawn { return Fault(.enrolmentEnded, at: "/row") }
        if let section = change.section, structure.section(section) == nil {
            return Fault(.sectionUnknown, at: "/section")
        }
        guard let seen = change.seen, seen != enrolment.section, change.section != enrolment.section else { return nil }
        return Fault(.sectionChanged, at: "/section")
    }

    // MARK: - Taken back

    /// Takes back an act that put students into sections; `nil` if the act did not. Students who have left or changed
    /// sections since stay where they are, and are named below `/rows/{enrolment}`.
    func reassign(
        _ lines: [LedgerLine], reason: String, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer>? {
        let changes = lines.compactMap { line -> SectionChange? in
            guard let id = line.enrolment, let before = Self.section(line.before), let after = Self.section(line.after)
            else { return nil }
            return SectionChange(id, to: before, seen: after)
        }
        guard !changes.isEmpty else { return nil }
        let rows = Dictionary(ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (kept, faults) = ([SectionChange](), [Fault]())
        for change in changes {
            if let fault = refusal(of: change, rows[change.enrolment]?.enrolment, account, ground.snapshot.structure) {
                faults.append(Fault(fault.code, at: "/rows" + JSONPointer.step(change.enrolment.text)))
            } else {
                kept.append(change)
            }
        }
        var (plan, answer) = try assign(kept, by: account, in: ground)
        plan.reason = reason
        return (plan.named("undo"), CellsAnswer(accepted: answer.accepted, faults: faults))
    }

    /// The student's section on one side of a ledger line, `.some(nil)` for none; `nil` if the line does not mention
    /// it.
    private static func section(_ text: [UInt8]?) -> SectionID?? {
        let member = text.flatMap { try? JSON.parse($0) }?.object?["section"]
        return member.map { $0.string.map { SectionID($0) } }
    }
}
