import Classes
import GradingKit
public import Shared

extension Gradebook {
    /// Marks empty cells as missing in the lines that were due on a day, for the students who were in the class that
    /// day and still are. Rows that the rules refuse, or that cannot be judged, stay unchanged.
    ///
    /// If there are more cells than one act may have, the first ones are marked, and the day stays unhandled.
    ///
    /// - Throws: `FaultList` with `class_closed`.
    public func markMissing(dueOn day: CalendarDay, in ground: ActGround) throws -> ActDecision<CellsAnswer> {
        let drafts = ground.snapshot.structure.drafts
        let lines = ground.snapshot.structure.lines.filter {
            $0.due == day && !drafts.contains($0.id) && $0.marking != .anonymous
        }
        let columns = try ClassBook(ground.snapshot.structure, under: try newestRules()).columns
        let changes = ground.rows.filter { !$0.enrolment.isWithdrawn && $0.enrolment.since <= day }.flatMap { row in
            lines.compactMap { line -> CellChange? in
                guard let column = columns[line.number], column.gradeField != nil else { return nil }
                let cell = row.row[line.number]
                let seen = column.seen(cell)
                guard seen.value.isNull, seen.status == nil, cell.marks.isEmpty else { return nil }
                return CellChange(row.enrolment.id, line.id, status: .string(ClassCell.missing), seen: seen)
            }
        }
        let now = Array(changes.prefix(ClassLimits.cells))
        var (plan, answer) = try enter(now, .each, operation: LedgerLine.missed, reason: nil, in: ground)
        // Cells that are refused again and again do not block the day.
        if now.count == changes.count || answer.accepted == 0 { plan.dueDay = day }
        if plan.lines.isEmpty { plan.lines = [.due(day)] }
        return (plan, answer)
    }
}
