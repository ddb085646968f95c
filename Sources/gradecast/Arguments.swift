/// The words of a command line, taken one by one; what is left over at the end is an error.
struct Arguments {
    private var words: [String]

    init(_ words: some Sequence<String>) { self.words = Array(words) }

    /// Takes the next word; `nil` if it is an option, or if none is left.
    mutating func word() -> String? {
        guard let first = words.first, !first.hasPrefix("-") else { return nil }
        return words.removeFirst()
    }

    /// Takes a flag; returns whether it is given.
    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words.remove(at: index)
        return true
    }

    /// Takes an option, `--name value` or `--name=value`, and returns its value; `nil` if it is not given.
    mutating func option(_ name: String) throws -> String? {
        if let index = words.firstIndex(where: { $0.hasPrefix(name + "=") }) {
            return String(words.remove(at: index).dropFirst(name.count + 1))
        }
        guard let index = words.firstIndex(of: name) else { return nil }
        guard index + 1 < words.count else { throw UsageError("\(name) needs a value.") }
        words.remove(at: index)
        return words.remove(at: index)
    }

    /// Throws if words are left that were not understood.
    func finish() throws {
        if let rest = words.first { throw UsageError("\(rest) is not understood here.") }
    }
}
