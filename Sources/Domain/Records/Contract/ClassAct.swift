public import Shared

/// An act of a class that changed a record, with its place in the class's ledger.
public struct ClassAct: Sendable, Hashable {
    /// The class.
    public let classID: ClassID
    /// The number of the ledger line that describes the act; `nil` for acts stored by earlier versions.
    public let line: Int?

    /// Creates an act.
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

    /// The text that is stored in the place of a reason: the class, and the number of the line if it is known.
    public var text: String { line.map { "\(classID.text) \($0)" } ?? classID.text }
}

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
