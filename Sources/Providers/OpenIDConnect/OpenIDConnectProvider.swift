public import Accounts
public import Cryptography
import HTTP
import JSON
public import Messages
public import Outbound
public import Shared

/// Sign-in with an OpenID Connect provider: the code flow (Core 1.0) with PKCE (RFC 7636), `state` and `nonce`, and
/// the issuer of the answer checked (RFC 9207).
public struct OpenIDConnectProvider: IdentityProvider {
    /// The settings that the operator chooses.
    public struct Settings: Sendable {
        /// The provider's identifier here.
        public let id: ProviderID
        /// The text on its button.
        public let title: String
        /// The provider's `iss`, exactly as it writes it: an address without a query.
        public let issuer: String
        /// The client identifier that the provider gave this server.
        public let clientID: String
        /// The client secret.
        public let clientSecret: String
        /// The scopes to ask for, besides `openid`.
        public let scopes: [String]
        /// The page of this site to which the provider sends the browser back.
        public let redirect: String
        /// Who gets an account at the first sign-in.
        public let signUp: SignUpRule
        /// Whether it is trusted when it says that two factors were shown.
        public let vouchesForFactors: Bool
        /// The claims that membership rules use.
        public let claims: Set<String>
        /// The institution that offers it for sign-in; `nil` if it is offered to everyone.
        public let institution: String?
        /// The signature algorithms that are accepted, whatever a token names.
        public let algorithms: Set<SignatureAlgorithm>

        /// Creates the settings.
        public init(
            id: ProviderID, title: String, issuer: String, clientID: String, clientSecret: String,
            scopes: [String] = ["profile"], redirect: String, signUp: SignUpRule, vouchesForFactors: Bool = false,
            claims: Set<String> = [], institution: String? = nil,
            algorithms: Set<SignatureAlgorithm> = [.rs256, .ps256, .es256]
        ) {
            self.id = id
            self.title = title
            self.issuer = issuer
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.scopes = scopes
            self.redirect = redirect
            self.signUp = signUp
            self.vouchesForFactors = vouchesForFactors
            self.claims = claims
            self.institution = institution
            self.algorithms = algorithms
        }
    }

    /// The provider's identifier here.
    public var id: ProviderID { settings.id }
    /// The displayed name.
    public var title: String { settings.title }
    /// The protocol.
    public var kind: String { "OpenID Connect" }
    /// The provider's `iss`.
    public var issuer: String { settings.issuer }
    /// Who gets an account at the first sign-in.
    public var signUp: SignUpRule { settings.signUp }
    /// The institution that offers it for sign-in; `nil` if it is offered to everyone.
    public var institution: String? { settings.institution }
    /// Whether it is trusted when it says that two factors were shown.
    public var vouchesForFactors: Bool { settings.vouchesForFactors }
    /// The browser brings back a code.
    public var proof: Callback.Proof { .code }
    /// `nil`: the browser goes to the provider and comes back.
    public var page: String? { nil }
    /// The page to which the browser comes back.
    public var callback: String? { settings.redirect }
    /// The messages for its faults.
    public var words: MessageCatalog { .openIDConnect }
    /// Always true: the provider says when it authenticated the person (`auth_time`).
    public var asksAgain: Bool { true }

    private let settings: Settings
    private let service: OpenIDConnectService
    private let clock: WallClock

    /// Creates a provider that is reached through `client`.
    public init(_ settings: Settings, client: OutboundClient, clock: WallClock = .system) {
        self.settings = settings
        service = OpenIDConnectService(issuer: settings.issuer, client: client, clock: clock)
        self.clock = clock
    }

    /// Returns the redirect to the provider's page.
    public func begin(_ attempt: SignInAttempt) async throws -> Redirect {
        let metadata = try await service.metadata()
        let query = OutboundRequest.text(
            of: [
                ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", settings.redirect),
                ("scope", (["openid"] + settings.scopes).joined(separator: " ")), ("state", attempt.name),
                ("nonce", attempt.nonce), ("code_challenge", Base64.url.encode(SHA256.hash(attempt.verifier.utf8))),
                ("code_challenge_method", "S256"),
            ] + (attempt.purpose == .stepUp ? [("prompt", "login"), ("max_age", "0")] : []))
        let mark = metadata.authorizationEndpoint.contains("?") ? "&" : "?"
        return Redirect(metadata.authorizationEndpoint + mark + query)
    }

