import Classes
import GradingKit
public import Shared

extension Gradebook {
    /// Marks as missing what stands empty in the lines that were due on a day that is over, of the students who are in the
    /// class. Rows that their rules refuse, or that cannot be judged, stay as they are.
    ///
    /// Of more cells than one act takes the first ones are marked; then the day is not dealt with yet.
    ///
    /// - Throws: `FaultList` with `class_closed`.
    public func miss(dueOn day: CalendarDay, in ground: ActGround) throws -> ActDecision<CellsAnswer> {
        let lines = ground.snapshot.structure.lines.filter { $0.due == day && $0.state != .draft }
        let columns = try ClassBook(ground.snapshot.structure, under: try newestRules()).columns
        let changes = ground.rows.filter { !$0.enrolment.isWithdrawn }.flatMap { row in
            lines.compactMap { line -> CellChange? in
                guard let column = columns[line.number] else { return nil }
                let seen = column.seen(row.row[line.number])
                guard seen.value.isNull, seen.status == nil else { return nil }
                return CellChange(row.enrolment.id, line.id, status: .string(ClassCell.missing), seen: seen)
            }
        }
        let now = Array(changes.prefix(ClassLimits.cells))
        var (plan, answer) = try enter(now, .each, operation: "missed", reason: nil, in: ground)
        // What is refused again and again holds nothing up.
        if now.count == changes.count || answer.accepted == 0 { plan.dueDay = day }
        if plan.lines.isEmpty { plan.lines = [.due(day)] }
        return (plan, answer)
    }
}
