import Accounts
import Cryptography
import JSON
import Outbound
import Shared

/// What is asked of one issuer: its metadata and keys, which are kept for a while, and its token endpoint.
struct OpenIDConnectService: Sendable {
    /// Seconds for which metadata and keys are kept.
    static let keeping: Int64 = 3_600
    /// Seconds that pass at least between two looks for a key that is not known.
    static let patience: Int64 = 60

    private let client: OutboundClient
    private let clock: WallClock
    private let document: FetchedDocument<OpenIDConnectMetadata>
    private let keys: FetchedDocument<[JSONWebKey]>

    init(issuer: String, client: OutboundClient, clock: WallClock) {
        self.client = client
        self.clock = clock
        let document = FetchedDocument { () throws(ProviderError) in
            let (status, json) = try await Self.send(
                OutboundRequest(OpenIDConnectMetadata.address(of: issuer)), through: client)
            guard status == 200, let metadata = OpenIDConnectMetadata(json, of: issuer) else {
                throw .unavailable("discovery answered \(status), or another issuer, or named too little")
            }
            return metadata
        }
        self.document = document
        keys = FetchedDocument { () throws(ProviderError) in
            let metadata = try await document.value(noOlderThan: Self.keeping, at: clock.now)
            let (status, json) = try await Self.send(OutboundRequest(metadata.keys), through: client)
            guard status == 200 else { throw .unavailable("the keys' address answered \(status)") }
            return JSONWebKey.read(set: json)
        }
    }

    /// What the issuer tells of itself.
    func metadata() async throws(ProviderError) -> OpenIDConnectMetadata {
        try await document.value(noOlderThan: Self.keeping, at: clock.now)
    }

    /// The key that a token names, for an algorithm that is allowed. A key that is not known is looked for, at most once a
    /// minute.
    func key(
        for token: IDToken, allowing algorithms: Set<SignatureAlgorithm>
    ) async throws(ProviderError) -> IDToken.Key {
        guard let algorithm = token.algorithm, algorithms.contains(algorithm) else {
            throw .refused("the ID token's algorithm is not allowed")
        }
        for age in [Self.keeping, Self.patience] {
            let known = try await keys.value(noOlderThan: age, at: clock.now)
            if let key = token.key(among: known) { return IDToken.Key(key: key, algorithm: algorithm) }
        }
        throw .refused("the ID token's key is not known")
    }

    /// Makes sure that there is a key of an algorithm that is allowed.
    func checkKeys(allowing algorithms: Set<SignatureAlgorithm>) async throws(ProviderError) {
        let known = try await keys.value(noOlderThan: Self.keeping, at: clock.now)
        guard known.contains(where: { key in key.algorithm.map { algorithms.contains($0) } ?? true }) else {
            throw .unavailable("there is no key of an algorithm that is allowed")
        }
    }

    /// Sends a request and reads the answer as JSON.
    func send(_ request: OutboundRequest) async throws(ProviderError) -> (status: Int, json: JSON) {
        try await Self.send(request, through: client)
    }

    private static func send(
        _ request: OutboundRequest, through client: OutboundClient
    ) async throws(ProviderError) -> (status: Int, json: JSON) {
        let response: OutboundResponse
        do {
            response = try await client.send(request)
        } catch {
            throw .unavailable("\(request.url.prefix { $0 != "?" }): \(error)")
        }
        let json = try? JSON.parse(response.body, limits: JSONLimits(depth: 16))
        return (response.status, json ?? .null)
    }
}
