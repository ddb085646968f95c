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
}

extension Gradebook {
    /// Returns what a change of the structure would make of every row; stores nothing.
    ///
    /// - Throws: `FaultList`: what is wrong with the steps or with the structure.
    public func rehearse(
        _ changes: [StructureChange], newID: () -> LineID, in ground: ActGround
    ) throws -> [RehearsedRow] {
        let structure = try proposed(changes, newID: newID, in: ground)
        _ = try ClassBook(structure, under: try newestRules())
        var present = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        var next = ClassBooks(self, structure)
        return try ground.rows.filter { !$0.enrolment.isWithdrawn }.map { row in
            let before = try figures(of: row, &present, ground)
            let after = try figures(of: row, &next, ground)
            return RehearsedRow(
                enrolment: row.enrolment.id, before: before.figures, after: after.figures, refusal: after.refusal)
        }
    }

    private func figures(
        of enrolled: EnrolledRow, _ books: inout ClassBooks, _ ground: ActGround
    ) throws -> (figures: RowFigures?, refusal: FaultCode?) {
        guard let head = ground.records[enrolled.enrolment.record]?.head else { return (nil, .recordUnreadable) }
        do {
            let book = try books.book(head.programVersion)
            let judged = try book.judged(enrolled)
            if let fault = judged.faults.first { return (nil, fault.code) }
            // A row for which something is still to come has no figures.
            guard judged.wanting.isEmpty else { return (RowFigures(nil), nil) }
            let standing = try book.rules.rules.standing(of: judged.part)
            return (RowFigures(standing.entry(enrolled.enrolment.entry)), nil)
        } catch let unusable as RowUnusable {
            return (nil, unusable.fault.code)
        } catch let faults as FaultList {
            return (nil, faults.faults.first?.code)
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
        for change in changes {
            let place = "/cells" + JSONPointer.step(change.line.text)
            guard let number = number(of: change.line), let column = columns[number],
                !isStudent || column.line.state != .draft
            else {
                faults.add(number(of: change.line) == nil ? .lineUnknown : .notACell, at: place)
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
            })
    }

    private static func tried(_ fault: EntryFault) -> Fault {
        Fault(fault.code, at: fault.entry.map { "/cells" + JSONPointer.step($0.text) } ?? "/cells", fault.arguments)
    }
}
