public import Classes
public import GradingKit

/// What the cells of a column may say beside a result, and what late and missing work counts for.
extension ClassBook.Column {
    /// The field of a scheme in which it takes lateness into account itself.
    private static let ownDelay = "late"
    /// Beyond every result, of at most nine digits, and what is added to it.
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

    /// The number in a field of the line.
    public func number(_ field: String) -> Exact? {
        guard let json = line.fields[field], case .success(.number(let value))? = kind.value(json, of: field) else {
            return nil
        }
        return value
    }

    /// What a cell holds for the rules, with what is deducted or given for it. Where results are no numbers, nothing is.
    func counted(
        _ cell: ClassCell, under policy: WorkPolicy
    ) -> (values: [String: FieldValue], adjustments: [GradeAdjustment]) {
        guard cell.isMissing || cell.late != nil, let grade, grade.holdsNumbers, let best else {
            return (cell.values, [])
        }
        let worst = grade.worstGrade
        let part = (best - worst) / WorkPolicy.Lateness.whole ?? .zero
        if cell.isMissing {
            guard ownMissing == nil, let share = policy.absence.share,
                let given = GradeAdjustment(.add(part * share), because: .missing)
            else { return (cell.values, []) }
            return (cell.values.merging([gradeField: .number(worst)]) { _, new in new }, [given])
        }
        guard takesDelay, let minutes = cell.late, let lateness = policy.lateness else { return (cell.values, []) }
        let loss = lateness.loss(after: minutes)
        guard loss > .zero else { return (cell.values, []) }
        let deduction = Self.deduction(part * loss, downTo: worst + part * lateness.floor)
        return (cell.values, deduction.map { [$0] } ?? [])
    }

    /// What lateness or absence makes of a cell; `nil` where it counts for nothing.
    public func note(_ cell: ClassCell, under policy: WorkPolicy) -> CellNote? {
        let (values, adjustments) = counted(cell, under: policy)
        guard let first = adjustments.first else { return nil }
        var counts: Exact?
        if case .number(let value)? = values[gradeField] { counts = adjustments.reduce(value) { $1($0) } }
        return CellNote(cause: first.cause, late: cell.late, counts: counts)
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

/// What lateness or absence makes of a result.
public struct CellNote: Sendable, Equatable {
    /// Which of the two.
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
