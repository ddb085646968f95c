import HTTP

/// Which pages may use the server from a browser. Programs that are no browsers send no `Origin` and are not concerned.
struct OriginRule: Sendable {
    /// Origins besides the server's own, from the configuration; compared as they are.
    let others: [String]

    /// Whether a page of this origin is the server's own, or on the list.
    func allows(_ origin: String, for arrival: Arrival) -> Bool {
        if others.contains(origin) { return true }
        guard let host = arrival.host else { return false }
        return Self.isOrigin(origin, of: host, arrival)
    }

    /// Whether a page with these `Origin` fields may open a live connection: with none, or exactly one that is allowed
    /// or the same port of `localhost`.
    func allowsLive(_ origins: [String], for arrival: Arrival) -> Bool {
        guard let origin = origins.first else { return true }
        guard origins.count == 1 else { return false }
        if allows(origin, for: arrival) { return true }
        guard let host = arrival.host.flatMap({ Authority($0) }) else { return false }
        return Self.isOrigin(origin, of: host.port.map { "localhost:\($0)" } ?? "localhost", arrival)
    }

    /// A page that came unencrypted can be anybody's: where clients speak TLS it is not the server's own.
    private static func isOrigin(_ origin: String, of host: String, _ arrival: Arrival) -> Bool {
        origin == "https://\(host)" || !arrival.isSecure && origin == "http://\(host)"
    }
}
