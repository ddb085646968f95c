/// What an `error` message says. The code never changes; clients decide by it and by `retry`.
///
/// | Code | Retry | Meaning |
/// |---|---|---|
/// | `bad_request` | no | not a message of the protocol: no JSON object, an unknown `t`, a bad member |
/// | `unauthenticated` | no | the token of `auth` is none, or another account's |
/// | `forbidden` | no | there is no such topic, or it may not be read |
/// | `limit` | no | as many subscriptions as a connection may have, or an `auth` before the last one was answered |
/// | `rate_limited` | yes | the message was dropped; `after` says when the next one is welcome |
/// | `too_large` | no | what was asked for cannot be answered in this form |
/// | `unavailable` | yes | the store does not answer; subscribe again after `after` |
/// | `internal` | yes | a fault of the server |
public enum LiveErrorCode: String, CaseIterable, Sendable {
    case badRequest = "bad_request"
    case unauthenticated
    case forbidden
    case limit
    case rateLimited = "rate_limited"
    case tooLarge = "too_large"
    case unavailable
    case internalError = "internal"

    /// Whether the same request can succeed later.
    public var canRetry: Bool {
        switch self {
        case .rateLimited, .unavailable, .internalError: true
        case .badRequest, .unauthenticated, .forbidden, .limit, .tooLarge: false
        }
    }
}

/// Why a subscription ended.
public enum EndReason: String, CaseIterable, Sendable {
    /// The right to read the document is gone.
    case revoked
    /// The document was deleted; a later `sub` is `forbidden`.
    case gone
    /// The client asked for it.
    case unsub
    /// What the client holds cannot be brought up to date: drop it and subscribe again.
    case reset
}
