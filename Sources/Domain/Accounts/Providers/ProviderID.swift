/// The operator's name for a provider, in URLs and in the configuration: `university`, `github`, `rosefire`.
///
/// Identities are stored under the issuer instead, which stays the same when the operator renames the provider.
public struct ProviderID: Hashable, Sendable, CustomStringConvertible {
    /// Names that have another meaning in URLs.
    public static let reserved: Set<String> = ["passkey", "second-factor", "current"]

    /// The name.
    public let text: String

    /// Reads a name of 1…32 lower-case letters, digits and hyphens that begins with a letter; `nil` for any other text,
    /// and for a reserved name.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...32).contains(bytes.count), !Self.reserved.contains(text),
            bytes.first.map({ (0x61...0x7A).contains($0) }) ?? false,
            bytes.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.text = text
    }

    /// Creates a name from stored text, without checking it again.
    public init(stored text: String) { self.text = text }

    /// The name.
    public var description: String { text }
}
