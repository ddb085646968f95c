/// The result of one student in one line of a class, as far as the record's rules use it.
public struct PartCell: Sendable, Equatable {
    /// What the student sees of it.
    public enum Visibility: Sendable {
        /// All of it.
        case released
        /// The line, without the content of the cell.
        case withheld
        /// Nothing, not even the line.
        case hidden
    }

    /// Values by field name: the grade, and other fields per student.
    public var values: [String: FieldValue]
    /// The status; `nil` for an ordinary, graded or still ungraded one.
    public var status: Status?
    /// Applied to the grade, in this order.
    public var adjustments: [GradeAdjustment]
    /// The adjustments that the student sees even while the result is withheld, because they are the same for all
    /// students.
    public var whileWithheld: [GradeAdjustment]
    /// What the student sees of it.
    public var visibility: Visibility

    /// The result of one student in one line.
    public init(
        _ values: [String: FieldValue] = [:], status: Status? = nil, adjustments: [GradeAdjustment] = [],
        whileWithheld: [GradeAdjustment] = [], visibility: Visibility = .released
    ) {
        self.values = values
        self.status = status
        self.adjustments = adjustments
        self.whileWithheld = whileWithheld
        self.visibility = visibility
    }
}

extension RecordTree {
    /// The entries that stand for rows of classes.
    public var links: [(entry: EntryID, link: ClassLink)] {
        guard !body.extras.isEmpty else { return [] }
        return body.nodes.indices.compactMap { index in body.given(to: index).map { (body.ids[index], $0.link) } }
    }

    /// The record with an entry made to stand for a row of a class: its children go, and its figures are given.
    public func linking(_ id: EntryID, to given: Given) -> RecordTree {
        guard id != .record, let index = body.index(of: id) else { return self }
        var draft = RecordDraft(self)
        while let child = draft.firstChild(of: index) { draft.remove(child) }
        var extra = draft.extra(of: index)
        extra.given = given
        // The row's figures already include those that people gave in the row.
        extra.people?.figures = [:]
        if extra.people?.isEmpty == true { extra.people = nil }
        draft.set(extra, of: index)
        return draft.tree
    }

    /// The record with the rows of classes in place of the entries that stand for them. What people gave such an entry
    /// stays.
    ///
    /// - Parameter parts: by entry, the record that holds the assembled row; the entry has the same identifier there.
    public func assembled(links parts: [EntryID: RecordTree]) -> RecordTree {
        var draft = RecordDraft(self)
        // From last to first, so that no number changes before its entry is visited.
        for index in body.nodes.indices.reversed() where body.isLink(index) {
            guard let root = parts[body.ids[index]]?.entry(body.ids[index]) else { continue }
            let (parent, position) = (body.nodes[index].parent, body.position(of: index))
            var part = RecordDraft(root)
            if let people = body.extra(of: index)?.people {
                part.give((part.extra(of: 0).people ?? GivenValues()).overridden(by: people), to: 0)
            }
            draft.remove(index)
            _ = draft.insert(part, in: parent, at: position - 1)
        }
        return draft.tree
    }

    /// One entry with its subtree, and its ancestors unchanged but without their statuses. A class's row is judged by
    /// itself in this form.
    public func part(of id: EntryID) -> RecordTree? {
        guard let entry = entry(id) else { return nil }
        var path: [Int] = []
        var index = body.nodes[entry.index].parent
        while index > 0 {
            path.append(index)
            index = body.nodes[index].parent
        }
        var draft = RecordDraft(shape: shape)
        var parent = 0
        for index in path.reversed() {
            var part = RecordDraft(partOf: shape)
            part.append(body.ids[index], kind: body.nodes[index].kind, in: 0)
            for (slot, value) in body.values(of: index).enumerated() { part.set(slot, of: 0, to: value) }
            parent = draft.insert(part, in: parent, at: .max)
        }
        _ = draft.insert(RecordDraft(entry), in: parent, at: .max)
        return draft.tree
    }

    /// The record that a class's structure describes, with one student's results in its lines.
    ///
    /// - Parameters:
    ///   - cells: by the line's entry. Fields that the line does not have are left out.
    ///   - names: the entries that have another identifier in the student's record: the structure's root.
    public func part(_ cells: [EntryID: PartCell], naming names: [EntryID: EntryID] = [:]) -> RecordTree {
        var draft = RecordDraft(self)
        for index in body.nodes.indices.dropFirst() {
            let id = body.ids[index]
            if let cell = cells[id] { draft.put(cell, into: index) }
            if let name = names[id] { draft.rename(index, to: name) }
        }
        return draft.tree
    }
}

extension RecordDraft {
    fileprivate func firstChild(of index: Int) -> Int? { nodes[index].end > index + 1 ? index + 1 : nil }

    fileprivate mutating func put(_ cell: PartCell, into index: Int) {
        var empty = content(of: index)
        empty.adjustments = cell.whileWithheld
        let shape = shape.kinds[nodes[index].kind]
        for (name, value) in cell.values {
            if let slot = shape.slot(of: NameKey(name)) { set(slot, of: index, to: value) }
        }
        if let status = cell.status { set(status, of: index) }
        if !cell.adjustments.isEmpty {
            var extra = extra(of: index)
            extra.adjustments = cell.adjustments
            set(extra, of: index)
        }
        switch cell.visibility {
        case .released: break
        case .withheld:
            hide(index, true)
            show(empty, for: index)
        case .hidden: hide(index, true)
        }
    }
}
