/// Which pages may open live connections. Programs that are no browsers send no `Origin` and are not concerned.
struct OriginRule: Sendable {
    /// Origins besides the server's own, from the configuration; compared as they are.
    let others: [String]

    /// Whether a request with these `Origin` fields to that `Host` may go on: with none, or exactly one that is the
    /// server's own, the same port of `localhost`, or on the list.
    func allows(_ origins: [String], host: String?) -> Bool {
        guard let origin = origins.first else { return true }
        guard origins.count == 1 else { return false }
        if others.contains(origin) { return true }
        guard let host else { return false }
        let local = host.lastIndex(of: ":").map { "localhost" + host[$0...] } ?? "localhost"
        return ["http://\(host)", "https://\(host)", "http://\(local)", "https://\(local)"].contains(origin)
    }
}
