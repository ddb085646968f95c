/// The members of a comma-separated field, such as `If-None-Match`, without the blanks around them. Empty ones are left
/// out.
public struct ListMembers: Sequence, IteratorProtocol {
    private var rest: Substring

    /// Splits a field's value into its members.
    public init(of value: String) { rest = value[...] }

    /// Returns the next member; `nil` at the end.
    public mutating func next() -> Substring? {
        while !rest.isEmpty {
            let end = rest.utf8.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            let member = Self.trimmed(rest[..<end])
            rest = end < rest.endIndex ? rest[rest.utf8.index(after: end)...] : ""
            if !member.isEmpty { return member }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.utf8.first, Bytes.isBlank(first) { text.removeFirst() }
        while let last = text.utf8.last, Bytes.isBlank(last) { text.removeLast() }
        return text
    }
}
