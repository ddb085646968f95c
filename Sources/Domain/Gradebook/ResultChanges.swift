public import Classes
import GradingKit
public import Records
import Shared

/// The results of one student that an act of a class changed, showed or hid, as one view of the record shows them.
public struct ResultChanges: Sendable, Equatable {
    /// A cell with what stood in it before and after the act.
    public struct Cell: Sendable, Equatable {
        /// The line; `nil` for one that is gone.
        public let line: ClassLine?
        /// What stood there before the act.
        public let before: ClassCell
        /// What stood there after it.
        public let after: ClassCell
    }

    /// The changed cells, in the order of the structure.
    public let cells: [Cell]
    /// The lines whose results the act showed. Lines within another one of these are left out.
    public let shown: [ClassLine]
    /// The lines whose results the act hid. Lines within another one of these are left out.
    public let hidden: [ClassLine]

    /// Selects what a view shows of an act.
    ///
    /// The released view has a cell only if the line showed its results when the act happened, and if the student can
    /// still see the cell: the line shows its results now, and the cell is not held back.
    public init(_ act: ClassActDetail, view: RecordView) {
        let structure = act.snapshot.structure
        let now = act.snapshot.shownLines
        if act.line.enrolment == nil {
            let unseen = act.snapshot.head.state == .draft ? Set(structure.lines.map(\.id)) : structure.drafts
            let lines = structure.lines.filter { view == .full || !unseen.contains($0.id) }
            func outermost(_ numbers: Set<Int>) -> [ClassLine] {
                let chosen = lines.filter { numbers.contains($0.number) }
                let inside = Set(chosen.map(\.id))
                return chosen.filter { $0.parent.map { !inside.contains($0) } ?? true }
            }
            let shown = Set(act.line.seen.shown)
            cells = []
            self.shown = outermost(view == .full ? shown : shown.intersection(now))
            hidden = outermost(Set(act.line.seen.hidden))
            return
        }
        let (before, after) = (Self.cells(act.line.before), Self.cells(act.line.after))
        let visible = now.intersection(act.line.seen.shown).filter { !act.row.row[$0].isHeldBack }
        func side(_ cell: ClassCell?) -> ClassCell {
            guard var cell, view == .full || !cell.isHeldBack else { return ClassCell() }
            // Students see the result of two markers, not their marks.
            cell.marks = []
            return cell
        }
        func cell(_ number: Int, in line: ClassLine?) -> Cell? {
            guard view == .full || visible.contains(number) else { return nil }
            let (before, after) = (side(before[number]), side(after[number]))
            return before == after ? nil : Cell(line: line, before: before, after: after)
        }
        let changed = Set(before.keys).union(after.keys)
        let lines = structure.lines.filter { changed.contains($0.number) }
        let gone = changed.subtracting(lines.map(\.number)).sorted()
        cells = lines.compactMap { cell($0.number, in: $0) } + gone.compactMap { cell($0, in: nil) }
        (shown, hidden) = ([], [])
    }

    /// Reads the cells on one side of a ledger line, by the numbers of their lines.
    private static func cells(_ text: [UInt8]?) -> [Int: ClassCell] {
        let members = text.flatMap { try? JSON.parse($0) }?.object ?? JSONObject()
        var cells: [Int: ClassCell] = [:]
        for member in members {
            guard let number = Int(member.name), let cell = ClassCell(member.value) else { continue }
            cells[number] = cell
        }
        return cells
    }
}
