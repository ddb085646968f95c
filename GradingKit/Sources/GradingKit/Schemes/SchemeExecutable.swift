/// The build of a scheme in its own process that computed something, identified by the executable's bytes.
public struct SchemeExecutable: Hashable, Sendable {
    /// The scheme's name for the build; `nil` if it gives none.
    public let version: String?
    /// SHA-256 of the executable's file: 64 hexadecimal digits.
    public let digest: String

    /// Creates a build.
    public init(version: String?, digest: String) {
        self.version = version
        self.digest = digest
    }

    /// The digest, then a space and the version: the form in which stores store and compare it.
    public var text: String { version.map { "\(digest) \($0)" } ?? digest }

    /// Reads the form of ``text``.
    public init(text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        self.init(version: parts.count > 1 ? String(parts[1]) : nil, digest: parts.first.map { String($0) } ?? "")
    }

    /// A name for people: the version, and enough of the digest to distinguish builds.
    public var name: String { [version, String(digest.prefix(12))].compactMap(\.self).joined(separator: ", ") }

    /// `{"version","digest"}`; the version is `null` if the scheme gives none.
    public var json: JSON { ["version": version.map { .string($0) } ?? .null, "digest": .string(digest)] }

    /// Reads the form of ``json``; `nil` for anything else.
    public init?(_ json: JSON?) {
        guard let digest = json?["digest"]?.string else { return nil }
        self.init(version: json?["version"]?.string, digest: digest)
    }

    /// Returns whether a text is a valid version: 1 to 64 letters, digits, `.`, `+`, `-` and `_`.
    static func isVersion(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.unicodeScalars.allSatisfy {
                "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || ".+-_".unicodeScalars.contains($0)
            }
    }
}
