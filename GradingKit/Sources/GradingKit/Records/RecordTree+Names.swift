extension RecordTree {
    /// Returns the entries that a path of names leads to, such as `["Algorithms", "exams", "Final"]`, in tree order.
    ///
    /// A step matches any text of an entry: a title, a number, a category. Case and surrounding white space do not
    /// matter. The empty path matches nothing.
    public func entries(named path: [String]) -> [EntryID] {
        var found = path.isEmpty ? [] : [0]
        for step in path {
            let name = Self.plain(step)
            found = found.flatMap { body.children(of: $0) }.filter { index in
                body.values(of: index).contains { value in
                    guard case .text(let text) = value else { return false }
                    return Self.plain(text) == name
                }
            }
        }
        return found.map { body.ids[$0] }
    }

    /// Returns the names of an entry and its ancestors, outermost first: the first text of each, such as a title. An
    /// entry without text is left out, so the path may be shorter than the entry is deep.
    public func names(of id: EntryID) -> [String] { names(of: [id])[0] }

    /// Returns the names of several entries, fastest if they come in tree order; the record itself, `nil`, has no
    /// names.
    public func names(of ids: [EntryID?]) -> [[String]] {
        body.ids.places(of: ids.map { $0 ?? .record }).map { index in index.map(names(at:)) ?? [] }
    }

    private func names(at index: Int) -> [String] {
        var index = index
        var names: [String] = []
        while index != 0 {
            let texts = body.values(of: index).lazy.compactMap { value -> String? in
                if case .text(let text) = value, !text.isEmpty { text } else { nil }
            }
            if let name = texts.first { names.append(name) }
            index = body.nodes[index].parent
        }
        return names.reversed()
    }

    /// The outermost hidden entries, in tree order: none is inside another.
    public var outermostHiddenEntries: [EntryID] {
        var hidden: [EntryID] = []
        var index = 1
        while index < body.nodes.count {
            // Only the class can release what it hides.
            guard body.nodes[index].isHidden, !body.isLink(index) else {
                index += 1
                continue
            }
            hidden.append(body.ids[index])
            index = body.nodes[index].end
        }
        return hidden
    }

    /// Returns the hidden entries at or below `places`, or everywhere if that is `nil`, in tree order.
    public func hiddenEntries(below places: Set<EntryID>? = nil) -> [EntryID] {
        var hidden: [EntryID] = []
        var meant = 0
        for index in body.nodes.indices.dropFirst() {
            if places?.contains(body.ids[index]) ?? true { meant = max(meant, body.nodes[index].end) }
            // Only the class can release what it hides.
            if index < meant, body.nodes[index].isHidden, !body.isLink(index) { hidden.append(body.ids[index]) }
        }
        return hidden
    }

    private static func plain(_ text: String) -> String {
        let trimmed = text.drop { $0.isWhitespace }
        let end = trimmed.lastIndex { !$0.isWhitespace }
        return end.map { trimmed[...$0].lowercased() } ?? ""
    }
}
