/// What the operator calls a provider, in addresses and in the configuration: `university`, `github`, `rosefire`.
///
/// It names no person's identity: that is the issuer, which stays the same when the operator renames a provider.
public struct ProviderID: Hashable, Sendable, CustomStringConvertible {
    /// Names that addresses use for something else.
    public static let reserved: Set<String> = ["passkey", "second-factor", "current"]

    /// The name.
    public let text: String

    /// Reads a name: 1 to 32 lower-case letters, digits and hyphens, the first one a letter; `nil` for any other, and
    /// for a reserved one.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...32).contains(bytes.count), !Self.reserved.contains(text),
            bytes.first.map({ (0x61...0x7A).contains($0) }) ?? false,
            bytes.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.text = text
    }

    /// A name as it was stored.
    public init(stored text: String) { self.text = text }

    /// The name.
    public var description: String { text }
}
