public import Classes
public import GradingKit
import Records
public import Shared

/// The figures of a row's root, as they are shown.
public struct RowFigures: Sendable, Equatable {
    /// The texts by the figures' names; empty for a figure that is undefined.
    public let displays: [String: String]
    /// The letter, where the root has one.
    public let letter: String?

    init(_ standing: EntryStanding?) {
        displays = Dictionary(
            (standing?.figures ?? []).map { ($0.name, $0.display) }, uniquingKeysWith: { first, _ in first })
        letter = standing?.letter?.label
    }
}

/// What a change of the structure would make of one student's row.
public struct RehearsedRow: Sendable, Equatable {
    /// The student in the class.
    public let enrolment: EnrolmentID
    /// What it says now; `nil` for a row that cannot be judged.
    public let before: RowFigures?
    /// What it would say.
    public let after: RowFigures?
    /// Why the row refuses the change, or cannot be judged.
    public let refusal: FaultCode?
    /// Whether the student is at risk now, and would be.
    public let isAtRisk: (before: Bool, after: Bool)

    /// Compares all that is rehearsed.
    public static func == (left: Self, right: Self) -> Bool {
        left.enrolment == right.enrolment && left.before == right.before && left.after == right.after
            && left.refusal == right.refusal && left.isAtRisk == right.isAtRisk
    }
}

/// What the results of a column count for, by the curve that it has and by the one that it would have.
public struct RehearsedCurve: Sendable, Equatable {
    /// The line.
    public let line: LineID
    /// The values that count now, one for each student who has a result.
    public let before: [Exact]
    /// Those that would.
    public let after: [Exact]
    /// The scale of the line, from the lesser end; `nil` where it has no best result.
    public let scale: ClosedRange<Exact>?
}

/// What a change of the structure would make of a class.
public struct ClassRehearsal: Sendable, Equatable {
    /// Of each row, without those of students who have left.
    public let rows: [RehearsedRow]
    /// Of each column whose curve is another.
    public let curves: [RehearsedCurve]
    /// How many results would stay marked as missing in lines whose due date the change moves on or takes away.
    public let stillMissing: Int
}

extension Gradebook {
    /// Returns what a change of the structure would make of every row; stores nothing.
    ///
    /// - Throws: `FaultList`: what is wrong with the steps or with the structure.
    public func rehearse(
        _ changes: [StructureChange], newID: () -> LineID, in ground: ActGround
    ) throws -> ClassRehearsal {
        let structure = try proposed(changes, newID: newID, in: ground)
        try Self.checkAnonymity(of: structure, in: ground)
        let proposed = try ClassBook(structure, under: try newestRules())
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
            // A row for which something is still to come has no figures.
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
    ///   - changes: the results that are tried; what was seen there counts for nothing.
    ///   - isStudent: whether the row begins with what the student sees, and lines whose results are not shown take
    ///     some, too.
    /// - Throws: `FaultList` with what is wrong with a result, below `/cells/{line}`.
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
