import GradingKit

/// Templates and examples as records on the wire.
extension Checker {
    /// Whether an example may be worked: many of them, each of a great template with many changes, would take long.
    func mayWork(_ example: RegulationDocument.Example) -> Bool {
        let template = document.templates.first { $0.heading.name.text == example.template?.text }
        let entries = (template?.entries ?? []) + example.entries
        let count = entries.reduce(0) { $0 + $1.count }
        exampleCost += count * (1 + example.changes.count) + 1
        if exampleCost <= Self.greatestExampleCost, mayWrite(entries), mayCompute(count) { return true }
        faults.add(.tooMuch, example.heading.name.range)
        return false
    }

    /// The entries of a template, unless they and those of all templates and examples before are too many.
    func entries(of template: RegulationDocument.Template) -> [JSON] {
        if mayWrite(template.entries) { return json(template.entries, in: 0) }
        faults.add(.tooMuch, template.heading.name.range)
        return []
    }

    /// Whether a template may be computed while the document is checked.
    func mayCompute(_ template: PreparedTemplate) -> Bool {
        let own = document.templates.first { $0.heading.name.text == template.name.text }?.entries ?? []
        if mayCompute(own.reduce(0) { $0 + $1.count }) { return true }
        faults.add(.tooMuch, template.name.range)
        return false
    }

    /// Whether so many entries more may be computed while the document is checked. A longer document may take longer.
    private func mayCompute(_ entries: Int) -> Bool {
        exampleWork += Double(workBound.parts(ofEntries: entries) + 100 * (entries + 1))
        return exampleWork <= 200_000 + 20 * Double(faults.source.bytes.count)
    }

    /// Whether entries may be written out with all that they begin with.
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

    /// The entries of an outline, as a calculation takes them: what is not said begins as in a form.
    func json(_ entries: [OutlineEntry], in parent: Int) -> [JSON] {
        entries.compactMap { entry in
            var result: JSON?
            attempt { () throws(Stop) in result = try self.json(entry, in: parent) }
            return result
        }
    }

    private func json(_ entry: OutlineEntry, in parent: Int) throws(Stop) -> JSON {
        let kind = try kind(entry.kind)
        guard kinds[kind].parent == parent, kind != 0 else {
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

    /// The field that a text behind the kind is for: the first that holds texts.
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
            guard kinds[kind].fields.contains(where: { $0.name == name.text }) else {
                faults.add(
                    .unknownName, guessing: .unknownNameGuess, name.text, among: kinds[kind].fields.map(\.name),
                    name.range, ["kind": .string(kinds[kind].name)])
                throw Stop()
            }
            fields[name.text] = assignment.value.content.json
        }
    }

    /// An example as a record: the entries of its template with its changes, and its own.
    func record(of example: RegulationDocument.Example) throws(Stop) -> (fields: JSON, entries: JSON) {
        var (object, fields) = (JSONObject(), JSONObject())
        try assign(example.record, of: 0, &object, &fields)
        var entries: [OutlineEntry] = []
        if let name = example.template {
            guard let template = document.templates.first(where: { $0.heading.name.text == name.text }) else {
                faults.add(
                    .unknownTemplate, guessing: .unknownTemplateGuess, name.text,
                    among: document.templates.map(\.heading.name.text), name.range)
                throw Stop()
            }
            entries = template.entries
        }
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
        let place = entries.firstIndex { entry in
            entry.kind.text == step.kind.text
                && comparableName(entry.title?.text ?? "") == comparableName(step.title.text)
        }
        guard let place else {
            throw stop(
                .unknownName, step.title.range, ["name": .string(step.title.text), "kind": .string(step.kind.text)])
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
    /// How many entries it is, with those inside.
    var count: Int { children.reduce(1) { $0 + $1.count } }
}

extension OutlineValue.Content {
    /// How long it is in a record, roughly.
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
