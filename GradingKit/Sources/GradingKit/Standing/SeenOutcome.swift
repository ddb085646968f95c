/// An outcome as one side of a comparison shows it, whether computed now or stored earlier.
struct SeenOutcome {
    /// A reason for the state of an outcome: the code of a bar, and the entry that crossed it.
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

    /// Adds a change if the states differ, or else for each reason in which they differ, because a bar was crossed.
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
