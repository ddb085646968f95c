public import Classes
public import GradingKit
import Records
public import Shared

/// The displayed figures of a row's root.
public struct RowFigures: Sendable, Equatable {
    /// The texts by figure name; empty for an undefined figure.
    public let displays: [String: String]
    /// The letter, if the root has one.
    public let letter: String?

    init(_ standing: EntryStanding?) {
        displays = Dictionary(
            (standing?.figures ?? []).map { ($0.name, $0.display) }, uniquingKeysWith: { first, _ in first })
        letter = standing?.letter?.label
    }
}

/// The effect of a change of the structure on one student's row.
public struct RehearsedRow: Sendable, Equatable {
    /// The student's enrolment.
    public let enrolment: EnrolmentID
    /// The current figures; `nil` for a row that cannot be judged.
    public let before: RowFigures?
    /// The figures after the change.
    public let after: RowFigures?
    /// Why the row refuses the change, or cannot be judged.
    public let refusal: FaultCode?
    /// Whether the student is at risk now, and after the change.
    public let isAtRisk: (before: Bool, after: Bool)

    /// Compares all members.
    public static func == (left: Self, right: Self) -> Bool {
        left.enrolment == right.enrolment && left.before == right.before && left.after == right.after
            && left.refusal == right.refusal && left.isAtRisk == right.isAtRisk
    }
}

/// The values of a column's results under its present curve and under the changed one.
public struct RehearsedCurve: Sendable, Equatable {
    /// The line.
    public let line: LineID
    /// The current values, one for each student with a result.
    public let before: [Exact]
    /// The values after the change.
    public let after: [Exact]
    /// The scale of the line, from the lesser end; `nil` if it has no best result.
    public let scale: ClosedRange<Exact>?
}

/// The effect of a change of the structure on a class.
public struct ClassRehearsal: Sendable, Equatable {
    /// The effect on each row, except those of students who have left.
    public let rows: [RehearsedRow]
    /// The effect on each column whose curve changes.
    public let curves: [RehearsedCurve]
    /// The number of results that would stay marked as missing in lines whose due date the change postpones or removes.
    public let stillMissing: Int
}

extension Gradebook {
    /// Returns the effect of a change of the structure on every row; stores nothing.
    ///
    /// - Throws: `FaultList`: the faults of the steps or of the structure.
    public func rehearse(
        _ changes: [StructureChange], newID: () -> LineID, in ground: ActGround
    ) throws -> ClassRehearsal {
        let structure = try proposed(changes, newID: newID, in: ground)
        try Self.checkAnonymity(of: structure, in: ground)
        let proposed = try ClassBook(structure, under: try newestRules())
        try proposed.checkFieldsOfStudents(beyond: ground.snapshot.structure)
        var present = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        var next = ClassBooks(self, structure)
        let students = ground.rows.filter { !$0.enrolment.isWithdrawn }
        let rows = try students.map { row in
            let before = try figures(of: row, &present, ground)
            let after = try figures(of: row, &next, ground)
            return RehearsedRow(
                enrolment: row.enrolment.id, before: before.figures, after: after.figures, refusal: after.refusal,
                isAtRisk: (before.isAtRisk, after.isAtRisk))
        }
        return ClassRehearsal(
            rows: rows, curves: Self.curves(of: proposed, students, in: ground),
            stillMissing: Self.stillMissing(after: structure, in: ground))
    }

    private static func curves(
        of proposed: ClassBook, _ rows: [EnrolledRow], in ground: ActGround
    ) -> [RehearsedCurve] {
        let now = ground.snapshot.structure
        return proposed.structure.lines.compactMap { line in
            guard let before = now.line(line.id), before.curve != line.curve,
                let column = proposed.columns[line.number]
            else { return nil }
            let present = ClassBook.Column(
                line: before, kind: column.kind, gradeField: column.gradeField, aliases: column.aliases)
            func numbers(_ column: ClassBook.Column, _ policy: WorkPolicy) -> [Exact] {
                rows.compactMap { row in row.row.cells[line.number].flatMap { column.counts($0, under: policy) } }
            }
            return RehearsedCurve(
                line: line.id, before: numbers(present, now.policy), after: numbers(column, proposed.structure.policy),
                scale: column.scale)
        }
    }

    private func figures(
        of enrolled: EnrolledRow, _ books: inout ClassBooks, _ ground: ActGround
    ) throws -> (figures: RowFigures?, refusal: FaultCode?, isAtRisk: Bool) {
        guard let head = ground.records[enrolled.enrolment.record]?.head else { return (nil, .recordUnreadable, false) }
        do {
            let book = try books.book(head.programVersion)
            let judged = try book.judged(enrolled)
            if let fault = judged.faults.first { return (nil, fault.code, false) }
            let isAtRisk = try !book.risks(of: enrolled, judged: judged).isEmpty
            // A row with something still to come has no figures.
            guard judged.wanting.isEmpty else { return (RowFigures(nil), nil, isAtRisk) }
            let standing = try book.rules.rules.standing(of: judged.part)
            return (RowFigures(standing.entry(enrolled.enrolment.entry)), nil, isAtRisk)
        } catch let unusable as RowUnusable {
            return (nil, unusable.fault.code, false)
        } catch let faults as FaultList {
            return (nil, faults.faults.first?.code, false)
        }
    }
}

extension ClassBook {
    /// A row with other results, as staff would see it, or its student.
    ///
    /// - Parameters:
    ///   - changes: the results to try; their conditions are ignored.
    ///   - isStudent: whether the row starts with what the student sees; then lines whose results are not shown may get
    ///     some, too.
    /// - Throws: `FaultList` with the faults of a result, below `/cells/{line}`.
    public func tried(
        _ changes: [CellChange], in enrolled: EnrolledRow, asStudent isStudent: Bool
    ) throws(FaultList) -> RecordTree {
        var (row, faults) = (isStudent ? shown(of: enrolled.row) : enrolled.row, FaultList())
        let drafts = structure.drafts
        for change in changes {
            let place = "/cells" + JSONPointer.step(change.line.text)
            guard let line = structure.line(change.line), !isStudent || !drafts.contains(line.id) else {
                faults.add(.lineUnknown, at: place)
                continue
            }
            let number = line.number
            guard let column = columns[number] else {
                faults.add(.notACell, at: place)
                continue
            }
            var wish = CellChange(change.enrolment, change.line, value: change.value, status: change.status)
            wish.fields = change.fields
            wish.late = change.late
            do {
                row[number] = try column.cell(row[number], after: wish)
            } catch {
                for fault in error.faults { faults.add(fault.prefixed(place)) }
            }
        }
        try faults.check()
        let tree = part(of: EnrolledRow(enrolled.enrolment, row, version: enrolled.version), showing: isStudent)
        let tried = isStudent ? tree.released : tree
        try FaultList(try wrong(in: tried).map { Self.tried($0) }).check()
        return tried
    }

    /// Returns the part of a row that its student sees.
    private func shown(of row: ClassRow) -> ClassRow {
        ClassRow(
            row.cells.filter { number, cell in
                columns[number].map { $0.line.showsResults && !cell.isHeldBack } ?? false
            }, given: row.given, status: row.status)
    }

    private static func tried(_ fault: EntryFault) -> Fault {
        Fault(fault.code, at: fault.entry.map { "/cells" + JSONPointer.step($0.text) } ?? "/cells", fault.arguments)
    }
}
