/// What trusted proxies report about a request that they forwarded: who sent it to the first of them, and how.
///
/// `Forwarded` (RFC 7239) and `X-Forwarded-For`, `-Proto` and `-Host` have one hop per proxy, the nearest last.
/// Whatever a client wrote itself is to the left of what the proxies added. So the hops are read from the right, and
/// the first address that is not a trusted proxy's is the client's; hops to the left of it are ignored.
public struct Forwarding: Hashable, Sendable {
    /// Why the fields cannot be trusted: the proxy is misconfigured, or a client tries to forge them.
    public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The field cannot be read.
        case malformed(field: String)
        /// More hops than any chain of proxies has.
        case tooManyHops
        /// Both kinds of fields are present and differ: the proxy sets one kind and lets the other pass.
        case contradiction

        /// The fault, in English.
        public var description: String {
            switch self {
            case .malformed(let field): "The field \(field) is malformed."
            case .tooManyHops: "The request passed too many proxies."
            case .contradiction: "Forwarded and X-Forwarded-… contradict each other."
            }
        }
    }

    /// The client's address: the rightmost that is not a trusted proxy's.
    public let client: IPAddress
    /// Whether the client spoke TLS to the first trusted proxy; `nil` if no proxy reports it.
    public let isSecure: Bool?
    /// The host that the client asked for; `nil` if no proxy reports it.
    public let host: String?

    /// The largest number of hops that are read.
    static let mostHops = 32

    /// Reads what the trusted networks report about a request that came from `peer`.
    public init(
        _ headers: Headers, from peer: IPAddress, trusting networks: [IPNetwork]
    ) throws(Fault) {
        let standard = try Self.standard(headers, peer, networks)
        let common = try Self.common(headers, peer, networks)
        guard let standard, let common else {
            self = standard ?? common ?? Forwarding(client: peer, isSecure: nil, host: nil)
            return
        }
        guard standard.client == common.client, Self.agree(standard.isSecure, common.isSecure),
            Self.agree(standard.host, common.host)
        else { throw .contradiction }
        self.init(
            client: common.client, isSecure: standard.isSecure ?? common.isSecure, host: standard.host ?? common.host)
    }

    private init(client: IPAddress, isSecure: Bool?, host: String?) {
        self.client = client
        self.isSecure = isSecure
        self.host = host
    }

    private static func agree<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
        left == nil || right == nil || left == right
    }

    /// Reads `Forwarded`; `nil` if it is absent.
    private static func standard(
        _ headers: Headers, _ peer: IPAddress, _ networks: [IPNetwork]
    ) throws(Fault) -> Forwarding? {
        let field = "Forwarded"
        guard headers.contains(field) else { return nil }
        guard let hops = ForwardedHop.list(headers.values(field).joined(separator: ",")) else {
            throw .malformed(field: field)
        }
        let (client, place) = try walk(hops.map(\.node), from: peer, trusting: networks, field: field)
        let hop = place.map { hops[$0] }
        return Forwarding(
            client: client, isSecure: try isSecure(hop?.scheme, field: field), host: try host(hop?.host, field: field))
    }

    /// Reads the `X-Forwarded-` fields; `nil` if they are absent.
    private static func common(
        _ headers: Headers, _ peer: IPAddress, _ networks: [IPNetwork]
    ) throws(Fault) -> Forwarding? {
        func list(_ name: String) -> [String] {
            headers.values("X-Forwarded-" + name).flatMap { $0.split(separator: ",").map { $0.trimmed } }
                .filter { !$0.isEmpty }
        }
        let (nodes, schemes, hosts) = (list("For"), list("Proto"), list("Host"))
        guard !(nodes.isEmpty && schemes.isEmpty && hosts.isEmpty) else { return nil }
        let (client, place) = try walk(nodes, from: peer, trusting: networks, field: "X-Forwarded-For")
        // With one value per hop, the hop's own value; otherwise the last one, which the nearest proxy wrote.
        func value(_ values: [String]) -> String? {
            if let place, values.count == nodes.count { return values[place] }
            return values.last
        }
        return Forwarding(
            client: client, isSecure: try isSecure(value(schemes), field: "X-Forwarded-Proto"),
            host: try host(value(hosts), field: "X-Forwarded-Host"))
    }

    /// Goes from hop to hop while the reporting machine is trusted; returns the address where that ends, and its index.
    private static func walk(
        _ nodes: [String], from peer: IPAddress, trusting networks: [IPNetwork], field: String
    ) throws(Fault) -> (client: IPAddress, place: Int?) {
        var client = peer
        var place = nodes.count
        while place > 0, networks.contain(client) {
            guard nodes.count - place < mostHops else { throw .tooManyHops }
            place -= 1
            switch ForwardedHop.address(nodes[place]) {
            case .address(let address): client = address
            // A client that a trusted proxy does not name counts as that proxy.
            case .hidden: return (client, place)
            case nil: throw .malformed(field: field)
            }
        }
        return (client, place < nodes.count ? place : nil)
    }

    private static func isSecure(_ scheme: String?, field: String) throws(Fault) -> Bool? {
        switch scheme?.lowercased() {
        case nil: nil
        case "https", "wss": true
        case "http", "ws": false
        default: throw .malformed(field: field)
        }
    }

    private static func host(_ text: String?, field: String) throws(Fault) -> String? {
        guard let text else { return nil }
        guard Authority(text) != nil else { throw .malformed(field: field) }
        return text
    }
}

extension Substring {
    /// The text without surrounding blanks and tabs.
    fileprivate var trimmed: String {
        var text = self
        while let first = text.utf8.first, Bytes.isBlank(first) { text.removeFirst() }
        while let last = text.utf8.last, Bytes.isBlank(last) { text.removeLast() }
        return String(text)
    }
}
