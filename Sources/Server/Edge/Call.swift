import Accounts
import Cryptography
import Forms
import GradingKit
import HTTP
import Storage

/// A request that has found its route: what came in, who asks, and from where.
struct Call: Sendable {
    let request: Request
    let parameters: Router<Route>.Parameters
    var principal: Principal
    /// The session's token, where there is one: what a live ticket stands for.
    let token: SecretToken?
    /// How the request reached the server.
    let arrival: Arrival
    /// From where it came, for limits, throttles and the trail.
    let client: Client
    let now: Instant
    /// The store's access version as of which the principal is known.
    var accessVersion: Int

    /// The language of the answer: what the client asks for, else the account's.
    var language: Language {
        Language(accepting: request.headers["Accept-Language"]) ?? principal.signedIn?.locale ?? .english
    }

    /// A part of the path. Routes ask only for parts that their pattern names.
    subscript(name: String) -> String { parameters[name] ?? "" }

    /// How sessions reach their owner's browser.
    var cookies: SessionCookies { SessionCookies(isSecure: arrival.isSecure) }

    /// Who acts, for the audit trail.
    func act(because reason: String? = nil) -> Act {
        Act(by: principal.signedIn?.account, from: client.source, at: now, because: reason)
    }

    /// The body as JSON; throws 415 for another type and 400 for anything malformed.
    func json() throws -> JSON {
        guard let type = request.headers["Content-Type"] else { throw Problem.unsupportedMediaType }
        if type != "application/json" {
            let essence = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            guard essence == "application/json" || essence.hasSuffix("+json") else {
                throw Problem.unsupportedMediaType
            }
        }
        return try JSON.parse(request.body)
    }

    /// The body as JSON; an empty object when there is none.
    func optionalJSON() throws -> JSON { request.body.isEmpty ? [:] : try json() }

    /// How many items a list is to have: `limit`, 1…200, 50 by default.
    func limit() throws -> Int {
        guard let text = request.target.query("limit") else { return 50 }
        guard let limit = Int(text), (1...200).contains(limit) else {
            throw Problem.malformed("limit must be 1 to 200")
        }
        return limit
    }

    /// Why the caller does this, from the query: `reason`, one line of up to 500 code points, which is required.
    func reason() throws -> String {
        var form = Form(.object(["reason": request.target.query("reason").map { .string($0) } ?? .null]))
        let reason = form.line("reason", max: 500, required: true)
        try form.finish()
        return reason ?? ""
    }

    /// The place after which a list goes on, from the opaque text that an earlier page's link carried.
    func cursor() throws -> String? {
        guard let text = request.target.query("cursor") else { return nil }
        guard let bytes = Base64.url.decode(text), bytes.first == Self.cursorMark,
            let place = String(validating: bytes.dropFirst(), as: UTF8.self)
        else { throw Problem.malformed("cursor must come from an earlier page's link") }
        return place
    }

    /// The opaque text for a place in a list.
    static func cursor(after place: String) -> String { Base64.url.encode([cursorMark] + place.utf8) }

    private static let cursorMark = UInt8(ascii: "c")

    /// The version that `If-Match` names; `nil` for none or any.
    func expectedRevision() throws -> Revision? {
        guard let text = request.headers["If-Match"], text != "*" else { return nil }
        guard text.count > 2, text.first == "\"", text.last == "\"",
            let revision = Revision(text: text.dropFirst().dropLast())
        else { throw Problem.malformed("If-Match takes one strong ETag or *") }
        return revision
    }

    /// The client's idempotency key over method, path and body.
    func idempotencyKey() throws -> IdempotencyKey? {
        guard let key = request.headers["Idempotency-Key"] else { return nil }
        guard (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem.malformed("Idempotency-Key takes 1 to 128 visible ASCII characters")
        }
        var hash = SHA256()
        hash.update("\(request.method) \(request.target)\n".utf8)
        hash.update(request.body)
        return IdempotencyKey(key: key, digest: hash.finalize())
    }
}

/// A call by somebody who has signed in. A handler that needs an account takes one of these, so that it cannot be
/// called without.
struct SignedInCall: Sendable {
    private(set) var call: Call
    private(set) var signedIn: SignedIn

    init(_ call: Call) throws {
        guard let signedIn = call.principal.signedIn else { throw Problem.unauthenticated }
        self.call = call
        self.signedIn = signedIn
    }

    /// The same call by the same account, as of a later access version.
    func renewed(as signedIn: SignedIn, asOf accessVersion: Int) -> SignedInCall {
        var renewed = self
        renewed.signedIn = signedIn
        renewed.call.principal = .signedIn(signedIn)
        renewed.call.accessVersion = accessVersion
        return renewed
    }
}
