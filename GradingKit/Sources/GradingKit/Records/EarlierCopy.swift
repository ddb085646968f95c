/// Copies of earlier records of the same student: entries of a kind that says so (``KindShape/copies``), whose figures and
/// outcomes are given.
extension Rulebook {
    /// The copies that a record can hold, in the order of the shape.
    public var earlierKinds: [KindShape] { shape.kinds.filter { $0.copies == Kind.record.name } }

    /// Returns a copy of another record as the entry that `RecordChange.takeEarlier` takes; `nil` if these rules have
    /// no copy of that name.
    ///
    /// Leaves out fields that the copy does not name, and those for which the other record has no value.
    ///
    /// - Parameters:
    ///   - name: the name of the copy.
    ///   - tree: the other record, under its own rules.
    ///   - standing: its standing.
    public func copy(named name: String, of tree: RecordTree, _ standing: Standing) -> JSON? {
        guard let outer = shape.kinds.first(where: { $0.kind.name == name && $0.copies == Kind.record.name }) else {
            return nil
        }
        var children: [JSON] = []
        for inner in shape.kinds where inner.parent == outer.kind {
            let sources = tree.body.nodes.indices.dropFirst().filter {
                tree.shape.kinds[tree.body.nodes[$0].kind].kind.name == inner.copies
            }
            let standings = Dictionary(standing.entries.map { ($0.entry, $0) }) { first, _ in first }
            for index in sources {
                let own = standings[tree.body.ids[index]]
                children.append(
                    copy(of: index, in: tree.body, as: inner, own?.figures ?? [], own?.outcomes ?? [], with: []))
            }
        }
        return copy(of: 0, in: tree.body, as: outer, standing.figures, standing.outcomes, with: children)
    }

    private func copy(
        of index: Int, in body: RecordBody, as kind: KindShape, _ figures: [StandingFigure],
        _ outcomes: [StandingOutcome], with children: [JSON]
    ) -> JSON {
        let source = body.shape.kinds[body.nodes[index].kind]
        var fields = JSONObject()
        for (field, value) in zip(source.fields, body.values(of: index)) where value != .none {
            if case .success? = kind.value(value.json, of: field.name) { fields[field.name] = value.json }
        }
        guard let number = shape.index(of: kind.kind) else { return .null }
        let names = compiled.kinds[number]
        var (numbers, decisions) = (JSONObject(), JSONObject())
        for figure in figures where names.figures.contains(where: { $0.figure.name == figure.name }) {
            if let value = figure.value(figure.current) { numbers[figure.name] = .string(value.reduced.description) }
        }
        for outcome in outcomes where names.outcomes.contains(where: { $0.name == outcome.name }) {
            guard outcome.decision.state != .pending else { continue }
            let state = JSON.string(outcome.decision.state.rawValue)
            decisions[outcome.name] = outcome.decision.value.map { ["value": .string($0), "state": state] } ?? state
        }
        return [
            "kind": .string(kind.kind.name), "fields": .object(fields),
            "given": ["figures": .object(numbers), "outcomes": .object(decisions)], "children": .array(children),
        ]
    }
}

extension Exact {
    /// Reads a copied figure: a decimal or a ratio of at most 4,096 bits, plain or in an object, as records store it.
    init?(copied json: JSON) {
        switch json["value"] ?? json {
        case .number(let text), .string(let text):
            guard text.utf8.count <= 2_600, let value = Exact(ratio: text) ?? DecimalText(text)?.value,
                value.bitWidth <= 4_096
            else { return nil }
            self = value
        default: return nil
        }
    }
}

extension GivenOutcome {
    /// Reads a copied outcome: its state, or `{"value","state"}`, or an object such as `{"value":"met",…}`, as records
    /// store it.
    init?(copied json: JSON) {
        let word = json["value"]?.string ?? json.string
        guard let state = (json["state"]?.string ?? word).flatMap({ Decision.State(rawValue: $0) }), state != .pending
        else { return nil }
        guard json["state"] != nil, let word else {
            self.init(state)
            return
        }
        guard (1...64).contains(word.utf8.count) else { return nil }
        self.init(state, word)
    }
}
