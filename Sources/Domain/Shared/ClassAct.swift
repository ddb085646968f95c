/// An act of a class, with its place in the class's ledger.
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

    /// The text that is stored in place of a reason: the class, and the number of the line if it is known.
    public var text: String { line.map { "\(classID.text) \($0)" } ?? classID.text }
}
