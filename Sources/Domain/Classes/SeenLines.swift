import GradingKit

/// The numbers of the lines whose results an act changed, showed or hid for students.
///
/// Stored with the act: a result that was hidden when another replaced it must stay hidden, even after its line shows
/// results.
public struct SeenLines: Sendable, Equatable {
    /// For a row, the changed lines that showed results, and the root if the student saw the status of the total
    /// change. For the class, the lines whose results the act showed, except those known to have none.
    public let shown: [Int]
    /// For the class, the lines whose results the act hid; empty for a row.
    public let hidden: [Int]

    /// Creates a note of some lines.
    public init(shown: some Sequence<Int> = [Int](), hidden: some Sequence<Int> = [Int]()) {
        (self.shown, self.hidden) = (shown.sorted(), hidden.sorted())
    }

    /// Reads the stored text; an unreadable text means no lines.
    public init(text: [UInt8]?) {
        let json = text.flatMap { try? JSON.parse($0) }
        func numbers(_ name: String) -> [Int] { (json?[name]?.array ?? []).compactMap(\.integer) }
        self.init(shown: numbers("shown"), hidden: numbers("hidden"))
    }

    /// The stored text; `nil` for no lines.
    public var text: [UInt8]? {
        if shown.isEmpty, hidden.isEmpty { return nil }
        func list(_ numbers: [Int]) -> JSON { .array(numbers.map { .number(String($0)) }) }
        return JSON.object(["shown": list(shown), "hidden": list(hidden)]).bytes
    }
}

extension ClassStructure {
    /// Returns the numbers of the lines whose results students see while the class is in `state`.
    public func shownLines(_ state: ClassHead.State) -> Set<Int> {
        guard state != .draft else { return [] }
        let drafts = drafts
        return Set(lines.filter { $0.showsResults && !drafts.contains($0.id) }.map(\.number))
    }
}

extension ClassSnapshot {
    /// The numbers of the lines whose results students see.
    public var shownLines: Set<Int> { structure.shownLines(head.state) }

    /// Whether students see the class. Then they see the status of their total at once, whichever lines show results.
    public var isThereForStudents: Bool { head.state != .draft && structure.root.state != .draft }
}
