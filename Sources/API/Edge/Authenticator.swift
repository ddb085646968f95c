import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Shared

/// Finds out who makes a request: by bearer token, or by the browser's cookie if the request cannot have been forged.
struct Authenticator: Sendable {
    /// The cookie's name over TLS; the prefix makes browsers keep it to this host.
    static let secureCookie = "__Host-gradecast"
    /// The cookie's name on plain loopback.
    static let localCookie = "gradecast-local"
    /// The name of the cookie that identifies the owner's own device when sign-ins are throttled.
    static let deviceCookie = "gradecast-device"
    /// The name of the cookie of a provider sign-in in progress; over TLS it gets the prefix `__Host-`.
    static let attemptCookie = "gradecast-sign-in"

    let sessions: Sessions
    let tokens: APITokens
    /// The origins whose pages may send requests from a browser.
    let origins: OriginRule

    /// Returns the name of the session cookie. Sibling domains and plain connections cannot set the one used over TLS.
    static func sessionCookie(isSecure: Bool) -> String { isSecure ? secureCookie : localCookie }

    /// Returns the caller and, if a session signed the caller in, its token. A bearer token counts alone: cookies
    /// beside it are ignored.
    ///
    /// - Parameter renews: Whether the request moves the idle end of the session.
    /// - Throws: 401 for a bearer token that is unknown or has expired, and for a session of another account than the
    ///   client acts for; 403 for an API token from an address where it does not work, and for a request that a foreign
    ///   page made the browser send.
    func principal(
        of request: Request, _ arrival: Arrival, renewing renews: Bool
    ) async throws -> (principal: Principal, token: SecretToken?) {
        if let header = request.headers.bytes(of: "Authorization") {
            let bearer = Self.bearer(header)
            if let secret = bearer.flatMap({ APIToken.secret(in: $0) }) {
                let bearer = try await self.bearer(secret, arrival)
                try requireAccount(bearer.acting.account, request)
                return (.token(bearer), nil)
            }
            guard let token = bearer.flatMap({ SecretToken(text: $0) }),
                let signedIn = try await signedIn(token, renewing: renews)
            else { throw Problem.unauthenticated }
            try requireAccount(signedIn.account, request)
            return (.signedIn(signedIn), token)
        }
        try refuseForgery(request, arrival)
        let name = Self.sessionCookie(isSecure: arrival.isSecure)
        guard let token = Self.cookie(request, name), let signedIn = try await signedIn(token, renewing: renews)
        else {
            return (.guest, nil)
        }
        try requireOrigin(request)
        try requireAccount(signedIn.account, request)
        return (.signedIn(signedIn), token)
    }

    /// Returns the account that makes the request, if it was authenticated recently; `nil` says nothing about the
    /// caller.
    func recent(_ request: Request, _ arrival: Arrival) -> AccountID? {
        guard let header = request.headers.bytes(of: "Authorization") else {
            let token = Self.cookie(request, Self.sessionCookie(isSecure: arrival.isSecure))
            return token.flatMap { sessions.recent($0)?.account }
        }
        guard let bearer = Self.bearer(header) else { return nil }
        if let secret = APIToken.secret(in: bearer) { return tokens.recent(secret)?.acting.account }
        return SecretToken(text: bearer).flatMap { sessions.recent($0)?.account }
    }

    /// Returns whether a request carries a bearer token, valid or not.
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

    private func signedIn(_ token: SecretToken, renewing renews: Bool) async throws -> SignedIn? {
        if let recent = sessions.recent(token) { return recent }
        return try await sessions.authenticate(token, renewing: renews)
    }

    /// Refuses a session of another account than the client acts for. All tabs of a browser share a cookie, and what
    /// one person typed must not be sent under another's name.
    private func requireAccount(_ account: AccountID, _ request: Request) throws {
        guard let expected = try Header.account.value(in: request) else { return }
        guard expected == account.text else { throw Problem.unauthenticated }
    }

    /// Returns the text of a bearer token; `nil` for another way to authenticate.
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

    /// Refuses a request that changes something if a page of another origin made the browser send it, signed in or not.
    private func refuseForgery(_ request: Request, _ arrival: Arrival) throws {
        guard !request.method.isSafe, let origin = request.headers["Origin"] else { return }
        guard request.headers.count(of: "Origin") == 1, origins.allows(origin, for: arrival) else {
            throw Problem.forbidden
        }
    }

    /// Refuses a request that changes something on the cookie's authority and has neither an `Origin` nor
    /// `Sec-Fetch-Site: same-origin`.
    private func requireOrigin(_ request: Request) throws {
        guard !request.method.isSafe, request.headers["Origin"] == nil else { return }
        guard request.headers["Sec-Fetch-Site"] == "same-origin" else { throw Problem.forbidden }
    }
}

extension Method {
    /// Whether the method only reads (RFC 9110, 9.2.1).
    var isSafe: Bool {
        switch self {
        case .get, .head, .options: true
        default: false
        }
    }
}
