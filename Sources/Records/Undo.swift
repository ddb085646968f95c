import GradingKit

/// Takes back what one history item tells, as a change of its own.
///
/// It goes only as far as the record still stands where that item left it: what was changed again since is not
/// overwritten.
public struct Undo: Sendable {
    /// What was changed again since, so that the change cannot be taken back.
    public struct Superseded: Error, Equatable, Sendable {
        /// The entry; `nil` for the record-level fields.
        public let entry: String?
    }

    private let item: HistoryItem

    /// Takes back an item of the full view's history.
    public init(of item: HistoryItem) { self.item = item }

    /// The edit that takes it back.
    public func edit(by book: RecordBook) -> RecordEdit {
        let (item, rules) = (item, book.rules)
        return RecordEdit(at: nil, answer: .whole, operation: "undo", reason: "undo of version \(item.version)") {
            tree in
            try Self.steps(of: item.change).reversed().map { try $0.inverse(in: tree, rules) }
        }
    }

    private static func steps(of change: ChangeDescription) throws -> [UndoneStep] {
        if let list = try change.after.map({ try JSON.parse($0) })?.array {
            return list.map { step in
                UndoneStep(
                    operation: step["op"]?.string ?? "", entry: step["entry"]?.string, before: step["before"],
                    after: step["after"])
            }
        }
        return [
            UndoneStep(
                operation: change.operation, entry: change.entry, before: try change.before.map { try JSON.parse($0) },
                after: try change.after.map { try JSON.parse($0) })
        ]
    }
}

/// One step as the history tells it.
private struct UndoneStep {
    let operation: String
    let entry: String?
    let before: JSON?
    let after: JSON?

    /// The step that puts things back. Throws `Undo.Superseded` where they do not stand as this step left them.
    func inverse(in tree: RecordTree, _ rules: Rulebook) throws -> RecordChange {
        switch (operation, entry) {
        case ("add", let entry?):
            try require(tree.memoir(of: EntryID(entry), withChildren: true))
            return .delete(EntryID(entry))
        case ("patch", let entry?):
            try require(tree.memoir(of: EntryID(entry), withChildren: false))
            return .revert(try rules.remembered(before ?? .null, in: tree).entry)
        case ("delete", _?):
            let (entry, parent, position) = try rules.remembered(before ?? .null, in: tree)
            if tree.entry(entry.id) != nil { throw Undo.Superseded(entry: entry.id.text) }
            return .restore(entry, parent: parent, position: position)
        case ("fields", _):
            return .revertFields(before?["fields"] ?? .null)
        default:
            throw Undo.Superseded(entry: entry)
        }
    }

    /// The entry must still be what the step made of it; only its position may have moved.
    private func require(_ memoir: [UInt8]?) throws {
        guard let memoir, case .object(var now) = try JSON.parse(memoir), case .object(var then)? = after else {
            throw Undo.Superseded(entry: entry)
        }
        now["position"] = nil
        then["position"] = nil
        guard now == then else { throw Undo.Superseded(entry: entry) }
    }
}
