/// A fault of an entry of a record, wherever the entry came from.
public struct EntryFault: Sendable, Equatable {
    /// What is wrong.
    public let code: FaultCode
    /// The entry; `nil` for the record itself.
    public let entry: EntryID?
    /// The field; `nil` if the fault concerns the whole entry, its status or its children.
    public let field: String?
    /// The arguments of its message.
    public let arguments: JSONObject
}

/// A change of the entries that stand for rows of classes. Only classes make it.
public enum LinkChange: Sendable {
    /// Adds an entry, or updates it from the part's entry of the same name; its figures are given.
    ///
    /// - Parameters:
    ///   - part: the record that holds the assembled row.
    ///   - parent: the parent of a new entry; `nil` for the record itself.
    case put(EntryID, of: RecordTree, as: Given, parent: EntryID?)
    /// Removes an entry with its subtree.
    case remove(EntryID)
}

extension Rulebook {
    /// Whether the scheme accepts given figures. A scheme in a process of its own may not.
    public var takesGiven: Bool { compiled.remote?.takesGiven ?? true }

    /// The part's figures for an entry that stands for a row: all of its kind, including those that are not shown.
    ///
    /// - Throws: `too_precise`, `too_much_work`, `entry_not_found`, or `not_computable` when the scheme runs in another
    ///   process and does not answer.
    public func given(of id: EntryID, in tree: RecordTree) throws(FaultList) -> GivenFigures {
        if compiled.remote != nil, let given = given(of: [(id, tree)]).first { return try given.get() }
        guard let index = tree.entry(id)?.index else { throw FaultList([Fault(.entryNotFound)]) }
        let current = Run(tree.body, by: compiled, under: .current)
        let floor = Run(tree.body, by: compiled, under: .floor, besides: current)
        let ceiling = Run(tree.body, by: compiled, under: .ceiling, besides: current)
        var figures: [String: GivenFigure] = [:]
        for (slot, figure) in compiled.kinds[tree.body.nodes[index].kind].figures.enumerated() {
            let now = current.figure(slot, of: index).state
            figures[figure.figure.name] =
                current.isSettled(slot, of: index)
                ? GivenFigure(now)
                : GivenFigure(
                    now, floor: floor.figure(slot, of: index).state, ceiling: ceiling.figure(slot, of: index).state)
        }
        if let refusal = current.refusal ?? floor.refusal ?? ceiling.refusal { throw FaultList([Fault(refusal)]) }
        return GivenFigures(figures, awaitsGrade: current.at(index, \.awaitsGradeInside))
    }

    /// The same for one entry in each of several records. A scheme in a process of its own is asked once for all.
    public func given(of entries: [(id: EntryID, tree: RecordTree)]) -> [Result<GivenFigures, FaultList>] {
        guard let remote = compiled.remote else {
            return entries.map { id, tree in Result { () throws(FaultList) in try given(of: id, in: tree) } }
        }
        do {
            return try remote.given(of: entries)
        } catch {
            return entries.map { _ in .failure(FaultList(error)) }
        }
    }

    /// The faults that the shape and the scheme find in a record.
    ///
    /// - Throws: `not_computable` when the scheme runs in another process and does not answer.
    public func faults(of tree: RecordTree) throws(FaultList) -> [EntryFault] {
        try compiled.check(tree, touched: []).located.map { place, arguments in
            var field: String?
            if case .field(let name) = place.part { field = name }
            return EntryFault(
                code: place.code, entry: place.entry == .record ? nil : place.entry, field: field,
                arguments: arguments)
        }
    }

    /// Why an entry of a record cannot be replaced by one that stands for a row: `entry_not_found` if it is not
    /// directly in the record, `class_entry` if it stands for another row, `wrong_kind`; `nil` if it can.
    public func refusal(ofReplacing id: EntryID, by kind: Kind, in tree: RecordTree) -> FaultCode? {
        guard id != .record, let entry = tree.entry(id), tree.body.nodes[entry.index].parent == 0 else {
            return .entryNotFound
        }
        if entry.link != nil { return .classEntry }
        return shape.kinds[entry.kind].kind == kind ? nil : .wrongKind
    }

    /// Changes the entries of a record that stand for rows of classes, and checks those entries by the rules.
    ///
    /// - Throws: `FaultList`, or `EntryNotFound` for a parent or an entry that the record does not have.
    public func validate(links changes: [LinkChange], of tree: RecordTree) throws -> ValidatedChange {
        var (draft, effects, touched) = (RecordDraft(tree), [ChangeEffect](), Set<EntryID>())
        for change in changes {
            switch change {
            case .put(let id, let part, let given, let parent):
                let isKnown = draft.ids.place(of: id) != nil
                try draft.put(id, of: part, given, in: parent)
                effects.append(ChangeEffect(operation: isKnown ? .patch : .add, entry: id))
                touched.insert(id)
            case .remove(let id):
                guard let index = draft.ids.place(of: id), index > 0 else { throw EntryNotFound(entry: id.text) }
                draft.remove(index)
                effects.append(ChangeEffect(operation: .delete, entry: id))
            }
        }
        let changed = draft.tree
        let found = try compiled.check(changed, touched: touched).located
        let new: [Fault]
        if found.isEmpty {
            new = []
        } else {
            let before = Set(try compiled.check(tree, touched: []).located.map(\.place))
            new = found.filter { touched.contains($0.place.entry) || !before.contains($0.place) }
                .map { Fault($0.place.code, $0.arguments) }
        }
        try FaultList(new).check()
        return ValidatedChange(tree: changed, effects: effects, references: [:])
    }
}

extension RecordDraft {
    /// Makes an entry stand for a row: adds it, or updates it from the row.
    fileprivate mutating func put(
        _ id: EntryID, of part: RecordTree, _ given: Given, in parent: EntryID?
    ) throws(EntryNotFound) {
        guard let root = part.linking(id, to: given).entry(id) else { throw EntryNotFound(entry: id.text) }
        if let index = ids.place(of: id), index > 0 {
            guard nodes[index].kind == root.kind else { throw EntryNotFound(entry: id.text) }
            // The values that people gave the entry stay.
            let people = extra(of: index).people
            assign(root, to: index)
            if people != nil { give(people, to: index) }
            return
        }
        var place = 0
        if let parent {
            guard let index = ids.place(of: parent), index > 0 else { throw EntryNotFound(entry: parent.text) }
            place = index
        }
        _ = insert(RecordDraft(root), in: place, at: .max)
    }
}
