extension RecordShape {
    /// Checks what the shape promises, on a whole tree: required fields, ranges, counts.
    func check(_ tree: RecordTree, _ sink: inout FaultSink) {
        check(tree.root, &sink)
        let count = tree.count
        if count > Self.greatestEntryCount {
            sink.note(.entryLimit, .record, .whole, ["limit": .number(String(Self.greatestEntryCount))])
        }
    }

    private func check(_ entry: Entry, _ sink: inout FaultSink) {
        let shape = kinds[entry.kind]
        // By place, because a copy of a field's shape would count references to all it holds.
        let fields = shape.fields
        for slot in fields.indices where slot < entry.values.count {
            if fields[slot].isRequired, fields[slot].isMissing(entry.values[slot]) {
                sink.note(.missingField, entry.id, .field(fields[slot].name), JSONObject())
            } else if !fields[slot].admits(entry.values[slot], siblings: entry.values, in: shape) {
                let field = fields[slot]
                sink.note(field.rangeFault, entry.id, .field(field.name), field.boundArguments)
            }
        }
        for child in shape.children {
            guard let index = index(of: child.kind) else { continue }
            let count = entry.children.count { $0.kind == index }
            if count < child.count.lowerBound {
                sink.note(
                    .missingChild, entry.id, .children,
                    ["kind": .string(child.kind.name), "min": .number(String(child.count.lowerBound))])
            }
            if count > child.count.upperBound {
                sink.note(child.excessFault, entry.id, .children, ["limit": .number(String(child.count.upperBound))])
            }
        }
        for child in entry.children { check(child, &sink) }
    }
}

extension FieldShape {
    fileprivate var boundArguments: JSONObject {
        var arguments = JSONObject()
        if let text = lowest?.value.decimalText { arguments["min"] = .number(text) }
        if let text = highest?.value.decimalText { arguments["max"] = .number(text) }
        return arguments
    }
}
