import GradingKit
import Shared

/// The undo of one history item, as a change of its own.
///
/// It applies only if the record is still as that item left it: later changes are not overwritten.
public struct Undo: Sendable {
    /// The error for an entry that was changed again since, so that the undo would overwrite it.
    public struct Superseded: Error, Equatable, Sendable {
        /// The entry; `nil` for the record-level fields.
        public let entry: String?
    }

    /// The error if there is no change to undo.
    public struct Nothing: Error, Equatable, Sendable {}

    /// The edit if there is nothing to undo: the record refuses it with ``Nothing``.
    public static var nothing: RecordEdit {
        RecordEdit(at: nil, answer: .whole, operation: "undo", reason: reason) { _ in throw Nothing() }
    }

    private let item: HistoryItem

    /// Creates the undo of an item of the full view's history.
    public init(of item: HistoryItem) { self.item = item }

    /// Returns the edit that undoes the item.
    ///
    /// - Parameter view: The author's view. Only this view must still be as the item left it.
    public func edit(by recordRules: RecordRules, view: RecordView) -> RecordEdit {
        let (item, rules) = (item, recordRules.rules)
        return RecordEdit(at: nil, answer: .whole, operation: "undo", reason: Self.reason + "\(item.version)") {
            tree in
            let undoing = Undoing(
                tree: tree, seen: view == .full ? tree : tree.released, isStudent: view == .released, rules: rules)
            return try undoing.changes(takingBack: Self.steps(of: item.change))
        }
    }

    /// A search for the author's newest change that is not undone yet. An undo counts as a change only if it was itself
    /// undone.
    public struct Search: Sendable {
        private var takenBack: Set<Version> = []

        /// Creates a search that has seen no change.
        public init() {}

        /// Continues with the next changes of the full view, newest first. Returns the change to undo; `nil` if it is
        /// not among them.
        public mutating func find(in history: [HistoryItem]) -> HistoryItem? {
            for item in history where !takenBack.contains(item.version) {
                guard let target = Undo.target(of: item) else { return item }
                takenBack.insert(target)
            }
            return nil
        }
    }

    private static let reason = "undo of version "

    /// Returns the version that an undo reverted; `nil` for any other change.
    private static func target(of item: HistoryItem) -> Version? {
        guard item.change.operation == "undo", let text = item.change.reason, text.hasPrefix(reason) else { return nil }
        return Version(text.dropFirst(reason.count))
    }

    private static func steps(of change: ChangeDescription) throws -> [Step] {
        if let list = try change.after.map({ try JSON.parse($0) })?.array {
            return list.map { Step(entry: $0["entry"]?.string, before: $0["before"], after: $0["after"]) }
        }
        return [
            Step(
                entry: change.entry, before: try change.before.map { try JSON.parse($0) },
                after: try change.after.map { try JSON.parse($0) })
        ]
    }
}

extension Undo {
    /// What the history says about one entry, or about the fields of the record: its value before the whole change, and
    /// after it.
    fileprivate struct Step {
        let entry: String?
        let before: JSON?
        let after: JSON?

        init(entry: String?, before: JSON?, after: JSON?) {
            self.entry = entry
            self.before = before?.isNull == false ? before : nil
            self.after = after?.isNull == false ? after : nil
        }
    }
}

/// Computes the changes that undo a history item. Several of its steps may concern one entry, or an entry inside
/// another: what counts is the value before the first step and after the last.
private struct Undoing {
    let tree: RecordTree
    /// The record as the author sees it.
    let seen: RecordTree
    let isStudent: Bool
    let rules: Rulebook

