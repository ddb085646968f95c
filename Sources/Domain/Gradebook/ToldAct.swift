public import Classes
import GradingKit
public import Records
import Shared

/// An act of a class in one student's row, as the ledger tells it, with the class and the row as they stand.
public struct ToldAct: Sendable {
    /// The line of the ledger: of the row, or of the class.
    public let line: LedgerLine
    /// The class.
    public let snapshot: ClassSnapshot
    /// The student's row.
    public let row: EnrolledRow

    /// An act.
    public init(_ line: LedgerLine, in snapshot: ClassSnapshot, row: EnrolledRow) {
        self.line = line
        self.snapshot = snapshot
        self.row = row
    }
}

/// What an act of a class did to the results in one student's row, as one view shows it.
public struct ActResults: Sendable, Equatable {
    /// A cell with what stood in it before and after the act.
    public struct Cell: Sendable, Equatable {
        /// The line; `nil` for one that is gone.
        public let line: ClassLine?
        /// What stood there.
        public let before: ClassCell
        /// What stood there after the act.
        public let after: ClassCell
    }

    /// The changed cells, in the order of the structure.
    public let cells: [Cell]
    /// The lines whose results the act showed; none that stands in another one of them.
    public let shown: [ClassLine]
    /// The lines whose results the act hid; none that stands in another one of them.
    public let hidden: [ClassLine]

    /// What a view shows of an act.
    ///
    /// A student sees of a cell what the student saw at the time, as long as the line shows its results and the cell is
    /// not held back.
    public init(_ act: ToldAct, view: RecordView) {
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
            // What two people give for the same work is between them.
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

    /// The cells on one side of a line of the ledger, by the numbers of their lines.
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
