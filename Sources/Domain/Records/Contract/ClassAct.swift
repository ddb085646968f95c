public import Shared

extension ChangeDescription {
    /// The act of a class that made the change; `nil` for other changes.
    public var act: ClassAct? { operation == Self.classAct ? reason.map { ClassAct(text: $0) } : nil }

    /// Returns the description with the act that made the change.
    fileprivate func noting(_ act: ClassAct) -> ChangeDescription {
        ChangeDescription(
            operation: operation, entry: entry, before: before, after: after, figures: figures, reason: act.text)
    }
}

extension Amendment {
    /// Returns the amendment with the act of a class that makes it; unchanged if no class makes it.
    public func noting(_ act: ClassAct) -> Amendment {
        guard change.operation == ChangeDescription.classAct else { return self }
        return Amendment(
            programVersion: programVersion, executable: executable, full: full, released: released,
            change: change.noting(act), releasedChange: releasedChange?.noting(act), answer: answer)
    }
}
