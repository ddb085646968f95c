extension RecordTree {
    /// The entries that a path of names leads to, such as `["Algorithms", "exams", "Final"]`, in tree order.
    ///
    /// A step names an entry by any of its texts: a title, a number, a category. Case and white space around it do
    /// not matter. The empty path leads nowhere.
    public func entries(named path: [String]) -> [EntryID] {
        var found = path.isEmpty ? [] : [root]
        for step in path {
            let name = Self.plain(step)
            found = found.flatMap(\.children).filter { entry in
                entry.values.contains { value in
                    guard case .text(let text) = value else { return false }
                    return Self.plain(text) == name
                }
            }
        }
        return found.map(\.id)
    }

    /// The hidden entries that stand at or below `places`, or anywhere when there are none, in tree order.
    public func hiddenEntries(below places: Set<EntryID>? = nil) -> [EntryID] {
        var hidden: [EntryID] = []
        Self.collect(root.children, isWithin: places == nil, places ?? [], &hidden)
        return hidden
    }

    private static func collect(
        _ entries: [Entry], isWithin: Bool, _ places: Set<EntryID>, _ hidden: inout [EntryID]
    ) {
        for entry in entries {
            let isMeant = isWithin || places.contains(entry.id)
            if isMeant, entry.isHidden { hidden.append(entry.id) }
            collect(entry.children, isWithin: isMeant, places, &hidden)
        }
    }

    private static func plain(_ text: String) -> String {
        let trimmed = text.drop { $0.isWhitespace }
        let end = trimmed.lastIndex { !$0.isWhitespace }
        return end.map { trimmed[...$0].lowercased() } ?? ""
    }
}
