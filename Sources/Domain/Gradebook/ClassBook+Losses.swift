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
        for (name, given) in row.given.figures.sorted(by: { $0.key < $1.key }) {
            guard let held = former.counted(name, of: row.given), !keeps(name, held, of: row.given) else { continue }
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

extension ClassBook {
    /// The figure for which a given value counts under the name that the row stores; `nil` if it counts for none.
    private func counted(_ name: String, of given: GivenValues) -> String? {
        let own = figureAliases.own(of: name) ?? name
        let first = ([own] + figureAliases.names(of: own)).first { given.figures[$0] != nil }
        return first == name && givenFigures.contains(own) ? own : nil
    }

    /// Whether a value that counted for a figure of earlier rules counts for the same one here. Another figure may have
    /// its name by now.
    private func keeps(_ name: String, _ held: String, of given: GivenValues) -> Bool {
        guard let own = counted(name, of: given) else { return false }
        return own == held || figureAliases.names(of: own).contains(held)
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