    /// Exchanges the code, verifies the ID token and returns what it asserts.
    public func complete(_ callback: Callback, of attempt: SignInAttempt) async throws -> Assertion {
        let metadata = try await service.metadata()
        // The code in another issuer's answer must not be sent to this issuer's token endpoint (RFC 9207).
        guard callback.issuer == settings.issuer || callback.issuer == nil && !metadata.namesIssuer else {
            throw ProviderError.refused("the answer is another issuer's")
        }
        let tokens = try await tokens(for: callback.proof, attempt, metadata)
        guard let text = tokens["id_token"]?.string, let token = IDToken(text: text) else {
            throw ProviderError.refused("no ID token")
        }
        let key = try await service.key(for: token, allowing: settings.algorithms)
        let expectation = IDToken.Expectation(
            issuer: settings.issuer, clientID: settings.clientID, nonce: attempt.nonce, begunAt: attempt.begunAt,
            accessToken: tokens["access_token"]?.string, asksAgain: attempt.purpose == .stepUp,
            vouchesForFactors: settings.vouchesForFactors, now: clock.now, claims: settings.claims)
        return try token.assertion(signedBy: key, meeting: expectation)
    }

    /// Verifies a logout token (OpenID Connect Back-Channel Logout 1.0) and returns its notice.
    public func logout(_ form: [String: String]) async throws -> LogoutNotice {
        guard let text = form["logout_token"], let token = IDToken(text: text) else {
            throw ProviderError.refused("no logout token")
        }
        let key = try await service.key(for: token, allowing: settings.algorithms)
        return try token.logout(signedBy: key, from: settings.issuer, to: settings.clientID, at: clock.now)
    }

    /// Reads the issuer's metadata and keys, and tests the client and its secret with a code that is not valid: the
    /// issuer checks the client first.
    public func trial() async -> ProviderTrial {
        var trial = ProviderTrial()
        let found = await trial.take(.metadata) { () throws(Fault) in try await service.freshMetadata() }
        guard let metadata = found else {
            trial.note(.skipped, of: .pkce, .keys, .client)
            return trial
        }
        switch metadata.bindsCodes {
        case true?: trial.note(.passed, of: .pkce)
        case false?: trial.note(.failed(Fault(.pkceMissing)), of: .pkce)
        case nil: trial.note(.doubtful(Fault(.pkceUntold)), of: .pkce)
        }
        await trial.take(.keys) { () throws(Fault) in
            try await service.checkKeys(of: metadata, allowing: settings.algorithms)
        }
        let attempt = SignInAttempt(provider: id, account: nil, name: "", verifier: Self.verifier, begunAt: clock.now)
        await trial.take(.client) { () throws(Fault) in
            if case .failed(let fault) = try await exchange("none", attempt, metadata) { throw fault }
        }
        return trial
    }

    /// A well-formed verifier for a test exchange.
    private static let verifier = String(repeating: "x", count: 43)

    /// The outcome of exchanging a code.
    private enum Exchange {
        case tokens(JSON)
        /// The code is not valid, or no longer valid.
        case refused
        /// The client, or the whole exchange, is refused.
        case failed(Fault)
    }

    private func tokens(
        for code: String, _ attempt: SignInAttempt, _ metadata: OpenIDConnectMetadata
    ) async throws(ProviderError) -> JSON {
        let outcome = try await OpenIDConnectService.telling { () throws(Fault) in
            let outcome = try await exchange(code, attempt, metadata)
            if case .failed(let fault) = outcome { throw fault }
            return outcome
        }
        guard case .tokens(let tokens) = outcome else { throw .refused("the code is not valid (any more)") }
        return tokens
    }

    private func exchange(
        _ code: String, _ attempt: SignInAttempt, _ metadata: OpenIDConnectMetadata
    ) async throws(Fault) -> Exchange {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", settings.redirect),
            ("code_verifier", attempt.verifier),
        ]
        var headers = [("Accept", "application/json")]
        if metadata.takesBasic {
            // Both parts are form-encoded first (RFC 6749, section 2.3.1).
            let pair = "\(settings.clientID.percentEncoded):\(settings.clientSecret.percentEncoded)"
            let text = Base64.standard.encode(Array(pair.utf8))
            let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            headers.append(("Authorization", "Basic \(text)\(padding)"))
        } else {
            form += [("client_id", settings.clientID), ("client_secret", settings.clientSecret)]
        }
        let request = OutboundRequest(posting: form, to: metadata.tokenEndpoint, headers: headers)
        let (status, json) = try await service.send(request)
        let error = json["error"]?.string
        switch (status, error) {
        case (200, _): return .tokens(json)
        // A code that is unknown, expired, used or from another exchange is the browser's fault; everything else is the
        // operator's or the provider's. Glewlwyd has its own error code for it.
        case (400, "invalid_grant"), (403, "invalid_code"): return .refused
        case (401, _), (_, "invalid_client"), (_, "unauthorized_client"):
            return .failed(Self.fault(.clientRefused, status, error))
        default: return .failed(Self.fault(.exchangeRefused, status, error))
        }
    }

    private static func fault(_ code: FaultCode, _ status: Int, _ error: String?) -> Fault {
        let word = (error ?? "").unicodeScalars.prefix(60).filter { (0x21...0x7E).contains($0.value) }
        return Fault(
            code, ["status": .number(String(status)), "word": .string(String(String.UnicodeScalarView(word)))])
    }
}
