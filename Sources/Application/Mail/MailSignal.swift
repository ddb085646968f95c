/// Tells the courier that mails were queued. At most one signal waits: the courier looks in the store for what to send.
public final class MailSignal: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    /// The signals, for one courier.
    let signals: AsyncStream<Void>

    /// Creates a signal that was not sent yet.
    public init() { (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Sends the signal once the mails are committed. Quick, because the store's writer waits for it.
    public func send() { continuation.yield() }
}
