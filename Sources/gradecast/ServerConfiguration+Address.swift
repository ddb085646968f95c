import Configuration
import Glibc
import HTTP
import API
import Transport

extension ServerConfiguration {
    /// Throws for addresses at which passwords would travel unencrypted.
    func checkAddress(isInsecure: Bool) throws(Failure) {
        guard isLoopback || isInsecure || tls != nil || !proxies.isEmpty else {
            throw Failure(
                """
                Refusing to serve plain HTTP on \(host), where others can reach it: passwords would travel in the \
                clear. Name a certificate and its key in listen.tls, listen on 127.0.0.1 behind a reverse proxy named \
                in listen.proxies, or start with --insecure.
                """)
        }
        if let publicURL, !publicURL.isSecure, !publicURL.authority.isLoopback, !isInsecure {
            throw Failure("publicUrl is \(publicURL), but passwords must not travel in the clear: use https://.")
        }
    }

    /// Returns the rules for how requests may reach the server.
    func door(isInsecure: Bool) -> FrontDoor {
        var door = FrontDoor()
        door.proxies = proxies
        door.names = hostNames
        door.answersToAddresses = isInsecure
        door.speaksTLS = tls != nil
        door.isInsecure = isInsecure
        door.expectsTLS = publicURL?.isSecure == true
        return door
    }

    /// The rules for how requests may reach the management address. Tools use an IP address as often as a name.
    var managementDoor: FrontDoor {
        var door = FrontDoor()
        door.names = hostNames
        door.answersToAddresses = true
        door.isInsecure = true
        return door
    }

    /// Whether the server listens for others, but answers for no name that they could use.
    var isNameless: Bool { !isLoopback && hostNames.isEmpty }
}

/// The sockets of a server, bound before anything else is done or printed, so that a port in use is found first.
struct ServerSockets {
    let main: [ListeningSocket]
    let management: [ListeningSocket]

    init(_ configuration: ServerConfiguration, loops: Int) throws(Failure) {
        main = try Self.bind(
            configuration.numericHost, configuration.port, loops, "choose another with --port or listen.port")
        management = try Self.bind(
            ServerConfiguration.numeric(configuration.management.host), configuration.management.port, loops,
            "choose another with management.port")
    }

    private static func bind(
        _ host: String, _ port: Int, _ count: Int, _ remedy: String
    ) throws(Failure) -> [ListeningSocket] {
        do throws(TransportError) {
            return try ListeningSocket.bind(SocketAddress(host: host, port: UInt16(clamping: port)), count: count)
        } catch {
            switch error.code {
            case EADDRINUSE: throw Failure("Port \(port) of \(host) is taken by another program; \(remedy).")
            case EADDRNOTAVAIL: throw Failure("This machine has no address \(host) to listen on.")
            case EACCES:
                throw Failure(
                    "Not allowed to listen on port \(port): ports below 1024 need CAP_NET_BIND_SERVICE, see deploy/tls.conf."
                )
            default: throw Failure("Cannot listen on port \(port) of \(host): \(error)")
            }
        }
    }
}
