public import HTTP

/// The public address of a server, such as `https://grades.example.org`: a scheme, a host, an optional port.
public struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host, and the port unless it is the scheme's default.
    public let authority: Authority

    /// Reads an address, dropping a `/` at its end; `nil` if it has a path or is not an address.
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
