import GradingKit

/// What the history says about a change, for one view of the record.
///
/// Before and after come from that view's own trees, so that no hidden value reaches a student.
struct ChangeStory {
    private let effects: [ChangeEffect]
    private let operation: String?
    private let reason: String?

    init(_ effects: [ChangeEffect], operation: String?, reason: String?) {
        self.effects = effects
        self.operation = operation
        self.reason = reason
    }

    func description(from before: RecordTree, to after: RecordTree, figures: [UInt8]) -> ChangeDescription {
        if operation == nil, effects.count == 1, let step = Step(effects[0], from: before, to: after) {
            return ChangeDescription(
                operation: step.operation, entry: step.entry, before: step.before, after: step.after,
                figures: figures, reason: reason)
        }
        let steps = effects.compactMap { Step($0, from: before, to: after) }
        return ChangeDescription(
            operation: operation ?? "changes", entry: nil, before: nil,
            after: steps.isEmpty ? nil : Self.list(steps), figures: figures, reason: reason)
    }

    private static func list(_ steps: [Step]) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { writer in
            for step in steps {
                writer.object {
                    $0.member("op", step.operation)
                    $0.member("entry", step.entry)
                    $0.name("before")
                    $0.raw(step.before ?? Array("null".utf8))
                    $0.name("after")
                    $0.raw(step.after ?? Array("null".utf8))
                }
            }
        }
        return writer.bytes
    }
}

/// One step as one view sees it; `nil` if the view sees nothing of it.
private struct Step {
    let operation: String
    let entry: String?
    let before: [UInt8]?
    let after: [UInt8]?

    init?(_ effect: ChangeEffect, from before: RecordTree, to after: RecordTree) {
        guard let entry = effect.entry else {
            operation = effect.operation.rawValue
            self.entry = nil
            (self.before, self.after) = (before.fieldsMemoir, after.fieldsMemoir)
            return
        }
        // A change of an entry's own values need not repeat its children. An entry that the student deleted may still
        // be in the staff's view, which then describes such a change.
        let isDeep = (before.entry(entry) == nil) != (after.entry(entry) == nil)
        self.before = before.memoir(of: entry, withChildren: isDeep)
        self.after = after.memoir(of: entry, withChildren: isDeep)
        if self.before == nil, self.after == nil { return nil }
        operation = effect.operation.rawValue
        self.entry = entry.text
    }
}
