import GradingKit
public import HTTP

/// Finds out how a request reached the server, and turns away what may not come in that way: plain HTTP over a network,
/// and hosts that the server does not answer for.
public struct FrontDoor: Sendable {
    /// The networks of reverse proxies, whose forwarding headers are believed.
    public var proxies: [IPNetwork] = []
    /// Names that the server answers under, in lower case, besides those of this machine itself.
    public var names: Set<String> = []
    /// Whether any address may stand in `Host`. No page of a stranger can have one in its own address.
    public var answersToAddresses = false
    /// Whether the server speaks TLS itself.
    public var speaksTLS = false
    /// Whether plain HTTP is served to anybody.
    public var isInsecure = false
    /// Whether clients are expected to speak TLS to a proxy that does not say what they speak.
    public var expectsTLS = false

    /// A door for this machine alone.
    public init() {}

    /// How the request came; throws a `Problem` when it may not.
    func arrival(of request: Request) throws -> Arrival {
        guard !proxies.isEmpty, proxies.contain(request.peer) else { return try direct(request) }
        let forwarding: Forwarding
        do throws(Forwarding.Fault) {
            forwarding = try Forwarding(request.headers, from: request.peer, trusting: proxies)
        } catch {
            throw Problem.malformed("\(error)")
        }
        // A page that has this machine's address under a name of its own can write the forwarding fields as well.
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

    /// The host, if the server answers for it. Only HTTP/1.0 has requests without one, and no browser sends those.
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

/// How a request reached the server, as far as it can be believed.
struct Arrival: Sendable, Equatable {
    /// The client's address: the peer's, or what trusted proxies say of it.
    let client: IPAddress
    /// Whether the client speaks TLS: to this server, or to a trusted proxy.
    let isSecure: Bool
    /// The host that the client asked for, one that the server answers for.
    let host: String?

    /// Whether browsers may be told to speak nothing but TLS to this host from now on. This machine has other servers.
    var mayRequireTLS: Bool { isSecure && host.flatMap { Authority($0) }?.isLoopback == false }
}
