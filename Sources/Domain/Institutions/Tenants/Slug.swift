import Shared

/// A short name for addresses: 1…64 of `a…z`, `0…9` and inner hyphens. Never of the form of an identifier, so that
/// one can stand in the other's place.
public struct Slug: Sendable, Hashable, CustomStringConvertible {
    /// The text of the slug.
    public let text: String

    /// The text of the slug.
    public var description: String { text }

    /// Reads a slug; `nil` if the text is not one.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy { $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
        guard (1...64).contains(bytes.count), isPlain, bytes.first != UInt8(ascii: "-"),
            bytes.last != UInt8(ascii: "-"), !Identifier<Thing.Institution>.isForm(text)
        else { return nil }
        self.text = text
    }

    /// Creates a slug from stored text, without checking it again.
    public init(stored text: String) { self.text = text }
}
