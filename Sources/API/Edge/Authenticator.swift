import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Shared

/// Tells who makes a request: by bearer token, or by the browser's cookie where the request cannot have been forged.
struct Authenticator: Sendable {
    /// The cookie's name over TLS; the prefix makes browsers keep it to this host.
    static let secureCookie = "__Host-gradecast"
    /// The cookie's name on plain loopback.
    static let localCookie = "gradecast-local"
    /// Tells the owner's own device from a stranger's when sign-ins are slowed down.
    static let deviceCookie = "gradecast-device"
    /// The cookie of a sign-in with a provider that is under way, behind the session cookie's prefix over TLS.
    static let attemptCookie = "gradecast-sign-in"

    let sessions: Sessions
    let tokens: APITokens
    /// Pages that browsers may send requests from.
    let origins: OriginRule

    /// The name of a session's cookie. Over TLS it is one that no neighbour's page and no plain connection can set.
    static func sessionCookie(isSecure: Bool) -> String { isSecure ? secureCookie : localCookie }

    /// Who asks, with the session's token that says so. A bearer token counts alone, whatever cookies come with it.
    ///
    /// Throws 401 for a bearer token that opens nothing or has expired and for a session of another account than the
    /// client acts for, and 403 for an API token from an address where it does not work, and for a request that a foreign
    /// page made the browser send.
    func principal(
        of request: Request, _ arrival: Arrival
    ) async throws -> (principal: Principal, token: SecretToken?) {
        if let header = request.headers.bytes(of: "Authorization") {
            let bearer = Self.bearer(header)
            if let secret = bearer.flatMap({ APIToken.secret(in: $0) }) {
                let bearer = try await self.bearer(secret, arrival)
                try requireAccount(bearer.acting.account, request)
                return (.token(bearer), nil)
            }
            guard let token = bearer.flatMap({ SecretToken(text: $0) }), let signedIn = try await signedIn(token)
            else { throw Problem.unauthenticated }
            try requireAccount(signedIn.account, request)
            return (.signedIn(signedIn), token)
        }
        try refuseForgery(request, arrival)
        let name = Self.sessionCookie(isSecure: arrival.isSecure)
        guard let token = Self.cookie(request, name), let signedIn = try await signedIn(token) else {
            return (.guest, nil)
        }
        try requireOrigin(request)
        try requireAccount(signedIn.account, request)
        return (.signedIn(signedIn), token)
    }

    /// The account that asks, if that was found out lately; `nil` says nothing.
    func recent(_ request: Request, _ arrival: Arrival) -> AccountID? {
        guard let header = request.headers.bytes(of: "Authorization") else {
            let token = Self.cookie(request, Self.sessionCookie(isSecure: arrival.isSecure))
            return token.flatMap { sessions.recent($0)?.account }
        }
        guard let bearer = Self.bearer(header) else { return nil }
        if let secret = APIToken.secret(in: bearer) { return tokens.recent(secret)?.acting.account }
        return SecretToken(text: bearer).flatMap { sessions.recent($0)?.account }
    }

    /// Whether a request shows a bearer token, whatever it is worth.
    func hasBearer(_ request: Request) -> Bool {
        request.headers.bytes(of: "Authorization").flatMap { Self.bearer($0) } != nil
    }

    private func bearer(_ secret: SecretToken, _ arrival: Arrival) async throws -> TokenBearer {
        let verdict =
            if let recent = tokens.recent(secret) { TokenVerdict.bearer(recent) } else {
                try await tokens.authenticate(secret)
            }
        switch verdict {
        case .unknown: throw Problem.unauthenticated
        case .expired: throw Problem.tokenExpired
        case .bearer(let bearer):
            guard bearer.works(from: arrival.client) else {
                throw Problem(UseCaseError("forbidden", "This token does not work from this address"))
            }
            return bearer
        }
    }

    private func signedIn(_ token: SecretToken) async throws -> SignedIn? {
        if let recent = sessions.recent(token) { return recent }
        return try await sessions.authenticate(token)
    }

    /// All tabs of a browser share a cookie: what one person typed is not to be sent under another's name.
    private func requireAccount(_ account: AccountID, _ request: Request) throws {
        guard let expected = try Header.account.value(in: request) else { return }
        guard expected == account.text else { throw Problem.unauthenticated }
    }

    /// The text of a bearer token; `nil` for another way to authenticate.
    private static func bearer(_ header: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard header.prefix(7).elementsEqual("bearer ".utf8, by: { $0 == $1 || $0 | 0x20 == $1 && $0 >= 0x41 })
        else { return nil }
        return header.dropFirst(7).drop { $0 == UInt8(ascii: " ") }
    }

    static func cookie(_ request: Request, _ name: String) -> SecretToken? {
        for header in request.headers.values("Cookie") {
            for pair in header.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                guard trimmed.hasPrefix(name + "=") else { continue }
                return SecretToken(text: trimmed.dropFirst(name.count + 1))
            }
        }
        return nil
    }

    /// A page of another origin may not make the browser change anything, signed in or not.
    private func refuseForgery(_ request: Request, _ arrival: Arrival) throws {
        guard !request.method.isSafe, let origin = request.headers["Origin"] else { return }
        guard request.headers.count(of: "Origin") == 1, origins.allows(origin, for: arrival) else {
            throw Problem.forbidden
        }
    }

    /// What the cookie authorises must say that it comes from the server's own page.
    private func requireOrigin(_ request: Request) throws {
        guard !request.method.isSafe, request.headers["Origin"] == nil else { return }
        guard request.headers["Sec-Fetch-Site"] == "same-origin" else { throw Problem.forbidden }
    }
}

extension Method {
    /// Whether it only reads (RFC 9110, 9.2.1).
    var isSafe: Bool {
        switch self {
        case .get, .head, .options: true
        default: false
        }
    }
}
