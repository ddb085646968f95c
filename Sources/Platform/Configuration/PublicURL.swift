public import HTTP

/// The address that people know a server by, such as `https://grades.example.org`: a scheme, a host, perhaps a port.
public struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host and the port.
    public let authority: Authority

    /// Reads an address without a path; a `/` at its end is left out.
    public init?(_ text: String) {
        let schemes = ["https://": true, "http://": false]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0.key) }) else { return nil }
        let rest = text.dropFirst(scheme.key.count)
        guard let authority = Authority(String(rest.hasSuffix("/") ? rest.dropLast() : rest)) else { return nil }
        isSecure = scheme.value
        self.authority = authority.port == (isSecure ? 443 : 80) ? authority.withoutPort : authority
    }

    /// The address without a `/` at its end, which is also the origin of its pages.
    public var description: String { "\(isSecure ? "https" : "http")://\(authority)" }
}
