/// A changed tree on its way to being judged: what it became, what was touched, and where each part stood in the
/// request.
struct Proposal {
    private(set) var tree: RecordTree
    private(set) var effects: [ChangeEffect] = []
    private(set) var references: [String: EntryID] = [:]
    private(set) var touched: Set<EntryID> = []
    private(set) var origins: [EntryID: String] = [:]
    private var decoder: EntryDecoder
    /// What a student writes into an entry that holds something hidden changes what the student sees of it.
    private let isStaff: Bool

    var faults: FaultList { decoder.faults }

    init(of tree: RecordTree, isStaff: Bool, newID: @escaping () -> EntryID) {
        self.tree = tree
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
            setFields { decoder, root in decoder.fields(fields, into: &root, at: path + "/fields") }
            origins[.record] = path
        case .restore(let entry, let parent, let position): try restore(entry, to: parent, at: position)
        case .revert(let entry): try revert(entry)
        case .revertFields(let fields):
            setFields { decoder, root in decoder.fields(fields, into: &root, at: path) }
        }
    }

    private func resolve(_ name: String) -> EntryID { references[name] ?? EntryID(name) }

    private func find(_ id: EntryID) throws(EntryNotFound) -> [Int] {
        guard let path = tree.path(to: id) else { throw EntryNotFound(entry: id.text) }
        return path
    }

    private mutating func add(
        _ json: JSON, to parent: String?, as ref: String?, at path: String
    ) throws(EntryNotFound) {
        let place = try parent.map { name throws(EntryNotFound) in try find(resolve(name)) } ?? []
        let parentEntry = place.reduce(tree.root) { $0.children[$1] }
        guard let entry = decoder.entry(json, in: parentEntry.kind, at: path) else { return }
        origins.merge(decoder.origins) { _, new in new }
        if let ref, references.updateValue(entry.id, forKey: ref) != nil {
            decoder.note(Fault(.outOfRange, at: path + "/ref"))
        }
        edit(place) { $0.children.append(entry) }
        touch(entry)
        effects.append(
            ChangeEffect(
                .add, entry: entry.id, parent: parent == nil ? nil : parentEntry.id,
                position: parentEntry.children.count + 1, before: nil, after: entry))
    }

    private mutating func patch(
        _ id: EntryID, _ members: JSONObject, at path: String
    ) throws(EntryNotFound) {
        let place = try find(resolve(id.text))
        let before = place.reduce(tree.root) { $0.children[$1] }
        let seen = isStaff ? nil : before.shown
        var after = before
        if let seen { (after.status, after.values) = (seen.status, seen.values) }
        for member in members {
            let position = path + JSONPointer.step(member.name)
            switch member.name {
            case "fields": decoder.fields(member.value, into: &after, at: position)
            case "position": decoder.note(Fault(.unknownField, at: position))
            default: decoder.envelope(member.name, member.value, into: &after, at: position)
            }
        }
        if seen != nil {
            after = before.showing(Entry.Shown(status: after.status, values: after.values))
        } else if !after.isHidden {
            after.shown = nil
        } else if !before.isHidden, members.contains(where: { ["fields", "status"].contains($0.name) }) {
            // What is written and hidden in one is a score to come; hiding alone takes away what is there.
            after.shown = before.seen
        }
        replace(before, by: after, at: place)
        origins[after.id] = path
    }

    private mutating func replace(_ before: Entry, by after: Entry, at place: [Int]) {
        edit(place) { $0 = after }
        touched.insert(after.id)
        effects.append(
            ChangeEffect(
                .patch, entry: after.id, parent: parent(of: place), position: (place.last ?? 0) + 1, before: before,
                after: after))
    }

    private func parent(of place: [Int]) -> EntryID? {
        let parent = place.dropLast().reduce(tree.root) { $0.children[$1] }
        return parent.id == .record ? nil : parent.id
    }

    private mutating func delete(_ id: EntryID) throws(EntryNotFound) {
        let place = try find(resolve(id.text))
        guard let index = place.last else { throw EntryNotFound(entry: id.text) }
        let before = place.reduce(tree.root) { $0.children[$1] }
        let parent = parent(of: place)
        edit(Array(place.dropLast())) { $0.children.remove(at: index) }
        effects.append(
            ChangeEffect(.delete, entry: before.id, parent: parent, position: index + 1, before: before, after: nil))
    }

    private mutating func setFields(_ merge: (inout EntryDecoder, inout Entry) -> Void) {
        let before = tree.root
        var root = before
        merge(&decoder, &root)
        tree.root = root
        touched.insert(.record)
        effects.append(ChangeEffect(.fields, entry: nil, parent: nil, position: 0, before: before, after: root))
    }

    private mutating func restore(_ entry: Entry, to parent: EntryID?, at position: Int) throws(EntryNotFound) {
        let place = try parent.map { id throws(EntryNotFound) in try find(id) } ?? []
        edit(place) { $0.children.insert(entry, at: min(max(position - 1, 0), $0.children.count)) }
        touch(entry)
        effects.append(
            ChangeEffect(.add, entry: entry.id, parent: parent, position: position, before: nil, after: entry))
    }

    private mutating func revert(_ entry: Entry) throws(EntryNotFound) {
        let place = try find(entry.id)
        let before = place.reduce(tree.root) { $0.children[$1] }
        var after = !isStaff && before.shown != nil ? before.showing(entry.seen) : entry
        after.children = before.children
        replace(before, by: after, at: place)
    }

    private mutating func touch(_ entry: Entry) {
        touched.insert(entry.id)
        for child in entry.children { touch(child) }
    }

    private mutating func edit(_ place: [Int], _ change: (inout Entry) -> Void) {
        Self.edit(&tree.root, place[...], change)
    }

    private static func edit(_ entry: inout Entry, _ place: ArraySlice<Int>, _ change: (inout Entry) -> Void) {
        guard let first = place.first else { return change(&entry) }
        edit(&entry.children[first], place.dropFirst(), change)
    }
}

extension Entry {
    /// The entry with other values for the student to see in its place, while its own stay hidden.
    fileprivate func showing(_ shown: Shown?) -> Entry {
        var entry = self
        entry.shown = shown
        return entry
    }
}

/// What one step of a change did, for the audit trail, the history and undo.
public struct ChangeEffect: Sendable {
    /// What kind of step it was.
    public enum Operation: String, Sendable {
        case add, patch, delete, fields
    }

    /// What kind of step it was.
    public let operation: Operation
    /// The entry concerned; `nil` for the record-level fields.
    public let entry: EntryID?
    /// The entry in which it stands or stood; `nil` for the record.
    public let parent: EntryID?
    /// Its position there, from 1; 0 for the record-level fields.
    public let position: Int
    /// What stood there before, if anything.
    public let before: Entry?
    /// What stands there now, if anything.
    public let after: Entry?

    init(
        _ operation: Operation, entry: EntryID?, parent: EntryID?, position: Int, before: Entry?, after: Entry?
    ) {
        self.operation = operation
        self.entry = entry
        self.parent = parent
        self.position = position
        self.before = before
        self.after = after
    }
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
