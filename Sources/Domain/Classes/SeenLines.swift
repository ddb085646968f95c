import GradingKit

/// The lines whose results students saw change by an act, by their numbers.
///
/// It is noted with the act, because a result that was hidden when another one replaced it stays hidden for ever.
public struct SeenLines: Sendable, Equatable {
    /// For a row: those of the changed lines that showed their results. For the structure: those that the act showed.
    public let shown: [Int]
    /// For the structure: the lines whose results the act hid.
    public let hidden: [Int]

    /// Some lines.
    public init(shown: some Sequence<Int> = [Int](), hidden: some Sequence<Int> = [Int]()) {
        (self.shown, self.hidden) = (shown.sorted(), hidden.sorted())
    }

    /// Reads the stored text; what cannot be read is nothing.
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
    /// The numbers of the lines whose results students see while the class is in a state.
    public func shownLines(_ state: ClassHead.State) -> Set<Int> {
        guard state != .draft else { return [] }
        let drafts = drafts
        return Set(lines.filter { $0.showsResults && !drafts.contains($0.id) }.map(\.number))
    }
}

extension ClassSnapshot {
    /// The numbers of the lines whose results students see.
    public var shownLines: Set<Int> { structure.shownLines(head.state) }
}
