import GradingKit
public import HTTP

/// The rules for how requests may reach the server. They refuse plain HTTP over a network, and hosts that the server
/// does not answer for.
public struct FrontDoor: Sendable {
    /// The networks of reverse proxies whose forwarding headers are trusted.
    public var proxies: [IPNetwork] = []
    /// Host names that the server answers for, in lower case, besides those of loopback.
    public var names: Set<String> = []
    /// Whether `Host` may be any IP address. A foreign page that rebinds DNS has a name there, never an address.
    public var answersToAddresses = false
    /// Whether the server speaks TLS itself.
    public var speaksTLS = false
    /// Whether clients on any network may use plain HTTP.
    public var isInsecure = false
    /// Whether to assume that clients speak TLS to a proxy that does not report their protocol.
    public var expectsTLS = false

    /// Creates a door that admits this machine alone.
    public init() {}

    /// Returns how the request reached the server.
    ///
    /// - Throws: a ``Problem`` if requests may not come in that way.
    func arrival(of request: Request) throws -> Arrival {
        guard !proxies.isEmpty, proxies.contain(request.peer) else { return try direct(request) }
        let forwarding: Forwarding
        do throws(Forwarding.Fault) {
            forwarding = try Forwarding(request.headers, from: request.peer, trusting: proxies)
        } catch {
            throw Problem.malformed("\(error)")
        }
        // `Host` is checked too: a foreign page that rebinds DNS to this machine can set the forwarding headers.
        let host = try checked(request.headers["Host"])
        return Arrival(
            client: forwarding.client, isSecure: speaksTLS || forwarding.isSecure ?? expectsTLS,
            host: try forwarding.host.flatMap { try checked($0) } ?? host)
    }

    private func direct(_ request: Request) throws -> Arrival {
        guard speaksTLS || isInsecure || request.peer.isLoopback else {
            throw Problem(.forbidden, "tls_required", "Plain HTTP is served to this machine and to named proxies alone")
        }
        return Arrival(client: request.peer, isSecure: speaksTLS, host: try checked(request.headers["Host"]))
    }

    /// Returns the host; throws if the server does not answer for it. Only HTTP/1.0 requests may have none, and no
    /// browser sends those.
    private func checked(_ host: String?) throws -> String? {
        guard let host else { return nil }
        guard let authority = Authority(host), answers(to: authority) else {
            throw Problem(.misdirectedRequest, "misdirected", "The server is not configured to answer for this host")
        }
        return host
    }

    private func answers(to authority: Authority) -> Bool {
        authority.isLoopback || names.contains(authority.name) || answersToAddresses && authority.address != nil
    }
}

/// How a request reached the server, as far as the report can be trusted.
struct Arrival: Sendable, Equatable {
    /// The client's address: the peer's, or the one that trusted proxies report.
    let client: IPAddress
    /// Whether the client speaks TLS: to this server, or to a trusted proxy.
    let isSecure: Bool
    /// The host that the client asked for, which the server answers for; `nil` if the request names none.
    let host: String?

    /// Whether the response may require TLS for this host from now on (HSTS): not on loopback, which other servers
    /// share.
    var mayRequireTLS: Bool { isSecure && host.flatMap { Authority($0) }?.isLoopback == false }
}
