import Accounts
import Cryptography
import JSON
import Messages
import Outbound
import Shared

/// Sends requests to one issuer: for its metadata and keys, which are cached, and to its token endpoint.
struct OpenIDConnectService: Sendable {
    /// Seconds for which metadata and keys are cached.
    static let keeping: Int64 = 3_600
    /// The minimum number of seconds between two fetches of the keys for unknown keys.
    static let refetching: Int64 = 60

    private let issuer: String
    private let client: OutboundClient
    private let document: FetchedDocument<OpenIDConnectMetadata>
    private let keys: FetchedDocument<[JSONWebKey]>

    init(issuer: String, client: OutboundClient, clock: WallClock) {
        self.client = client
        let document = FetchedDocument(clock: clock) { () throws(ProviderError) in
            try await Self.telling { () throws(Fault) in try await Self.metadata(of: issuer, through: client) }
        }
        self.document = document
        keys = FetchedDocument(clock: clock) { () throws(ProviderError) in
            let metadata = try await document.value(noOlderThan: Self.keeping)
            return try await Self.telling { () throws(Fault) in try await Self.keys(at: metadata.keys, through: client)
            }
        }
        self.issuer = issuer
    }

    /// Returns the issuer's metadata.
    func metadata() async throws(ProviderError) -> OpenIDConnectMetadata {
        try await document.value(noOlderThan: Self.keeping)
    }

    /// Returns the key that a token names, for an allowed algorithm. Fetches the keys again for an unknown key, at most
    /// once a minute.
    func key(
        for token: IDToken, allowing algorithms: Set<SignatureAlgorithm>
    ) async throws(ProviderError) -> IDToken.Key {
        guard let algorithm = token.algorithm, algorithms.contains(algorithm) else {
            throw .refused("the ID token's algorithm is not allowed")
        }
        for age in [Self.keeping, Self.refetching] {
            let known = try await keys.value(noOlderThan: age)
            if let key = token.key(among: known) { return IDToken.Key(key: key, algorithm: algorithm) }
        }
        throw .refused("the ID token's key is not known")
    }

    /// Fetches the ``metadata()`` again.
    func freshMetadata() async throws(Fault) -> OpenIDConnectMetadata {
        try await Self.metadata(of: issuer, through: client)
    }

    /// Fetches the keys again; throws unless one of them fits an allowed algorithm.
    func checkKeys(of metadata: OpenIDConnectMetadata, allowing algorithms: Set<SignatureAlgorithm>) async throws(Fault)
    {
        let found = try await Self.keys(at: metadata.keys, through: client)
        guard found.contains(where: { key in key.algorithm.map { algorithms.contains($0) } ?? true }) else {
            let names = algorithms.map(\.rawValue).sorted().joined(separator: ", ")
            throw Fault(.keyMissing, ["algorithms": .string(names)])
        }
    }

    /// Sends a request and reads the answer as JSON.
    func send(_ request: OutboundRequest) async throws(Fault) -> (status: Int, json: JSON) {
        try await Self.send(request, through: client)
    }

    private static func metadata(
        of issuer: String, through client: OutboundClient
    ) async throws(Fault) -> OpenIDConnectMetadata {
        let json = try await document(at: OpenIDConnectMetadata.address(of: issuer), through: client)
        return try OpenIDConnectMetadata(json, of: issuer)
    }

    private static func keys(
        at address: String, through client: OutboundClient
    ) async throws(Fault) -> [JSONWebKey] {
        JSONWebKey.read(set: try await document(at: address, through: client))
    }

    private static func document(at address: String, through client: OutboundClient) async throws(Fault) -> JSON {
        let (status, json) = try await send(OutboundRequest(address), through: client)
        guard status == 200 else { throw OutboundResponse(status: status, body: []).statusFault(at: address) }
        guard json.object != nil else { throw OutboundRequest.formFault(at: address, expected: "JSON") }
        return json
    }

    private static func send(
        _ request: OutboundRequest, through client: OutboundClient
    ) async throws(Fault) -> (status: Int, json: JSON) {
        let response: OutboundResponse
        do {
            response = try await client.send(request)
        } catch {
            throw error.fault(at: request.url)
        }
        let json = try? JSON.parse(response.body, limits: JSONLimits(depth: 16))
        return (response.status, json ?? .null)
    }

    /// Runs `question`, and converts a fault into the error of an unavailable provider.
    static func telling<Value>(
        _ question: () async throws(Fault) -> Value
    ) async throws(ProviderError) -> Value {
        do {
            return try await question()
        } catch {
            throw .unavailable(MessageCatalog.openIDConnect.message(error, in: .english))
        }
    }
}
