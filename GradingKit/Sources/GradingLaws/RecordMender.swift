import GradingKit

/// Makes records acceptable by doing what their faults demand, as a person at a form would.
struct RecordMender {
    let rules: Rulebook
    /// Whether there is still time to mend.
    let hasTime: () -> Bool

    /// Returns a record that the rules accept, with its tree; `nil` if mending does not succeed.
    ///
    /// - Parameter patience: how often the rules may refuse the record.
    func mended(
        _ record: GeneratedRecord, using generator: inout RecordGenerator, patience: Int = 12
    ) -> (record: GeneratedRecord, tree: RecordTree)? {
        var record = record
        for _ in 0..<patience {
            do {
                return (record, try rules.tree(of: record))
            } catch {
                // Mending a fault rewrites at least the siblings of the entry.
                let work = 200 + record.places.count / 2
                rules.meter?.add(20 * record.places.count)
                // From the end, so that removing an entry does not move the others to be mended.
                for fault in error.faults.reversed() {
                    rules.meter?.add(work)
                    guard hasTime() else { return nil }
                    record = mend(record, fault, &generator)
                }
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
            let field = field(fault.path, of: record)
            if fault.code == .missingField {
                return record.replacing(at: fault.path) { _ in field.flatMap { generator.value(of: $0) } }
            }
            // If entries each need a choice or number of their own and one has no value left, it is removed.
            if let field, field.isRequired, steps.count > 3, isScarce(field, fault) {
                return record.replacing(at: "/" + steps.dropLast(2).joined(separator: "/")) { _ in nil }
            }
            return record.replacing(at: fault.path) { _ in nil }
        }
        if last == "children" || last == "status" { return record.replacing(at: fault.path) { _ in nil } }
        return record.replacing(at: fault.path) { _ in nil }
    }

    private func isScarce(_ field: FieldShape, _ fault: Fault) -> Bool {
        switch field.content {
        case .choice: true
        case .number, .integer: fault.code.text.hasPrefix("duplicate_")
        case .text, .flag: false
        }
    }

    private func field(_ pointer: String, of record: GeneratedRecord) -> FieldShape? {
        let steps = pointer.split(separator: "/")
        let kind = entry(at: steps.prefix { $0 != "fields" }, of: record).flatMap { entry in
            rules.shape.kinds.first { $0.kind.name == entry.kindName }
        }
        let name = steps.last.map(String.init)
        return (kind ?? rules.shape.record).fields.first { $0.name == name }
    }

    /// The entry at a place such as `entries/0/children/1`.
    private func entry(at steps: ArraySlice<Substring>, of record: GeneratedRecord) -> JSON? {
        var (siblings, found): ([JSON], JSON?) = (record.entries, nil)
        for step in steps {
            guard let index = Int(step) else { continue }
            guard siblings.indices.contains(index) else { return nil }
            found = siblings[index]
            siblings = siblings[index]["children"]?.array ?? []
        }
        return found
    }
}

extension Rulebook {
    /// Validates the record and returns its tree.
    func tree(of record: GeneratedRecord) throws(FaultList) -> RecordTree {
        try calculation(fields: record.fields, entries: .array(record.entries), newID: { EntryID("unnamed") })
    }
}
