import GradingKit

/// Makes records in wire form from templates and examples.
extension Checker {
    /// Whether an example may be computed. Many examples, each with a large template and many changes, would take long.
    func mayWork(_ example: RegulationDocument.Example) -> Bool {
        let template = document.templates.first { $0.heading.name.text == example.template?.text }
        let entries = (template?.entries ?? []) + example.entries
        let count = entries.reduce(0) { $0 + $1.count }
        exampleCost += count * (1 + example.changes.count) + 1
        if exampleCost <= Self.greatestExampleCost, mayWrite(entries), mayCompute(count) { return true }
        faults.add(.tooMuch, example.heading.name.range)
        return false
    }

    /// The entries of a template; none if all templates and examples so far have too many.
    func entries(of template: RegulationDocument.Template) -> [JSON] {
        for entry in template.entries where kinds.contains(where: { $0.name == entry.kind.text && $0.isCopy }) {
            // Only staff add a copy of an earlier record, and only to an existing record.
            faults.add(.copyInTemplate, entry.kind.range, ["name": .string(entry.kind.text)])
        }
        if mayWrite(template.entries) { return json(template.entries, in: 0) }
        faults.add(.tooMuch, template.heading.name.range)
        return []
    }

    /// The record's fields that a template sets.
    func fields(of template: RegulationDocument.Template) -> JSON {
        var (object, fields) = (JSONObject(), JSONObject())
        attempt { () throws(Stop) in try assign(template.record, of: 0, &object, &fields) }
        return fields.isEmpty ? .null : .object(fields)
    }

    /// Whether a template may be computed while the document is checked.
    func mayCompute(_ template: PreparedTemplate) -> Bool {
        let own = document.templates.first { $0.heading.name.text == template.name.text }?.entries ?? []
        if mayCompute(own.reduce(0) { $0 + $1.count }) { return true }
        faults.add(.tooMuch, template.name.range)
        return false
    }

    /// Whether that many more entries may be computed while the document is checked. A longer document may take longer.
    private func mayCompute(_ entries: Int) -> Bool {
        exampleWork += Double(workBound.parts(ofEntries: entries) + 100 * (entries + 1))
        return exampleWork <= 200_000 + 20 * Double(faults.source.bytes.count)
    }

    /// Whether entries may be written out with all their initial values.
    private func mayWrite(_ entries: [OutlineEntry]) -> Bool {
        outlineBytes += entries.reduce(0) { $0 + bytes(of: $1) }
        return outlineBytes <= Self.mostOutlineBytes
    }

    private func bytes(of entry: OutlineEntry) -> Int {
        let kind = kinds.first { $0.name == entry.kind.text }
        let own = entry.assignments.reduce(64 + (entry.title?.text.utf8.count ?? 0)) { $0 + $1.value.content.bytes }
        let initial = (kind?.declaration?.fields ?? []).reduce(own) { $0 + ($1.initial?.content.bytes ?? 0) }
        return entry.children.reduce(initial) { $0 + bytes(of: $1) }
    }

    private static let greatestExampleCost = 50_000
    private static let mostOutlineBytes = 2 << 20

    /// The entries of an outline in the form of a calculation. What the outline does not set has its initial value, as
    /// in a form.
    func json(_ entries: [OutlineEntry], in parent: Int) -> [JSON] {
        entries.compactMap { entry in
            var result: JSON?
            attempt { () throws(Stop) in result = try self.json(entry, in: parent) }
            return result
        }
    }

    private func json(_ entry: OutlineEntry, in parent: Int) throws(Stop) -> JSON {
        let kind = try self.kind(entry.kind, writtenIn: parent)
        let fits = kinds[kind].parent == parent || kind == parent && kinds[kind].levels > 1
        guard fits, kind != 0, kinds[kind].base == nil else {
            throw stop(
                .neverInside, entry.kind.range,
                ["name": .string(entry.kind.text), "kind": .string(kinds[parent].name)])
        }
        var object: JSONObject = ["kind": .string(kinds[kind].name)]
        var fields = JSONObject()
        if let title = entry.title, let field = titleField(of: kind) { fields[field] = .string(title.text) }
        try assign(entry.assignments, of: kind, &object, &fields)
        for field in kinds[kind].declaration?.fields ?? [] where fields[field.name.text] == nil {
            if let initial = field.initial { fields[field.name.text] = initial.content.json }
        }
        object["fields"] = .object(fields)
        object["children"] = .array(json(entry.children, in: kind))
        return .object(object)
    }

