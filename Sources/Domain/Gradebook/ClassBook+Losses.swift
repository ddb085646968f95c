import Classes
import GradingKit
import Shared

extension ClassBook {
    /// The values in a row, the status of its total and the figures that people gave it, for which these rules have no
    /// place although other rules have one; those of the total first, then in the order of the lines. The row keeps them, but they no longer count and nobody sees them. Values that do
    /// not suit their place are faults of the row.
    func losses(in enrolled: EnrolledRow, heldBy former: ClassBook) -> [RecordLoss] {
        let (row, root) = (enrolled.row, enrolled.enrolment.entry)
        var losses: [RecordLoss] = []
        if let status = row.status, former.takes(status), !takes(status) {
            losses.append(RecordLoss(entry: root, field: "status", value: status.rawValue))
        }
        for (name, given) in row.given.figures.sorted(by: { $0.key < $1.key })
        where former.givenFigures.contains(name) && !givenFigures.contains(name) {
            losses.append(RecordLoss(entry: root, field: name, value: FieldValue.number(given.value).told))
        }
        for (number, cell) in row.cells.sorted(by: { $0.key < $1.key }) {
            guard let held = former.columns[number] else { continue }
            let entry = number == ClassStructure.rootNumber ? root : EntryID(held.line.id.text)
            let lost = held.storedNames(in: cell).subtracting(columns[number]?.storedNames(in: cell) ?? [])
            for name in lost.sorted() {
                guard let value = cell.values[name], value != .none else { continue }
                losses.append(RecordLoss(entry: entry, field: name, value: value.told))
            }
        }
        return losses
    }
}

extension ClassBook.Column {
    /// The names of those values in a cell that stand in a field of the kind.
    fileprivate func storedNames(in cell: ClassCell) -> Set<String> {
        let fields = Set(kind.fields.map(\.name))
        return Set(cell.values.keys.filter { fields.contains(aliases[$0] ?? $0) })
    }
}
