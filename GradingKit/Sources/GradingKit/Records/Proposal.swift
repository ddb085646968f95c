/// A changed tree on its way to being judged: what it became, what was touched, and where each part stood in the
/// request.
struct Proposal {
    private var draft: RecordDraft
    private(set) var effects: [ChangeEffect] = []
    private(set) var references: [String: EntryID] = [:]
    private(set) var touched: Set<EntryID> = []
    private(set) var origins: [EntryID: String] = [:]
    private var decoder: EntryDecoder
    private let isStaff: Bool

    var faults: FaultList { decoder.faults }

    /// The record as the steps so far have made it.
    var tree: RecordTree { RecordTree(draft.body) }

    init(of tree: RecordTree, isStaff: Bool, newID: @escaping () -> EntryID) {
        draft = RecordDraft(tree.body)
        self.isStaff = isStaff
        decoder = EntryDecoder(shape: tree.shape, source: .request(isStaff: isStaff), newID: newID)
    }

    /// Applies one step; `path` is where it stands in the request.
    mutating func apply(_ change: RecordChange, at path: String) throws(EntryNotFound) {
        switch change {
        case .add(let entry, let parent, let ref): try add(entry, to: parent, as: ref, at: path)
        case .patch(let id, let members): try patch(id, members, at: path)
        case .delete(let id): try delete(id)
        case .fields(let fields):
            setFields(fields, at: path + "/fields")
            origins[.record] = path
        case .restore(let entry, let parent, let position): try restore(entry, to: parent, at: position)
        case .revert(let entry): try revert(entry)
        case .revertFields(let fields): setFields(fields, at: path)
        }
    }

    /// The number of the entry that a step names, by its identifier or by the name an earlier step gave it.
    private func find(_ name: String) throws(EntryNotFound) -> Int {
        let id = references[name] ?? EntryID(name)
        guard let index = draft.ids.place(of: id), index > 0 else { throw EntryNotFound(entry: id.text) }
        return index
    }

    private mutating func add(
        _ json: JSON, to name: String?, as ref: String?, at path: String
    ) throws(EntryNotFound) {
        let parent = try name.map { name throws(EntryNotFound) in try find(name) } ?? 0
        var part = RecordDraft(partOf: draft.shape)
        decoder.entry(json, in: (draft.nodes[parent].kind, 0), of: &part, at: path)
        guard let id = part.ids.first else { return }
        origins.merge(decoder.origins) { _, new in new }
        if let ref, references.updateValue(id, forKey: ref) != nil {
            decoder.note(Fault(.outOfRange, at: path + "/ref"))
        }
        insert(part, in: parent, at: .max)
    }

    private mutating func insert(_ part: RecordDraft, in parent: Int, at place: Int) {
        let index = draft.insert(part, in: parent, at: place)
        touched.formUnion(part.ids)
        note(.add, index)
    }

    private mutating func patch(_ id: EntryID, _ members: JSONObject, at path: String) throws(EntryNotFound) {
        let index = try find(id.text)
        if let shown = draft.shown[draft.ids[index]], !isStaff {
            // What a student writes changes what the student sees; what is hidden stays as staff left it.
            let hidden = draft.content(of: index)
            draft.assign(shown, to: index)
            merge(members, into: index, at: path)
            draft.show(draft.content(of: index), for: index)
            draft.assign(hidden, to: index)
        } else {
            let hides = members["hidden"] != nil && !draft.nodes[index].isHidden
            let before = hides ? draft.content(of: index) : nil
            merge(members, into: index, at: path)
            if !draft.nodes[index].isHidden {
                draft.show(nil, for: index)
            } else if let before, members.contains(where: { ["fields", "status"].contains($0.name) }) {
                // What is written and hidden in one is a score to come; hiding alone takes away what is there.
                draft.show(before, for: index)
            }
        }
        touched.insert(draft.ids[index])
        origins[draft.ids[index]] = path
        note(.patch, index)
    }

    private mutating func merge(_ members: JSONObject, into index: Int, at path: String) {
        for member in members {
            let position = path + JSONPointer.step(member.name)
            switch member.name {
            case "fields": decoder.fields(member.value, of: index, in: &draft, at: position)
            case "position": decoder.note(Fault(.unknownField, at: position))
            default: decoder.envelope(member.name, member.value, of: index, in: &draft, at: position)
            }
        }
    }

    private mutating func delete(_ id: EntryID) throws(EntryNotFound) {
        let index = try find(id.text)
        note(.delete, index)
        draft.remove(index)
    }

    private mutating func setFields(_ fields: JSON, at path: String) {
        decoder.fields(fields, of: 0, in: &draft, at: path)
        touched.insert(.record)
        effects.append(ChangeEffect(operation: .fields, entry: nil))
    }

    private mutating func restore(_ entry: Entry, to parent: EntryID?, at position: Int) throws(EntryNotFound) {
        let parent = try parent.map { id throws(EntryNotFound) in try find(id.text) } ?? 0
        insert(RecordDraft(entry), in: parent, at: position - 1)
    }

    private mutating func revert(_ entry: Entry) throws(EntryNotFound) {
        let index = try find(entry.id.text)
        guard draft.nodes[index].kind == entry.kind else { throw EntryNotFound(entry: entry.id.text) }
        if !isStaff, draft.shown[draft.ids[index]] != nil {
            draft.show(entry.seen, for: index)
        } else {
            draft.assign(entry, to: index)
        }
        touched.insert(entry.id)
        note(.patch, index)
    }

    private mutating func note(_ operation: ChangeEffect.Operation, _ index: Int) {
        effects.append(ChangeEffect(operation: operation, entry: draft.ids[index]))
    }
}

/// What one step of a change did, for the audit trail, the history and undo; trees before and after tell the rest.
public struct ChangeEffect: Sendable, Equatable {
    /// What kind of step it was.
    public enum Operation: String, Sendable {
        case add, patch, delete, fields
    }

    /// What kind of step it was.
    public let operation: Operation
    /// The entry concerned; `nil` for the record-level fields.
    public let entry: EntryID?
}

/// A change that passed every check. Only the kit makes one.
public struct ValidatedChange: Sendable {
    /// The record after the change.
    public let tree: RecordTree
    /// What was done, step by step.
    public let effects: [ChangeEffect]
    /// The entries that steps named with `ref`.
    public let references: [String: EntryID]

    init(tree: RecordTree, effects: [ChangeEffect], references: [String: EntryID]) {
        self.tree = tree
        self.effects = effects
        self.references = references
    }
}
