import Classes
import GradingKit
import Shared

extension ClassBook {
    /// The values in a row, and the figures that people gave its total, that count under other rules and not under these:
    /// the given figures first, then the values in the order of the lines. The row keeps them, but the page no longer
    /// shows them.
    func losses(in enrolled: EnrolledRow, heldBy former: ClassBook) -> [RecordLoss] {
        let (row, root) = (enrolled.row, enrolled.enrolment.entry)
        var losses: [RecordLoss] = []
        for (name, given) in row.given.figures.sorted(by: { $0.key < $1.key })
        where former.givenFigures.contains(name) && !givenFigures.contains(name) {
            losses.append(RecordLoss(entry: root, field: name, value: FieldValue.number(given.value).told))
        }
        for (number, cell) in row.cells.sorted(by: { $0.key < $1.key }) {
            guard let held = former.columns[number] else { continue }
            let entry = number == ClassStructure.rootNumber ? root : EntryID(held.line.id.text)
            let lost = held.countedNames(in: cell).subtracting(columns[number]?.countedNames(in: cell) ?? [])
            for name in lost.sorted() {
                losses.append(RecordLoss(entry: entry, field: name, value: cell.values[name]?.told ?? ""))
            }
        }
        return losses
    }
}

extension ClassBook.Column {
    /// The names under which a cell stores the values that count in this column: each in a field of the students, of the
    /// type of the value.
    fileprivate func countedNames(in cell: ClassCell) -> Set<String> {
        Set(
            kind.fields.filter(holds).compactMap { field in
                guard let name = storedName(of: field.name, in: cell), let value = cell.values[name], value != .none,
                    case .success? = kind.value(value.json, of: field.name)
                else { return nil }
                return name
            })
    }
}
