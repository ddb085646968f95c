/// What a connection tells its owner, on its loop. `closed` comes exactly once and last.
public protocol StreamHandler: AnyObject {
    /// Bytes came in; they are valid during the call only.
    func received(_ bytes: Span<UInt8>)
    /// The other end sends no more, and all it sent was received; it may still be reading.
    func ended()
    /// Everything written so far is with the kernel.
    func drained()
    /// The kernel took a part of what was written, or nothing; or all of it, before the end. `Stream.heldBytes` is what is
    /// kept now.
    func backlogChanged()
    /// What was written has not moved for as long as `Stream.writeDeadline` allows. The connection is not closed by it.
    func stalled()
    /// The connection is gone; what was not sent is lost.
    func closed(_ reason: CloseReason)
}

extension StreamHandler {
    /// Does nothing.
    public func backlogChanged() {}
}

/// Why a connection is gone.
public enum CloseReason: Hashable, Sendable {
    /// This end closed it.
    case local
    /// The other end broke it off, or the network did.
    case failed(TransportError)
    /// The loop ended.
    case loopStopped
}

/// What counts as a reader that has stopped reading.
public enum WriteDeadline: Hashable, Sendable {
    /// Every frame is gone this long after it was written: for messages, which grow stale.
    case perFrame(Duration)
    /// Some byte moves within this time: for long bodies, which may take as long as they take.
    case progress(Duration)
}
