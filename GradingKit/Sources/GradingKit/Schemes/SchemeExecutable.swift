/// Which build of a scheme in a process of its own has computed something: an executable is its bytes.
public struct SchemeExecutable: Hashable, Sendable {
    /// What the scheme calls this build; `nil` when it does not say.
    public let version: String?
    /// SHA-256 of the executable's file: 64 hexadecimal digits.
    public let digest: String

    /// A build.
    public init(version: String?, digest: String) {
        self.version = version
        self.digest = digest
    }

    /// The digest, and behind a space the version: the form in which stores keep it and compare it.
    public var text: String { version.map { "\(digest) \($0)" } ?? digest }

    /// Reads what ``text`` wrote.
    public init(text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        self.init(version: parts.count > 1 ? String(parts[1]) : nil, digest: parts.first.map { String($0) } ?? "")
    }

    /// For people: the version, and enough of the digest to tell builds apart.
    public var name: String { [version, String(digest.prefix(12))].compactMap(\.self).joined(separator: ", ") }

    /// `{"version","digest"}`; the version is `null` where the scheme does not say.
    public var json: JSON { ["version": version.map { .string($0) } ?? .null, "digest": .string(digest)] }

    /// Reads what ``json`` wrote; `nil` for anything else.
    public init?(_ json: JSON?) {
        guard let digest = json?["digest"]?.string else { return nil }
        self.init(version: json?["version"]?.string, digest: digest)
    }

    /// Whether a text can be a version: 1 to 64 letters, digits, `.`, `+`, `-` and `_`.
    static func isVersion(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.unicodeScalars.allSatisfy {
                "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || ".+-_".unicodeScalars.contains($0)
            }
    }
}
