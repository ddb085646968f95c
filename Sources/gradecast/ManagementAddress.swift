import HTTP
import Outbound

/// The management address of a server on this machine, as commands ask it.
struct ManagementAddress {
    private let authority: String
    private let client: OutboundClient

    /// Takes what the command line names: a port, or a host and a port.
    init(_ place: String) {
        authority = place.contains(":") ? place : "127.0.0.1:\(place)"
        var policy = OutboundPolicy(allowing: ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) })
        policy.bytes = 4 << 20
        client = OutboundClient(policy, threads: 1)
    }

    /// Returns the URL of a document there.
    func url(of path: String) -> String { "http://\(authority)\(path)" }

    /// Returns the answer for a path, whatever its status.
    func get(_ path: String) async throws(Failure) -> OutboundResponse {
        do {
            return try await client.send(OutboundRequest(url(of: path)))
        } catch {
            throw Failure("\(url(of: path)) cannot be read: \(error)")
        }
    }
}
