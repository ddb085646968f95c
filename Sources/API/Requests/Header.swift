import Forms
import GradingKit
import HTTP
import Shared

/// Request headers that routes read. Credentials and `Content-Type` are described elsewhere.
enum Header {
    /// The revision that a change is based on; `nil` without the header, and for `*`.
    static let ifMatch = Parameter<Revision?>(
        .header, "If-Match",
        "The `ETag` of the version that the change rests on, or `*`: 409 `version_conflict` when it has moved on."
    ) { text in
        guard let text, text != "*" else { return nil }
        guard text.count > 2, text.first == "\"", text.last == "\"",
            let revision = Revision(text: text.dropFirst().dropLast())
        else { throw Problem.malformed("If-Match takes one strong ETag or *") }
        return revision
    }

    static let ifNoneMatch = Parameter<String?>(
        .header, "If-None-Match", "The `ETag` of the version that the client has: 304 while it is the newest."
    ) { $0 }

    /// The client's name for a request, which makes it safe to send the request again.
    static let idempotencyKey = Parameter<String?>(
        .header, "Idempotency-Key",
        "Names the request for 24 hours: sent again with the same key and body it answers what it answered first.",
        as: JSONSchema.text(1...128).with(["pattern": "^[!-~]+$"])
    ) { key in
        guard let key else { return nil }
        guard (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem.malformed("Idempotency-Key takes 1 to 128 visible ASCII characters")
        }
        return key
    }

    /// The seconds of `wait=…` (RFC 7240), at most ``LongPoll/longest``; `nil` for no wait.
    static let wait = Parameter<Int?>(
        .header, "Prefer",
        "`wait=25` with `If-None-Match` holds the answer back until there is a newer version, at most 60 seconds.",
        as: JSONSchema.text.with(["examples": ["wait=25"]])
    ) { text in
        guard let text else { return nil }
        for preference in text.split(separator: ",") {
            let word = preference.filter { !$0.isWhitespace }
            if word.hasPrefix("wait="), let seconds = Int(word.dropFirst(5)), seconds > 0 {
                return min(seconds, LongPoll.longest)
            }
        }
        return nil
    }

    /// The account that the client acts for. The authenticator reads it with the session, so no route declares it.
    static let account = Parameter<String?>(
        .header, "Gradecast-Account",
        "The account that the client acts for: 401 when the session is another's, as after a sign-in in another tab."
    ) { $0 }

    /// The language of an answer. Every route reads it, so none declares it.
    static let acceptLanguage = Parameter<Language?>(
        .header, "Accept-Language", "The language of messages: `en`, `fr` or `zh-Hans`, else the account's.",
        as: JSONSchema.text.with(["examples": ["fr"]])
    ) { Language(accepting: $0) }
}
