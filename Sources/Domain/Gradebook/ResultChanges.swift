public import Classes
import GradingKit
public import Records
import Shared

/// The results of one student that an act of a class changed, showed or hid, as one view of the record shows them.
public struct ResultChanges: Sendable, Equatable {
    /// A cell before and after the act. A status of the total is a cell of the root.
    public struct Cell: Sendable, Equatable {
        /// The line; `nil` if it is deleted.
        public let line: ClassLine?
        /// The content before the act.
        public let before: ClassCell
        /// The content after it.
        public let after: ClassCell

        /// Creates a cell.
        public init(line: ClassLine?, before: ClassCell, after: ClassCell) {
            (self.line, self.before, self.after) = (line, before, after)
        }
    }

    /// The changed cells, in the order of the structure.
    public let cells: [Cell]
    /// The lines whose results the act showed. Lines inside another one of these are left out.
    public let shown: [ClassLine]
    /// The lines whose results the act hid. Lines inside another one of these are left out.
    public let hidden: [ClassLine]

    /// Selects what a view shows of an act.
    ///
    /// The released view has a cell only if the line showed its results at the time of the act, and if the student can
    /// still see the cell: the line shows its results now, and the cell is not held back. It has the status of the
    /// total while students see the class.
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
        var visible = now.intersection(act.line.seen.shown).filter { !act.row.row[$0].isHeldBack }
        let root = ClassStructure.rootNumber
        if act.line.isAboutStatus, act.snapshot.isThereForStudents, act.line.seen.shown.contains(root) {
            visible.insert(root)
        }
        func cell(_ number: Int, in line: ClassLine?) -> Cell? {
            guard view == .full || visible.contains(number) else { return nil }
            let (before, after) = (Self.side(before[number], view), Self.side(after[number], view))
            return before == after ? nil : Cell(line: line, before: before, after: after)
        }
        let changed = Set(before.keys).union(after.keys)
        let lines = structure.lines.filter { changed.contains($0.number) }
        let gone = changed.subtracting(lines.map(\.number)).sorted()
        cells = lines.compactMap { cell($0.number, in: $0) } + gone.compactMap { cell($0, in: nil) }
        (shown, hidden) = ([], [])
    }

    /// Returns what a view shows of a cell on one side of an act.
    fileprivate static func side(_ cell: ClassCell?, _ view: RecordView) -> ClassCell {
        guard var cell, view == .full || !cell.isHeldBack else { return ClassCell() }
        // Students see the result of two markers, not their marks.
        cell.marks = []
        return cell
    }

    /// Reads the cells on one side of a ledger line, by the numbers of their lines, with the status of the total.
    fileprivate static func cells(_ text: [UInt8]?) -> [Int: ClassCell] {
        let members = text.flatMap { try? JSON.parse($0) }?.object ?? JSONObject()
        var cells: [Int: ClassCell] = [:]
        for member in members {
            if member.name == "status", let status = member.value.string.flatMap({ Status(rawValue: $0) }) {
                cells[ClassStructure.rootNumber, default: ClassCell()].status = status
                continue
            }
            guard let number = Int(member.name), var cell = ClassCell(member.value) else { continue }
            // The status of the total stands beside the cell of a root that takes no results.
            cell.status = cell.status ?? cells[number]?.status
            cells[number] = cell
        }
        return cells
    }
}

extension LedgerLine {
    /// Whether the act gave the total of a row a status, or took it away.
    fileprivate var isAboutStatus: Bool { after.flatMap { try? JSON.parse($0) }?["status"] != nil }

    /// Whether the act opened a draft class, so that students see all of it from then on.
    fileprivate var opensDraft: Bool {
        enrolment == nil && before.flatMap { try? JSON.parse($0) }?["state"]?.string == ClassHead.State.draft.rawValue
    }

    /// Whether students saw the act change cells of a row, or the status of its total.
    public var changesShownCells: Bool {
        guard enrolment != nil, !seen.shown.isEmpty else { return false }
        let (before, after) = (ResultChanges.cells(before), ResultChanges.cells(after))
        return seen.shown.contains {
            ResultChanges.side(before[$0], .released) != ResultChanges.side(after[$0], .released)
        }
    }
}

extension ClassActDetail {
    /// The results that are news for the student, in the order of the structure: those that the act changed and those
    /// that it showed, as far as the student sees them now. A shown result appears in its present form, without an
    /// earlier one.
    public var news: [ResultChanges.Cell] {
        if line.enrolment != nil { return ResultChanges(self, view: .released).cells.filter { $0.line != nil } }
        var shown = snapshot.shownLines.intersection(line.seen.shown)
        let status = line.opensDraft && snapshot.isThereForStudents ? row.row.status : nil
        if status != nil { shown.insert(ClassStructure.rootNumber) }
        return snapshot.structure.lines.filter { shown.contains($0.number) }.compactMap { line in
            var cell = ResultChanges.side(row.row[line.number], .released)
            if line.number == ClassStructure.rootNumber, cell.status == nil { cell.status = status }
            return cell.isEmpty ? nil : ResultChanges.Cell(line: line, before: ClassCell(), after: cell)
        }
    }
}
