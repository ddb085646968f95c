/// Handles the events of a connection, on its loop. `closed` is called exactly once and last.
public protocol StreamHandler: AnyObject {
    /// Handles bytes that came in; they are valid during the call only.
    func received(_ bytes: Span<UInt8>)
    /// Called when the other end sends no more and everything it sent was received; it may still be reading.
    func ended()
    /// Called when everything written so far is with the kernel.
    func drained()
    /// Called when the kernel has not taken everything that was written, and when it has taken the last bytes before
    /// the end. `Stream.heldBytes` is what is still kept.
    func backlogChanged()
    /// Called when what was written has not moved for as long as `Stream.writeDeadline` allows. The connection stays
    /// open.
    func stalled()
    /// Called when the connection is gone; what was not sent is lost.
    func closed(_ reason: CloseReason)
}

extension StreamHandler {
    /// Does nothing.
    public func backlogChanged() {}
}

/// The reason why a connection is gone.
public enum CloseReason: Hashable, Sendable {
    /// This end closed it.
    case local
    /// The other end or the network broke it off.
    case failed(TransportError)
    /// The loop ended.
    case loopStopped
}

/// When a reader counts as stalled.
public enum WriteDeadline: Hashable, Sendable {
    /// Every frame must be sent within this time after it was written: for messages, which become outdated.
    case perFrame(Duration)
    /// Some byte must move within this time: for long bodies, which may take as long as they need.
    case progress(Duration)
}
