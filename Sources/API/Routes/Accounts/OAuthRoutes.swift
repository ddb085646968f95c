import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Shared

/// OAuth 2 for programs: the id and a secret of a service account give an access token for an hour (RFC 6749, 4.4).
/// Errors have the form of RFC 6749, 5.2, and are not problem documents.
struct OAuthRoutes: RouteGroup {
    let tokens: APITokens
    /// The rate of failures from which on the requests of one address are refused unread.
    let failures: RateLimiter<String>
    /// The rate of failures, lower than that of the address, from which on the same credentials are refused unread: a
    /// program that keeps sending outdated credentials does not lock out the other programs of its network.
    let repetitions: RateLimiter<TokenDigest>
    /// How often one secret may get a token.
    let grants: RateLimiter<APITokenID>

    private static let body = RequestBody.form(
        .object(
            "TokenRequest",
            [
                "grant_type": .choice(["client_credentials"]),
                "scope?": JSONSchema.text.described("Scopes with blanks between; without it, all that it may have."),
                "client_id?": JSONSchema.text.described("The service account, unless HTTP Basic names it."),
                "client_secret?": JSONSchema.text.described("A secret of the service account, with `client_id`."),
            ], isOpen: true),
        example: ["grant_type": "client_credentials", "scope": "records:read"])

    var routes: [Route] {
        [
            .client(
                .post, "/v1/oauth/token", "An access token for a service account (OAuth 2 client credentials)",
                takes: Self.body, .accessToken, errors: [400: .oauthError, 401: .oauthError]
            ) { call in
                do {
                    return try await answer(call)
                } catch let refusal as OAuthRefusal {
                    return refusal.response
                }
            }
        ]
    }

    private func answer(_ call: Call) async throws -> Response {
        let form = try Self.form(of: call)
        let client = try await client(call, form)
        guard let grant = form["grant_type"] else { throw OAuthRefusal.invalidRequest }
        guard grant == "client_credentials" else { throw OAuthRefusal.unsupportedGrantType }
        let scopes = try form["scope"].map { try Self.scopes($0) }
        if let wait = grants.wait(for: client.token.id, at: call.now) { throw Problem.rateLimited(retryAfter: wait) }
        let act = AuditContext(by: client.account.id, from: call.client.source, at: call.now)
        do {
            let (token, text) = try await tokens.grant(scopes, for: client.token.id, of: client.account.id, by: act)
            return Self.answer(token, text, at: call.now)
        } catch is ScopeExceeded {
            throw OAuthRefusal.invalidScope
        } catch StoreError.notFound {
            throw OAuthRefusal.invalidClient
        }
    }

    /// Returns the form; throws if a name occurs twice. Empty values count as left out (RFC 6749, 3.2).
    private static func form(of call: Call) throws -> [String: String] {
        guard try call.body().type == RequestBody.formType else { throw OAuthRefusal.invalidRequest }
        let items = try call.formItems()
        guard Set(items.map(\.name)).count == items.count else { throw OAuthRefusal.invalidRequest }
        return try call.form().filter { !$0.value.isEmpty }
    }

    /// Returns the service account whose secret the request shows, from an address where the secret works. The error
    /// does not say what is wrong.
    private func client(_ call: Call, _ form: [String: String]) async throws -> TokenStanding {
        let shown = try Self.credentials(of: call, form)
        let (source, now) = (call.client.source, call.now)
        let text = "\(source) \(shown?.id ?? "") \(shown?.secret ?? "")"
        let credentials = TokenDigest(bytes: SHA256.hash(Array(text.utf8)))
        if call.client.isLimited,
            let wait = failures.look(for: source, at: now) ?? repetitions.look(for: credentials, at: now)
        {
            throw Problem.rateLimited(retryAfter: wait)
        }
        do {
            return try await client(call, shown)
        } catch let refusal as OAuthRefusal {
            failures.charge(source, at: now, cost: 1)
            repetitions.charge(credentials, at: now, cost: 1)
            throw refusal
        }
    }

