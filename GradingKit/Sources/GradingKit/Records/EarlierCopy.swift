/// Copies of earlier records of the same student: entries of a kind that says so (``KindShape/copies``), whose figures and
/// outcomes are given.
extension Rulebook {
    /// The copies that a record can hold, in the order of the shape.
    public var earlierKinds: [KindShape] { shape.kinds.filter { $0.copies == Kind.record.name } }

    /// Returns a copy of another record as the entry that `RecordChange.takeEarlier` takes; `nil` if these rules have
    /// no copy of that name.
    ///
    /// Finds a kind, field, figure or outcome of the other record by its name there or by a former one. Leaves out
    /// fields that the copy does not name, and those for which the other record has no value.
    ///
    /// - Parameters:
    ///   - name: the name of the copy.
    ///   - tree: the other record.
    ///   - source: its own rules.
    /// - Throws: the faults of a record that its own rules cannot judge.
    public func copy(named name: String, of tree: RecordTree, under source: Rulebook) throws(FaultList) -> JSON? {
        guard let outer = shape.kinds.first(where: { $0.kind.name == name && $0.copies == Kind.record.name }) else {
            return nil
        }
        let standing = try source.standing(of: tree)
        let standings = Dictionary(standing.entries.map { ($0.entry, $0) }) { first, _ in first }
        var children: [JSON] = []
        for inner in shape.kinds where inner.parent == outer.kind {
            guard let copied = inner.copies.flatMap({ tree.shape.index(stored: $0) }) else { continue }
            for index in tree.body.nodes.indices.dropFirst() where tree.body.nodes[index].kind == copied {
                let own = standings[tree.body.ids[index]]
                children.append(
                    copy(of: index, in: tree, source, as: inner, own?.figures ?? [], own?.outcomes ?? [], with: []))
            }
        }
        return copy(of: 0, in: tree, source, as: outer, standing.figures, standing.outcomes, with: children)
    }

    private func copy(
        of index: Int, in tree: RecordTree, _ source: Rulebook, as kind: KindShape, _ figures: [StandingFigure],
        _ outcomes: [StandingOutcome], with children: [JSON]
    ) -> JSON {
        guard let number = shape.index(of: kind.kind) else { return .null }
        let copied = tree.shape.kinds[tree.body.nodes[index].kind]
        let values = Array(tree.body.values(of: index))
        var fields = JSONObject()
        for field in kind.fields {
            let slot = copied.slot(of: NameKey(field.name)) ?? copied.slot(formerly: field.name)
            guard let slot, values[slot] != .none else { continue }
            let value = values[slot].json
            if case .success? = kind.value(value, of: field.name) { fields[field.name] = value }
        }
        let here = compiled.kinds[number]
        let there = source.compiled.index(of: copied.kind).map { source.compiled.kinds[$0].formerNames }
        var (numbers, decisions) = (JSONObject(), JSONObject())
        for name in here.figures.map(\.figure.name) {
            let figure = figures.first { $0.name == name } ?? figures.first { $0.name == there?.figures.own(of: name) }
            guard let figure, let value = figure.value(figure.current) else { continue }
            numbers[name] = .string(value.reduced.description)
        }
        for name in here.outcomes.map(\.name) {
            let outcome =
                outcomes.first { $0.name == name } ?? outcomes.first { $0.name == there?.outcomes.own(of: name) }
            guard let decision = outcome?.decision, decision.state != .pending else { continue }
            let state = JSON.string(decision.state.rawValue)
            decisions[name] = decision.value.map { ["value": .string($0), "state": state] } ?? state
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
