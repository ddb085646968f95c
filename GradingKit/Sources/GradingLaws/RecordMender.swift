import GradingKit

/// Makes records acceptable by doing what the faults ask for, as a person at a form would.
struct RecordMender {
    let rules: Rulebook
    /// How often the answer may still be no.
    private let patience = 12

    init(rules: Rulebook) { self.rules = rules }

    /// The record that the rules accept, with its tree; `nil` when mending leads nowhere.
    func mended(
        _ record: GeneratedRecord, using generator: inout RecordGenerator
    ) -> (record: GeneratedRecord, tree: RecordTree)? {
        var record = record
        for _ in 0..<patience {
            do {
                return (record, try rules.tree(of: record))
            } catch {
                // From the end, so that what is removed does not move what is still to be mended.
                for fault in error.faults.reversed() { record = mend(record, fault, &generator) }
            }
        }
        return nil
    }

    private func mend(
        _ record: GeneratedRecord, _ fault: Fault, _ generator: inout RecordGenerator
    ) -> GeneratedRecord {
        let steps = fault.path.split(separator: "/")
        guard let last = steps.last else { return record.replacing(at: "/entries/0") { _ in nil } }
        if steps.dropLast().last == "fields" {
            return record.replacing(at: fault.path) { _ in
                fault.code == .missingField ? field(fault.path, of: record).flatMap { generator.value(of: $0) } : nil
            }
        }
        if last == "children" || last == "status" { return record.replacing(at: fault.path) { _ in nil } }
        return record.replacing(at: fault.path) { _ in nil }
    }

    private func field(_ pointer: String, of record: GeneratedRecord) -> FieldShape? {
        let place = record.places.last { pointer.hasPrefix($0.pointer + "/fields/") }
        let kind = place.flatMap { place in rules.shape.kinds.first { $0.kind.name == place.entry.kindName } }
        let name = pointer.split(separator: "/").last.map(String.init)
        return (kind ?? rules.shape.record).fields.first { $0.name == name }
    }
}

extension Rulebook {
    /// The record, checked.
    func tree(of record: GeneratedRecord) throws(FaultList) -> RecordTree {
        try calculation(fields: record.fields, entries: .array(record.entries), newID: { EntryID("unnamed") })
    }
}