    private func client(_ call: Call, _ shown: (id: String, secret: String)?) async throws -> TokenStanding {
        guard let (id, word) = shown, let secret = APIToken.secret(in: word.utf8, of: .secret),
            let client = try await tokens.client(AccountID(id), showing: secret),
            client.token.networks.letIn(call.arrival.client)
        else { throw OAuthRefusal.invalidClient }
        return client
    }

    /// Returns the id and the secret, from HTTP Basic or the body; throws if both have a secret.
    private static func credentials(of call: Call, _ form: [String: String]) throws -> (id: String, secret: String)? {
        let posted = form["client_secret"].map { (id: form["client_id"] ?? "", secret: $0) }
        guard call.basicCredentials != nil else { return posted }
        guard posted == nil else { throw OAuthRefusal.invalidRequest }
        guard let basic = call.clientCredentials else { return nil }
        guard form["client_id"].map({ $0 == basic.id }) ?? true else { throw OAuthRefusal.invalidRequest }
        return basic
    }

    private static func scopes(_ text: String) throws -> Set<Scope> {
        let words = text.split(separator: " ").map { Scope(rawValue: String($0)) }
        let scopes = Set(words.compactMap(\.self))
        guard !words.contains(nil), !scopes.isEmpty else { throw OAuthRefusal.invalidScope }
        return scopes
    }

    private static func answer(_ token: APIToken, _ secret: SecretToken, at now: Timestamp) -> Response {
        let seconds = (token.expiresAt.microseconds - now.microseconds) / 1_000_000
        var response = Response.json {
            $0.object {
                $0.member("access_token", APIToken.text(secret, of: token.kind))
                $0.member("token_type", "Bearer")
                $0.member("expires_in", .number(String(seconds)))
                $0.member("scope", token.scopes.sorted().map(\.rawValue).joined(separator: " "))
            }
        }
        response.headers.set("Pragma", "no-cache")
        return response
    }
}

/// The reason why no access token is issued (RFC 6749, 5.2).
private enum OAuthRefusal: String, Error, CaseIterable {
    case invalidClient = "invalid_client"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case unsupportedGrantType = "unsupported_grant_type"

    var response: Response {
        var response = Response.json(self == .invalidClient ? .unauthorized : .badRequest) {
            $0.object { $0.member("error", rawValue) }
        }
        if self == .invalidClient { response.headers.set("WWW-Authenticate", "Basic realm=\"gradecast\"") }
        response.headers.set("Pragma", "no-cache")
        return response
    }
}

extension Call {
    /// The id and the secret that a program sends by HTTP Basic (RFC 6749, 2.3.1); `nil` if they are malformed.
    fileprivate var clientCredentials: (id: String, secret: String)? {
        guard let text = basicCredentials,
            let bytes = Base64.standard.decode(text.filter { $0 != "=" && $0 != " " }),
            let pair = String(validating: bytes, as: UTF8.self), let colon = pair.firstIndex(of: ":"),
            let id = Self.formDecoded(pair[..<colon]),
            let secret = Self.formDecoded(pair[pair.index(after: colon)...])
        else { return nil }
        return (id, secret)
    }

    /// Decodes an id or a secret, both of them form-encoded; `nil` if it is malformed.
    private static func formDecoded(_ text: Substring) -> String? {
        guard !text.contains(where: { "&=#".contains($0) }) else { return nil }
        return (try? Target("/?x=" + text))?.query("x")
    }
}

extension JSONSchema {
    static let accessToken = document(
        "AccessToken",
        [
            "access_token": JSONSchema.text.described("For `Authorization: Bearer`."),
            "token_type": .choice(["Bearer"]),
            "expires_in": JSONSchema.integer.described("Seconds: an hour, or less if the secret ends before."),
            "scope": .text,
        ])
    static let oauthError = document("OAuthError", ["error": .choice(OAuthRefusal.allCases.map(\.rawValue))])
}