    /// The kind in an outline; inside a copy of an earlier record, by its name there.
    private func kind(_ word: Formula.Word, writtenIn parent: Int) throws(Stop) -> Int {
        let name = "\(kinds[parent].name)_\(word.text)"
        if kinds[parent].isCopy, let index = kinds.firstIndex(where: { $0.name == name }) { return index }
        return try kind(word)
    }

    /// The field for the text after the kind: the first text field.
    private func titleField(of kind: Int) -> String? {
        kinds[kind].fields.first { if case .text = $0.content { true } else { false } }?.name
    }

    func assign(
        _ assignments: [OutlineAssignment], of kind: Int, _ object: inout JSONObject, _ fields: inout JSONObject
    ) throws(Stop) {
        for assignment in assignments {
            let name = assignment.name
            if name.text == "status", !kinds[kind].has("status") {
                let range = assignment.value.range
                object["status"] = .string(try status(faults.source[range], at: range).rawValue)
                continue
            }
            if let place = kinds[kind].taken[name.text] {
                take(assignment.value, as: document.taken[place], &object)
                continue
            }
            guard kinds[kind].fields.contains(where: { $0.name == name.text }) else {
                faults.add(
                    .unknownName, guessing: .unknownNameGuess, name.text,
                    among: kinds[kind].fields.map(\.name) + kinds[kind].taken.keys.sorted(),
                    name.range, ["kind": .string(kinds[kind].name)])
                throw Stop()
            }
            fields[name.text] = assignment.value.content.json
        }
    }

    /// A figure or an outcome of a copy, in the form of a calculation.
    private func take(_ value: OutlineValue, as item: RegulationDocument.Taken, _ object: inout JSONObject) {
        let member = if case .figure = item.content { "figures" } else { "outcomes" }
        var given = object["given"]?.object ?? JSONObject()
        var values = given[member]?.object ?? JSONObject()
        if case .number(let number) = value.content {
            values[item.heading.name.text] = .string(number.description)
        } else {
            values[item.heading.name.text] = value.content.json
        }
        given[member] = .object(values)
        object["given"] = .object(given)
    }

    /// An example as a record: the entries of its template with its changes, and its own entries.
    func record(of example: RegulationDocument.Example) throws(Stop) -> (fields: JSON, entries: JSON) {
        var (object, fields) = (JSONObject(), JSONObject())
        var entries: [OutlineEntry] = []
        if let name = example.template {
            guard let template = document.templates.first(where: { $0.heading.name.text == name.text }) else {
                faults.add(
                    .unknownTemplate, guessing: .unknownTemplateGuess, name.text,
                    among: document.templates.map(\.heading.name.text), name.range)
                throw Stop()
            }
            entries = template.entries
            try assign(template.record, of: 0, &object, &fields)
        }
        try assign(example.record, of: 0, &object, &fields)
        for change in example.changes { try apply(change, to: &entries) }
        return (.object(fields), .array(json(entries + example.entries, in: 0)))
    }

    private func apply(_ change: OutlineChange, to entries: inout [OutlineEntry]) throws(Stop) {
        try apply(change.way[...], change.assignments, to: &entries)
    }

    private func apply(
        _ way: ArraySlice<(kind: Formula.Word, title: Formula.Word)>, _ assignments: [OutlineAssignment],
        to entries: inout [OutlineEntry]
    ) throws(Stop) {
        guard let step = way.first else { return }
        let title = comparableName(step.title.text)
        let places = entries.indices.filter { place in
            entries[place].kind.text == step.kind.text && comparableName(entries[place].title?.text ?? "") == title
        }
        guard let place = places.first else {
            throw stop(
                .unknownName, step.title.range, ["name": .string(step.title.text), "kind": .string(step.kind.text)])
        }
        if places.count > 1 {
            throw stop(
                .twinTitles, step.title.range, ["name": .string(step.title.text), "kind": .string(step.kind.text)])
        }
        if way.count == 1 {
            let entry = entries[place]
            entries[place] = OutlineEntry(
                kind: entry.kind, title: entry.title, assignments: entry.assignments + assignments,
                children: entry.children)
        } else {
            try apply(way.dropFirst(), assignments, to: &entries[place].children)
        }
    }
}

extension OutlineEntry {
    /// The number of entries, those inside included.
    var count: Int { children.reduce(1) { $0 + $1.count } }
}

extension OutlineValue.Content {
    /// Their approximate length in a record.
    fileprivate var bytes: Int {
        switch self {
        case .text(let text), .word(let text): 32 + text.utf8.count
        case .number, .flag, .nothing: 32
        }
    }

    var json: JSON {
        switch self {
        case .number(let value): value.json
        case .text(let text), .word(let text): .string(text)
        case .flag(let flag): .bool(flag)
        case .nothing: .null
        }
    }
}
