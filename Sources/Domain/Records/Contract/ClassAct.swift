public import Shared

/// The act of a class that changed a record: where the ledger of the class tells of it.
public struct ClassAct: Sendable, Hashable {
    /// The class.
    public let classID: ClassID
    /// The number of the line of its ledger; `nil` for an act of which that was not noted.
    public let line: Int?

    /// An act.
    public init(_ classID: ClassID, line: Int?) {
        self.classID = classID
        self.line = line
    }

    /// Reads the stored text.
    public init(text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        classID = ClassID(parts.first.map(String.init) ?? "")
        line = parts.count > 1 ? Int(parts[1]) : nil
    }

    /// The stored text, in the place of a reason.
    public var text: String { line.map { "\(classID.text) \($0)" } ?? classID.text }
}

extension ChangeDescription {
    /// The act of a class that made the change; `nil` for other changes.
    public var act: ClassAct? { operation == Self.classAct ? reason.map { ClassAct(text: $0) } : nil }

    /// The description of the same change, with the act that made it.
    fileprivate func noting(_ act: ClassAct) -> ChangeDescription {
        ChangeDescription(
            operation: operation, entry: entry, before: before, after: after, figures: figures, reason: act.text)
    }
}

extension Amendment {
    /// The same amendment, with the act of a class that makes it. Amendments that no class makes stay as they are.
    public func noting(_ act: ClassAct) -> Amendment {
        guard change.operation == ChangeDescription.classAct else { return self }
        return Amendment(
            programVersion: programVersion, executable: executable, full: full, released: released,
            change: change.noting(act), releasedChange: releasedChange?.noting(act), answer: answer)
    }
}