    /// Returns the changes that undo some steps.
    ///
    /// - Throws: `Undo.Superseded` if an entry or a field is no longer as the change left it.
    func changes(takingBack steps: [Undo.Step]) throws -> [RecordChange] {
        let steps = Self.outermost(steps)
        var (deletions, reversions): ([RecordChange], [RecordChange]) = ([], [])
        var restored: [(entry: Entry, parent: EntryID?, position: Int)] = []
        for step in steps {
            guard let entry = step.entry else {
                try require(step, seen.fieldsMemoir)
                reversions.append(.revertFields(step.before ?? .null))
                continue
            }
            let id = EntryID(entry)
            switch (step.before, step.after) {
            case (nil, nil): break
            case (nil, _?):
                try require(step, seen.memoir(of: id, withChildren: true))
                deletions.append(.delete(id))
            case (let before?, nil):
                guard tree.entry(id) == nil else { throw Undo.Superseded(entry: entry) }
                restored.append(try remembered(before, of: entry))
            case (let before?, let after?):
                // A student no longer sees an entry that they deleted and that staff still see.
                let isWithdrawn = isStudent && after["hidden"] == true && after["shown"] == nil
                if isWithdrawn {
                    guard seen.entry(id) == nil, tree.entry(id) != nil else { throw Undo.Superseded(entry: entry) }
                } else {
                    try require(step, seen.memoir(of: id, withChildren: false))
                }
                reversions.append(.revert(try remembered(before, of: entry).entry))
            }
        }
        // Restore in their former order, so that each entry finds its position.
        restored.sort { $0.position < $1.position }
        return deletions + reversions + restored.map { .restore($0.entry, parent: $0.parent, position: $0.position) }
    }

    /// Returns one step for each entry, without entries that were added or deleted together with a parent.
    private static func outermost(_ steps: [Undo.Step]) -> [Undo.Step] {
        var covered: Set<String> = []
        for step in steps where step.before == nil || step.after == nil {
            collect((step.before ?? step.after)?["children"], &covered)
        }
        var met: Set<String?> = []
        return steps.filter { step in
            !(step.entry.map { covered.contains($0) } ?? false) && met.insert(step.entry).inserted
        }
    }

    /// Recursion is bounded by the depth of the shape that the memoir was written with.
    private static func collect(_ children: JSON?, _ names: inout Set<String>) {
        for child in children?.array ?? [] {
            if let id = child["id"]?.string { names.insert(id) }
            collect(child["children"], &names)
        }
    }

    private func remembered(
        _ memoir: JSON, of entry: String
    ) throws -> (entry: Entry, parent: EntryID?, position: Int) {
        if let parent = memoir["parent"]?.string, tree.entry(EntryID(parent)) == nil {
            throw Undo.Superseded(entry: parent)
        }
        return try rules.remembered(memoir, in: tree)
    }

    /// Throws unless the entry is still as the change left it, except for its position.
    private func require(_ step: Undo.Step, _ memoir: [UInt8]?) throws {
        guard let memoir, case .object(var now) = try JSON.parse(memoir), case .object(var then)? = step.after else {
            throw Undo.Superseded(entry: step.entry)
        }
        // The author may not see the hidden values, but sees those shown in their place.
        if let shown = then["shown"]?.object, now["shown"] == nil {
            (then["status"], then["fields"], then["hidden"], then["shown"]) = (
                shown["status"], shown["fields"], false, nil
            )
        }
        // Nor the reasons of what people gave.
        if isStudent, let given = then["given"] { then["given"] = given.withoutReasons }
        now["position"] = nil
        then["position"] = nil
        // In an entry that stands for a row, people decide outcomes alone. The class may have changed the rest since.
        if let link = then["enrolment"], now["enrolment"] == link {
            func decided(_ entry: JSONObject) -> JSONObject { ["outcomes": entry["given"]?["outcomes"] ?? .null] }
            (now, then) = (decided(now), decided(then))
        }
        guard now == then else { throw Undo.Superseded(entry: step.entry) }
    }
}

extension JSON {
    /// What people gave, as the student sees it.
    fileprivate var withoutReasons: JSON {
        .object(
            (object ?? JSONObject()).reduce(into: JSONObject()) { groups, group in
                var values = group.value.object ?? JSONObject()
                for name in values.map(\.name) {
                    guard var value = values[name]?.object else { continue }
                    (value["reason"], value["computed"]) = (nil, nil)
                    values[name] = .object(value)
                }
                groups[group.name] = .object(values)
            })
    }
}
