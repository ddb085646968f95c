public import Cryptography
import Forms
import JSON
public import Shared

/// Rosefire's statement about a person who has signed in there: a token in Firebase's first format, signed with a
/// secret that both sides know.
///
///     {"alg":"HS256","typ":"JWT"} . {"v":0,"iat":1700000000,"d":{"uid":"ada","name":"Ada","group":"STUDENT"}} . …
///
/// `d.uid` identifies the person. `d.group` and `d.email` are not even read: this server decides what a person may do.
public struct RosefireToken: Sendable, Equatable {
    /// How old a token may be, in seconds.
    public static let maximumAge: Int64 = 120
    /// How far the issuer's clock may be ahead, in seconds.
    public static let maximumLead: Int64 = 60

    private let issuedAt: Int64

    /// The permanent identifier of the person at Rosefire.
    public let subject: String
    /// The displayed name, if the token has one.
    public let displayName: String?
    /// The digest that identifies the token.
    public let digest: TokenDigest
    /// The moment from which the token is refused for its age alone.
    public let expiresAt: Timestamp

    /// Verifies a token; `nil` if it has another algorithm or key, is too old, from the future or past its `exp`, or
    /// names no person. The result does not tell which of these it was.
    public init?(text: String, secrets: RosefireSecrets, at now: Timestamp) {
        guard let token = CompactToken(text: text), let header = try? JSON.parse(token.header, limits: Self.limits),
            Self.accepts(header), token.isSigned(byAnyOf: secrets.keys),
            let payload = try? JSON.parse(token.payload, limits: Self.limits),
            let issuedAt = Self.seconds("iat", of: payload), Self.holds(payload, at: now),
            let uid = payload["d"]?["uid"]?.string
        else { return nil }
        let age = now.microseconds / 1_000_000 - issuedAt
        guard age <= Self.maximumAge, age >= -Self.maximumLead else { return nil }
        var form = Form(payload["d"] ?? .null)
        guard let subject = form.line("uid", max: 128), subject == uid else { return nil }
        self.subject = subject
        self.issuedAt = issuedAt
        displayName = form.line("name", max: 100)
        digest = TokenDigest(bytes: SHA256.hash(text.utf8))
        expiresAt = Timestamp(microseconds: 0).adding(seconds: issuedAt + Self.maximumAge + 1)
    }

    /// Returns whether the token was issued after an instant, as far as the two clocks agree.
    func isIssued(after instant: Timestamp) -> Bool {
        issuedAt + Self.maximumLead >= instant.microseconds / 1_000_000
    }

    /// Signs a token as Rosefire does; `nil` if there is no secret. Tokens of different microseconds differ, because
    /// each is accepted only once.
    public static func issue(
        to subject: String, named name: String, group: String, secrets: RosefireSecrets, at now: Timestamp
    ) -> String? {
        let header: JSON = ["alg": "HS256", "typ": "JWT"]
        let payload: JSON = [
            "v": 0, "iat": .number(String(now.microseconds / 1_000_000)),
            "jti": .string(String(now.microseconds)),
            "d": ["uid": .string(subject), "name": .string(name), "group": .string(group)],
        ]
        return secrets.keys.first.map { CompactToken(header: header.bytes, payload: payload.bytes, key: $0).text }
    }

    private static let limits = JSONLimits(depth: 4, numberLength: 20)
    private static let range: ClosedRange<Int> = 0...253_402_300_799

    /// Returns whether the header is accepted: only `HS256`, and no critical extension.
    private static func accepts(_ header: JSON) -> Bool {
        header["alg"]?.string == "HS256" && header["crit"] == nil
            && (header["typ"] == nil || header["typ"]?.string?.uppercased() == "JWT")
    }

    /// Returns whether the token is within its own time limits, if it has any.
    private static func holds(_ payload: JSON, at now: Timestamp) -> Bool {
        let now = now.microseconds / 1_000_000
        if payload["exp"] != nil { guard let end = seconds("exp", of: payload), now < end else { return false } }
        if payload["nbf"] != nil {
            guard let start = seconds("nbf", of: payload), start <= now + maximumLead else { return false }
        }
        return true
    }

    /// Returns whole seconds since 1970, up to the year 9999; `nil` for anything else.
    private static func seconds(_ name: String, of payload: JSON) -> Int64? {
        guard let value = payload[name]?.integer, range.contains(value) else { return nil }
        return Int64(value)
    }
}
