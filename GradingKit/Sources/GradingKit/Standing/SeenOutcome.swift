/// An outcome as one side of a comparison shows it, whether computed now or stored earlier.
struct SeenOutcome {
    /// A reason for the state of an outcome: the code of a bar, and the entry that crossed it.
    struct Reason: Equatable {
        let code: String
        let entry: EntryID?
    }

    /// The value, otherwise the state.
    let word: String
    let reasons: [Reason]

    init(word: String, reasons: [Reason]) {
        self.word = word
        self.reasons = reasons
    }

    init(_ decision: Decision) {
        self.init(
            word: decision.word,
            reasons: decision.reasons.map { Reason(code: $0.code.text, entry: $0.entry) })
    }

    /// Adds a change if values or states differ; otherwise one for each reason in which they differ, because a bar was
    /// crossed.
    static func compare(
        _ old: SeenOutcome?, _ new: SeenOutcome?, _ name: String, at entry: EntryID?, _ changes: inout [VerdictChange]
    ) {
        guard old?.word == new?.word else {
            return changes.append(
                VerdictChange(.outcome, of: name, at: entry, before: old?.word, after: new?.word))
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
