import HTTP

/// The rule for which pages may use the server from a browser. Other programs send no `Origin` and are not affected.
struct OriginRule: Sendable {
    /// Origins besides the server's own, from the configuration; compared verbatim.
    let others: [String]

    /// Returns whether an origin is the server's own or on the list.
    func allows(_ origin: String, for arrival: Arrival) -> Bool {
        if others.contains(origin) { return true }
        guard let host = arrival.host else { return false }
        return Self.isOrigin(origin, of: host, arrival)
    }

    /// Returns whether a page with these `Origin` fields may open a live connection. There must be none, or exactly one
    /// that is allowed or is `localhost` with the host's port.
    func allowsLive(_ origins: [String], for arrival: Arrival) -> Bool {
        guard let origin = origins.first else { return true }
        guard origins.count == 1 else { return false }
        if allows(origin, for: arrival) { return true }
        guard let host = arrival.host.flatMap({ Authority($0) }) else { return false }
        return Self.isOrigin(origin, of: host.port.map { "localhost:\($0)" } ?? "localhost", arrival)
    }

    /// Returns whether an origin is that of a host. For clients that speak TLS, `http` does not count, because a page
    /// that came unencrypted can be anyone's.
    private static func isOrigin(_ origin: String, of host: String, _ arrival: Arrival) -> Bool {
        origin == "https://\(host)" || !arrival.isSecure && origin == "http://\(host)"
    }
}
