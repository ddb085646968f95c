extension RecordBody {
    /// Checks the promises of the shape: required fields and ranges, of the whole record or only of the entries that a
    /// request touched; and counts, which any change may alter.
    func checkShape(_ sink: inout FaultSink) {
        let isSmall = (1...8).contains(sink.touched.count)
        for index in nodes.indices {
            if !isSmall || sink.touched.contains(where: { ids.holds($0, at: index) }) { checkFields(of: index, &sink) }
            // The class checks the children of its own rows.
            if !isLink(index) { checkCounts(in: index, &sink) }
        }
        if nodes.count - 1 > RecordShape.greatestEntryCount {
            sink.note(.entryLimit, .record, .whole, ["limit": .number(String(RecordShape.greatestEntryCount))])
        }
    }

    private func checkFields(of index: Int, _ sink: inout FaultSink) {
        let node = nodes[index]
        // By index, so that neither the checks nor the values are copied.
        let slots = shape.kinds[node.kind].checks.indices
        for slot in slots {
            if shape.kinds[node.kind].checks[slot].misses(values[node.values + slot]) {
                let field = shape.kinds[node.kind].fields[slot]
                sink.note(.missingField, ids[index], .field(field.name), JSONObject())
            } else if !shape.kinds[node.kind].checks[slot].admits(
                values[node.values + slot], besides: values, from: node.values)
            {
                let field = shape.kinds[node.kind].fields[slot]
                let bounds = shape.kinds[node.kind].checks[slot].bounds(besides: values, from: node.values)
                sink.note(field.rangeFault, ids[index], .field(field.name), bounds)
            }
        }
    }

    private func checkCounts(in index: Int, _ sink: inout FaultSink) {
        for child in shape.childKinds[nodes[index].kind] {
            let limits = shape.kinds[child].count
            let count = children(of: index).count { nodes[$0].kind == child }
            if limits.contains(count) { continue }
            let kind = shape.kinds[child]
            // The innermost level of a nested kind has no children of that kind.
            if count < kind.count.lowerBound, child != nodes[index].kind {
                sink.note(
                    .missingChild, ids[index], .children,
                    ["kind": .string(kind.kind.name), "min": .number(String(kind.count.lowerBound))])
            }
            if count > kind.count.upperBound {
                sink.note(kind.excessFault, ids[index], .children, ["limit": .number(String(kind.count.upperBound))])
            }
        }
    }
}
