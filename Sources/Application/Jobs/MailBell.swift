/// Tells the courier that mails were queued. It holds one ring at most: the courier looks in the store for what to send.
public final class MailBell: Sendable {
    private let bell: AsyncStream<Void>.Continuation
    /// The rings, for one courier.
    let rings: AsyncStream<Void>

    /// Creates a bell that has not rung.
    public init() { (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Rings once the mails are committed. Quick, because the store's writer waits for it.
    public func ring() { bell.yield() }
}
