public import Classes
public import GradingKit

/// What the cells of a column may say beside a result, and what late and missing work counts for.
extension ClassBook.Column {
    /// The field of a scheme in which it takes lateness into account itself.
    private static let ownDelay = "late"
    /// A bound that no result, of at most nine digits, reaches with what is added to it.
    private static let far: Exact = 10_000_000_000

    /// The words that stand for a result, or say what it counts for.
    public var statuses: [String] {
        kind.statuses.map(\.rawValue) + (ownMissing == nil ? [ClassCell.missing] : [])
    }

    /// The status by which the scheme itself says what missing work counts for; `nil` where it has none.
    private var ownMissing: Status? { kind.statuses.first { $0.rawValue == ClassCell.missing } }

    /// The status that a cell has for the rules.
    func status(of cell: ClassCell) -> Status? { cell.isMissing ? ownMissing : cell.status }

    /// Whether a cell says how late the work was. Where each student has a field for that, the scheme does.
    public var takesDelay: Bool {
        !kind.fields.contains { $0.name == Self.ownDelay && $0.isPerStudent }
    }

    /// The field in which results stand, as the kind has it.
    public var grade: FieldShape? { kind.fields.first { $0.name == gradeField } }

    /// The best result, which another field of the line may say.
    public var best: Exact? { grade?.bestGradeField.flatMap { number($0) } ?? grade?.bestGrade }

    /// The worst result, which may be the greater number.
    public var worst: Exact? { grade?.worstGrade }

    /// The scale of results, from its lesser end; `nil` where the line has no best one.
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

    /// Whether results are numbers, of which more or less may count.
    public var holdsNumbers: Bool { grade?.holdsNumbers ?? false }

    /// What the curve of the line does to each result.
    var curve: [GradeAdjustment] {
        guard let curve = line.curve, holdsNumbers else { return [] }
        return curve.adjustments(from: worst, to: best)
    }

    /// Returns the values that the rules see and the adjustments of the result; none where results are not numbers.
    ///
    /// The curve comes first: late work loses a part of what its result counts for. Missing work has no result to curve.
    ///
    /// - Parameter curve: that of the line, or none.
    func counted(
        _ cell: ClassCell, under policy: WorkPolicy, on curve: [GradeAdjustment]
    ) -> (values: [String: FieldValue], adjustments: [GradeAdjustment]) {
        let cell = named(cell)
        guard cell.isMissing || cell.late != nil, let grade, grade.holdsNumbers, let best else {
            return (cell.values, curve)
        }
        let worst = grade.worstGrade
        let part = (best - worst) / WorkPolicy.Lateness.whole ?? .zero
        if cell.isMissing {
            guard ownMissing == nil, let share = policy.absence.share,
                let given = GradeAdjustment(.add(part * share), because: .missing)
            else { return (cell.values, curve) }
            return (cell.values.merging([gradeField: .number(worst)]) { _, new in new }, [given])
        }
        guard takesDelay, let minutes = cell.late, let lateness = policy.lateness else { return (cell.values, curve) }
        let loss = lateness.loss(after: minutes)
        guard loss > .zero else { return (cell.values, curve) }
        let deduction = Self.deduction(part * loss, downTo: worst + part * lateness.floor)
        return (cell.values, curve + (deduction.map { [$0] } ?? []))
    }

    /// What the curve of the line, lateness or absence makes of a cell; `nil` where it counts for what it is. Of a curve and
    /// lateness the last one is named.
    public func note(_ cell: ClassCell, under policy: WorkPolicy) -> CellNote? {
        // Of a result with a status the scheme says what it counts for.
        guard status(of: cell) == nil else { return nil }
        let (values, adjustments) = counted(cell, under: policy, on: curve)
        guard let last = adjustments.last else { return nil }
        guard case .number(let value)? = values[gradeField] else {
            return last.cause == .curve ? nil : CellNote(cause: last.cause, late: cell.late, counts: nil)
        }
        return CellNote(cause: last.cause, late: cell.late, counts: adjustments.reduce(value) { $1($0) })
    }

    /// What counts in the place of a result; `nil` where there is no number, or a status stands for it.
    public func counts(_ cell: ClassCell, under policy: WorkPolicy) -> Exact? {
        guard status(of: cell) == nil else { return nil }
        let (values, adjustments) = counted(cell, under: policy, on: curve)
        guard case .number(let value)? = values[gradeField] else { return nil }
        return adjustments.reduce(value) { $1($0) }
    }

    /// Takes `amount` from a result, but nothing below `floor`. Where less is better, `amount` is below zero.
    ///
    /// The line from result to result never falls, so that who had more still has no less.
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

/// What the curve of a line, lateness or absence makes of a result.
public struct CellNote: Sendable, Equatable {
    /// Which of them.
    public let cause: GradeAdjustment.Cause
    /// By how many minutes the work was late.
    public let late: Int?
    /// What counts in the place of the result; `nil` while there is none.
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
