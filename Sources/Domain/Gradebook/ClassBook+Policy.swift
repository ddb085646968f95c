public import Classes
public import GradingKit

/// The statuses of cells in a column, and how late and missing work counts.
extension ClassBook.Column {
    /// The name of a field by which a scheme itself handles late work.
    private static let ownDelay = "late"
    /// A bound that no result of at most nine digits reaches, even with an addition.
    private static let far: Exact = 10_000_000_000

    /// The words that replace a result, or say how it counts; none in a column without results.
    public var statuses: [String] {
        gradeField == nil ? [] : kind.statuses.map(\.rawValue) + (ownMissing == nil ? [ClassCell.missing] : [])
    }

    /// The status by which the scheme itself handles missing work; `nil` if it has none.
    private var ownMissing: Status? { kind.statuses.first { $0.rawValue == ClassCell.missing } }

    /// The status of a cell for the rules.
    func status(of cell: ClassCell) -> Status? { cell.isMissing ? ownMissing : cell.status }

    /// Whether a cell may say how late the work was. If the kind has a field per student for that, the scheme handles
    /// it.
    public var takesDelay: Bool {
        gradeField != nil && !kind.fields.contains { $0.name == Self.ownDelay && $0.isPerStudent }
    }

    /// The field of results, as the kind declares it.
    public var grade: FieldShape? { kind.fields.first { $0.name == gradeField } }

    /// The best result, which another field of the line may contain.
    public var best: Exact? { grade?.bestGradeField.flatMap { number($0) } ?? grade?.bestGrade }

    /// The worst result, which may be the greater number.
    public var worst: Exact? { grade?.worstGrade }

    /// The scale of results, from the lesser end; `nil` if the line has no best result.
    public var scale: ClosedRange<Exact>? {
        guard let best, let worst else { return nil }
        return min(best, worst)...max(best, worst)
    }

    /// The number in a field of the line.
    public func number(_ field: String) -> Exact? {
        guard let json = line.fields[field], case .success(.number(let value))? = kind.value(json, of: field) else {
            return nil
        }
        return value
    }

    /// Whether results are numbers to which curves and deductions apply.
    public var holdsNumbers: Bool { grade?.holdsNumbers ?? false }

    /// The adjustments that the line's curve makes to each result.
    var curve: [GradeAdjustment] {
        guard let curve = line.curve, holdsNumbers else { return [] }
        return curve.adjustments(from: worst, to: best).map(ofResult)
    }

    /// An adjustment of the result alone: a second grade, such as that of a resit, is neither late nor curved.
    private func ofResult(_ adjustment: GradeAdjustment) -> GradeAdjustment {
        guard let gradeField, kind.fields.contains(where: { $0.isGrade && $0.name != gradeField }) else {
            return adjustment
        }
        return adjustment.only(of: gradeField)
    }

    /// Returns the values for the rules and the adjustments of the result; no adjustments if results are not numbers.
    ///
    /// The curve comes first: late work loses a part of the curved result. Missing work has no result to curve.
    ///
    /// - Parameter curve: the curve of the line, or none.
    func counted(
        _ cell: ClassCell, under policy: WorkPolicy, on curve: [GradeAdjustment]
    ) -> (values: [String: FieldValue], adjustments: [GradeAdjustment]) {
        let cell = named(cell)
        guard cell.isMissing || cell.late != nil, let gradeField, let grade, grade.holdsNumbers, let best else {
            return (cell.values, curve)
        }
        let worst = grade.worstGrade
        let part = (best - worst) / WorkPolicy.Lateness.whole ?? .zero
        if cell.isMissing {
            guard ownMissing == nil, let share = policy.absence.share,
                let given = GradeAdjustment(.add(part * share), because: .missing)
            else { return (cell.values, curve) }
            return (cell.values.merging([gradeField: .number(worst)]) { _, new in new }, [ofResult(given)])
        }
        guard takesDelay, let minutes = cell.late, let lateness = policy.lateness else { return (cell.values, curve) }
        let loss = lateness.loss(after: minutes)
        guard loss > .zero else { return (cell.values, curve) }
        let deduction = Self.deduction(part * loss, downTo: worst + part * lateness.floor)
        return (cell.values, curve + (deduction.map { [ofResult($0)] } ?? []))
    }

    /// How the line's curve, lateness or absence changes what a cell counts for; `nil` if it counts unchanged. Lateness
    /// is named before a curve.
    public func note(_ cell: ClassCell, under policy: WorkPolicy) -> CellNote? {
        // For a result with a status, the scheme decides how it counts.
        guard status(of: cell) == nil else { return nil }
        let (values, adjustments) = counted(cell, under: policy, on: curve)
        guard let last = adjustments.last else { return nil }
        // Beside a second grade the rules decide what counts, such as the resit alone.
        guard !hasSecondGrade(values), case .number(let value)? = gradeField.flatMap({ values[$0] }) else {
            return last.cause == .curve ? nil : CellNote(cause: last.cause, late: cell.late, counts: nil)
        }
        return CellNote(cause: last.cause, late: cell.late, counts: adjustments.reduce(value) { $1($0) })
    }

    /// The statuses that stand in place of every grade of a cell; none in a column with one grade, where the result
    /// itself shows that.
    public func settingAside(under table: StatusTable) -> [String] {
        guard kind.fields.contains(where: { $0.isGrade && $0.isPerStudent && $0.name != gradeField }) else { return [] }
        return statuses.filter { table[Status(rawValue: $0)].average != .counts }
    }

    /// Whether a cell has a second grade that does not count because of the cell's status.
    public func setsAside(_ cell: ClassCell, under table: StatusTable) -> Bool {
        status(of: cell).map { table[$0].average != .counts } ?? false && hasSecondGrade(named(cell).values)
    }

    private func hasSecondGrade(_ values: [String: FieldValue]) -> Bool {
        kind.fields.contains { $0.isGrade && $0.name != gradeField && values[$0.name] != nil }
    }

    /// The value that counts instead of a result; `nil` if there is no number, or a status replaces it.
    public func counts(_ cell: ClassCell, under policy: WorkPolicy) -> Exact? {
        guard status(of: cell) == nil else { return nil }
        let (values, adjustments) = counted(cell, under: policy, on: curve)
        guard case .number(let value)? = gradeField.flatMap({ values[$0] }) else { return nil }
        return adjustments.reduce(value) { $1($0) }
    }

    /// Subtracts `amount` from a result, but not below `floor`. If lower results are better, `amount` is negative.
    ///
    /// The function never falls, so a better result never counts less than a lesser one.
    private static func deduction(_ amount: Exact, downTo floor: Exact) -> GradeAdjustment? {
        typealias Point = GradeAdjustment.Point
        let points =
            amount > .zero
            ? [
                Point(from: -far, to: -far), Point(from: floor, to: floor), Point(from: floor + amount, to: floor),
                Point(from: far, to: far - amount),
            ]
            : [
                Point(from: -far, to: -far - amount), Point(from: floor + amount, to: floor),
                Point(from: floor, to: floor), Point(from: far, to: far),
            ]
        return GradeAdjustment(.table(points), because: .late)
    }
}

/// How a line's curve, lateness or absence changes a result.
public struct CellNote: Sendable, Equatable {
    /// The cause of the change.
    public let cause: GradeAdjustment.Cause
    /// How many minutes late the work was.
    public let late: Int?
    /// The value that counts instead of the result; `nil` while there is none.
    public let counts: Exact?
}

extension FieldShape {
    fileprivate var holdsNumbers: Bool {
        switch content {
        case .number, .integer: true
        case .text, .flag, .choice: false
        }
    }
}
