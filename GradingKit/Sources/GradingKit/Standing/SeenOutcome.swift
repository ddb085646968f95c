/// An outcome as one side of a comparison shows it, whether it is computed now or was stored.
struct SeenOutcome {
    /// Why the outcome is as it is: a bar, and the entry that crossed it.
    struct Reason: Equatable {
        let code: String
        let entry: EntryID?
    }

    let state: String
    let reasons: [Reason]

    init(state: String, reasons: [Reason]) {
        self.state = state
        self.reasons = reasons
    }

    init(_ decision: Decision) {
        self.init(
            state: decision.state.rawValue,
            reasons: decision.reasons.map { Reason(code: $0.code.text, entry: $0.entry) })
    }

    /// Tells of an outcome in another state, or of each reason by which the same state differs: a bar was crossed.
    static func compare(
        _ old: SeenOutcome?, _ new: SeenOutcome?, _ name: String, at entry: EntryID?, _ changes: inout [VerdictChange]
    ) {
        guard old?.state == new?.state else {
            return changes.append(
                VerdictChange(.outcome, of: name, at: entry, before: old?.state, after: new?.state))
        }
        let (before, after) = (old?.reasons ?? [], new?.reasons ?? [])
        for reason in before where !after.contains(reason) {
            changes.append(VerdictChange(.bar, of: name, at: reason.entry ?? entry, before: reason.code, after: nil))
        }
        for reason in after where !before.contains(reason) {
            changes.append(VerdictChange(.bar, of: name, at: reason.entry ?? entry, before: nil, after: reason.code))
        }
    }
}
