public import Classes
public import GradingKit
import Records

/// Students at risk.
extension ClassBook {
    /// Why a student is at risk under the rules of the class, from a judged row. Empty if the class has no such rules,
    /// or the program's rules do not have the figure.
    ///
    /// - Throws: what judging a row throws.
    public func risks(of enrolled: EnrolledRow, judged: JudgedRow) throws(FaultList) -> [Risk] {
        guard let risk = structure.policy.risk else { return [] }
        var risks: [Risk] = []
        if let target = risk.target { risks = try self.risks(of: enrolled, judged, for: target) }
        let missing = enrolled.row.cells.count { columns[$0.key] != nil && $0.value.isMissing }
        if let limit = risk.missing, missing >= limit { risks.append(.missing(missing)) }
        return risks
    }

    private func risks(
        of enrolled: EnrolledRow, _ judged: JudgedRow, for target: RiskRules.Target
    ) throws(FaultList) -> [Risk] {
        let shown = rules.rules.shownFigures(of: Kind(structure.root.kind)).first { $0.name == target.figure }
        guard let shown, let figure = judged.given.full.figures[target.figure] else { return [] }
        func isWorse(_ state: Quantity.State) -> Bool {
            guard case .value(let value) = state else { return false }
            // Compared as the rules compare with bounds.
            return !shown.presentation.rule.reaches(value, target.bar)
        }
        var risks: [Risk] = []
        if target.watchesCurrent, isWorse(figure.current) { risks.append(.below) }
        // The best that can still be reached is the other end if lower values are better.
        if target.watchesReach, isWorse(figure.ceiling) { risks.append(.outOfReach) }
        if let share = target.share, isWorse(try expected(target.figure, of: enrolled, at: share)) {
            risks.append(.needsMore)
        }
        return risks
    }

    /// A figure, with a share of the scale in percent in every cell that is still to come.
    private func expected(
        _ figure: String, of enrolled: EnrolledRow, at share: Exact
    ) throws(FaultList) -> Quantity.State {
        var row = enrolled
        for (number, column) in columns where column.holdsNumbers {
            guard let field = column.gradeField, let best = column.best, let worst = column.worst else { continue }
            var cell = column.named(enrolled.row[number])
            guard cell.values[field] == nil, cell.status == nil, !cell.isMissing else { continue }
            let part = (best - worst) / WorkPolicy.Lateness.whole ?? .zero
            cell.values[field] = .number(worst + part * share)
            row.row[number] = cell
        }
        return try judged(row).given.full.figures[figure]?.current ?? .undefined(.ungraded)
    }
}
