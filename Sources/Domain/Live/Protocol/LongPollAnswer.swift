public import Shared

/// The encoding of a conversation as one response: `If-None-Match` with `Prefer: wait`.
///
/// The first document is the answer. A wait that ends without one is answered with *unchanged*.
public enum LongPollAnswer: Sendable {
    /// What is newer than what the client has.
    case document(LiveDocument)
    /// The first part of what changed in the collection since the version that the client has.
    case rows(LiveRows, since: Version)
    /// Nothing was, within the time.
    case unchanged
    /// The document may not be read, or cannot be.
    case refused(LiveErrorCode)

    /// What a message comes to; `nil` while the wait goes on.
    public init?(_ message: ServerMessage) {
        switch message {
        case .document(let rendition): self = .document(rendition.document)
        case .rows(let message): self = .rows(message.rows, since: message.since)
        case .failed(let code, _, _): self = .refused(code)
        case .ended(_, let reason) where reason != .reset: self = .refused(.forbidden)
        case .welcome, .presence, .current, .ended, .refreshed, .ping, .drain: return nil
        }
    }

    /// What a waiting client says to `end reset`: what it has never was, so whatever there is differs from it.
    public static func asksAgain(for topic: Topic) -> [UInt8] { Array(#"{"t":"sub","topic":"\#(topic)"}"#.utf8) }

    /// What the end of the conversation comes to.
    public init(_ code: LiveCloseCode) {
        self = code.refusal == .unauthenticated ? .refused(.unauthenticated) : .unchanged
    }
}
