public import Accounts
import Cryptography
import JSON
public import Messages
public import Outbound
public import Shared

/// Sign-in with GitHub: OAuth 2 with PKCE. The numeric id identifies the person, because login names change hands. The
/// token is used for the one request that reads the person, and then dropped.
public struct GitHubProvider: IdentityProvider {
    /// The settings that the operator chooses.
    public struct Settings: Sendable {
        /// The client identifier that GitHub gave this server.
        public let clientID: String
        /// The client secret.
        public let clientSecret: String
        /// The address of GitHub, or of a GitHub Enterprise Server.
        public let url: String
        /// The page of this site to which GitHub sends the browser back.
        public let redirect: String
        /// Who gets an account at the first sign-in.
        public let signUp: SignUpRule

        /// Creates the settings.
        public init(
            clientID: String, clientSecret: String, url: String = GitHubProvider.publicURL, redirect: String,
            signUp: SignUpRule
        ) {
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
            self.redirect = redirect
            self.signUp = signUp
        }
    }

    /// The address of GitHub itself, which is also the issuer of its users.
    public static let publicURL = "https://github.com"
    /// The provider's identifier here.
    public static let id = ProviderID(stored: "github")

    /// The provider's identifier here.
    public var id: ProviderID { Self.id }
    /// The displayed name.
    public var title: String { "GitHub" }
    /// The protocol: OAuth 2, with GitHub's own interface to read the person.
    public var kind: String { "GitHub" }
    /// The address of GitHub.
    public var issuer: String { settings.url }
    /// Who gets an account at the first sign-in.
    public var signUp: SignUpRule { settings.signUp }
    /// The browser brings back a code.
    public var proof: Callback.Proof { .code }
    /// `nil`: the browser goes to GitHub and comes back.
    public var page: String? { nil }
    /// The page to which the browser comes back.
    public var callback: String? { settings.redirect }
    /// The messages for its faults.
    public var words: MessageCatalog { .gitHub }

    private let settings: Settings
    private let client: OutboundClient
    private let clock: WallClock

    /// Creates a provider that reaches GitHub through `client`.
    public init(_ settings: Settings, client: OutboundClient, clock: WallClock = .system) {
        self.settings = settings
        self.client = client
        self.clock = clock
    }

    /// Returns the redirect to GitHub's page.
    public func begin(_ attempt: SignInAttempt) async throws -> Redirect {
        let query = OutboundRequest.text(of: [
            ("client_id", settings.clientID), ("redirect_uri", settings.redirect), ("scope", "read:user"),
            ("state", attempt.name), ("code_challenge", Base64.url.encode(SHA256.hash(attempt.verifier.utf8))),
            ("code_challenge_method", "S256"),
        ])
        return Redirect("\(settings.url)/login/oauth/authorize?\(query)")
    }

    /// Exchanges the code for a token, and reads the person with it.
    public func complete(_ callback: Callback, of attempt: SignInAttempt) async throws -> Assertion {
        let token = try await token(for: callback.proof, attempt)
        let person = try await person(by: token)
        guard let id = person["id"]?.integer, id > 0 else { throw ProviderError.refused("there is no id") }
        return Assertion(
            issuer: issuer, subject: String(id),
            digest: TokenDigest(bytes: SHA256.hash("\(issuer) \(callback.proof)".utf8)),
            expiresAt: clock.now.adding(seconds: Self.memory), displayName: Self.line(person["name"]),
            loginHint: Self.line(person["login"]))
    }

    /// Tests the client and its secret with a code that is not valid: GitHub checks the client first.
    public func trial() async -> ProviderTrial {
        var trial = ProviderTrial()
        let attempt = SignInAttempt(provider: id, account: nil, name: "", begunAt: clock.now)
        await trial.take(.client) { () throws(Fault) in
            let json = try await exchange("none", attempt)
            if let fault = Self.fault(of: json) { throw fault }
        }
        return trial
    }

    /// Seconds for which a used code is remembered; GitHub accepts each only once, within ten minutes.
    private static let memory: Int64 = 3_600

    private func token(for code: String, _ attempt: SignInAttempt) async throws(ProviderError) -> String {
        let json = try await telling { () throws(Fault) in
            let json = try await exchange(code, attempt)
            if let fault = Self.fault(of: json) { throw fault }
            return json
        }
        guard json["error"] == nil else { throw .refused("the code is not valid (any more)") }
        guard json["token_type"]?.string?.lowercased() == "bearer", let token = json["access_token"]?.string,
            (1...1_024).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .unavailable("GitHub gave no token") }
        return token
    }

    private func exchange(_ code: String, _ attempt: SignInAttempt) async throws(Fault) -> JSON {
        let form = [
            ("client_id", settings.clientID), ("client_secret", settings.clientSecret), ("code", code),
            ("redirect_uri", settings.redirect), ("code_verifier", attempt.verifier),
        ]
        let address = "\(settings.url)/login/oauth/access_token"
        return try await ask(OutboundRequest(posting: form, to: address, headers: [("Accept", "application/json")]))
    }

    /// Returns the client's fault, or `nil` if there is none or only the code is wrong. Errors come with status 200.
    private static func fault(of json: JSON) -> Fault? {
        guard let error = json["error"]?.string, error != "bad_verification_code" else { return nil }
        let ascii = error.unicodeScalars.prefix(60).filter { (0x21...0x7E).contains($0.value) }
        let word = JSON.string(String(String.UnicodeScalarView(ascii)))
        return Fault(error == "redirect_uri_mismatch" ? .callbackRefused : .clientRefused, ["word": word])
    }

    private func person(by token: String) async throws(ProviderError) -> JSON {
        let root = settings.url == Self.publicURL ? "https://api.github.com" : "\(settings.url)/api/v3"
        let request = OutboundRequest(
            "\(root)/user",
            headers: [
                ("Authorization", "Bearer \(token)"), ("Accept", "application/vnd.github+json"),
                ("X-GitHub-Api-Version", "2022-11-28"),
            ])
        return try await telling { () throws(Fault) in try await ask(request) }
    }

    /// Runs `question`, and converts a fault into the error of an unavailable provider.
    private func telling(_ question: () async throws(Fault) -> JSON) async throws(ProviderError) -> JSON {
        do {
            return try await question()
        } catch {
            throw .unavailable(words.message(error, in: .english))
        }
    }

    private func ask(_ request: OutboundRequest) async throws(Fault) -> JSON {
        let response: OutboundResponse
        do {
            response = try await client.send(request)
        } catch {
            throw error.fault(at: request.url)
        }
        guard response.status == 200 else { throw response.statusFault(at: request.url) }
        guard let json = try? JSON.parse(response.body, limits: JSONLimits(depth: 16)), json.object != nil else {
            throw OutboundRequest.formFault(at: request.url, expected: "JSON")
        }
        return json
    }

    /// Returns one line of up to 100 code points without control characters; `nil` if it is empty.
    private static func line(_ json: JSON?) -> String? {
        guard let text = json?.string else { return nil }
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(100)
        let line = String(String.UnicodeScalarView(scalars))
        return line.allSatisfy(\.isWhitespace) ? nil : line
    }
}
