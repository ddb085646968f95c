internal import Glibc

/// One connection of one loop: bytes come in to its handler, and frames go out through a queue.
///
/// States: *open* → *finishing* (`finish`: what is queued goes out first) → *lingering* (our end is sent; further input
/// is discarded, so that no reset destroys the last response) → *closed*. Lingering lasts until the other end has
/// received everything and has closed too, or takes nothing for as long as a reader may stall. `abort` leads from any
/// state to *closed*. What a reader has not taken by then is dropped, here and in the kernel.
///
/// Stream and handler hold each other until the connection is closed, and the loop holds the stream; closing releases
/// all of these references.
public final class Stream: Pollable {
    private enum State: Equatable {
        case open
        case finishing
        /// `left` is how many bytes were not acknowledged at the last check.
        case lingering(left: Int32)
        case closed
    }

    private enum Input {
        case flowing
        case paused
        case ended
    }

    /// How much the end of sending adds to the bytes that are not acknowledged.
    private static let end: Int32 = 1

    // There are very many streams, so these properties are in an order that leaves no gaps in memory: small ones follow
    // those that end within a word.

    /// The loop that serves it.
    public let loop: EventLoop
    /// The handler of its events; may be replaced at any time.
    public var handler: (any StreamHandler)?
    /// When the kernel last took something, or when something was last written to an empty queue.
    public private(set) var lastProgress: MonotonicInstant
    private let wire: Wire
    private var input = Input.flowing
    private var isStallPerFrame = true
    private var isInOutbox = false
    private var state = State.open
    /// Whether the kernel may have unread bytes (or an end); it reports new ones only.
    private var hasInput = false
    private var hasPeerEnded = false
    private var isReadScheduled = false
    private var stallTime = Microseconds(.seconds(10))
    private var queue = WriteQueue()
    private var lingering = Microseconds(.seconds(2))
    /// The address at the other end.
    public let peer: SocketAddress
    /// The error number of its last send through the ring; 0 if that did not fail.
    private var sendFailure: Int32 = 0
    private var deadline: TimerToken?

    init(_ wire: Wire, peer: SocketAddress, loop: EventLoop, handler: (any StreamHandler)? = nil)
        throws(TransportError)
    {
        self.wire = wire
        self.peer = peer
        self.loop = loop
        self.handler = handler
        lastProgress = loop.now
        try loop.addConnection(wire.descriptor, self)
    }

    /// When a reader counts as stalled.
    public var writeDeadline: WriteDeadline {
        get { isStallPerFrame ? .perFrame(stallTime.duration) : .progress(stallTime.duration) }
        set {
            switch newValue {
            case .perFrame(let limit): (stallTime, isStallPerFrame) = (Microseconds(limit), true)
            case .progress(let limit): (stallTime, isStallPerFrame) = (Microseconds(limit), false)
            }
        }
    }

    /// How long the other end may take to close after it has received everything and our end.
    public var lingerTime: Duration {
        get { lingering.duration }
        set { lingering = Microseconds(newValue) }
    }

    /// Whether frames can still be written.
    public var isOpen: Bool { state == .open }

    /// Whether the connection is encrypted.
    public var isSecure: Bool { wire.isSecure }

    /// Whether the connection is closed.
    public var isClosed: Bool { state == .closed }

    /// Bytes that were written and that the kernel has not taken yet.
    public var bufferedBytes: Int { queue.count }

    /// Memory held for bytes that the kernel has not taken yet, without buffers that others share.
    public var heldBytes: Int { queue.heldBytes }

    /// How long the oldest byte that the kernel has not taken has waited; `nil` if there is none.
    public var oldestUnsentAge: Duration? {
        guard let oldest = queue.oldest else { return nil }
        return loop.now - oldest
    }

    /// Queues a frame, which goes out at the end of the turn. The bytes are shared, not copied.
    ///
    /// - Parameter isShared: whether others keep these bytes anyway, so that they cost no memory while they wait.
    public func write(_ bytes: [UInt8], isShared: Bool = false) {
        guard state == .open else { return }
        if queue.isEmpty { lastProgress = loop.now }
        queue.append(bytes, at: loop.now, isShared: isShared)
        addToOutbox()
    }

    /// Removes the frames that have not begun to be sent or encrypted.
    public func dropUnsent() {
        queue.dropUnsent(behind: wire.committed)
    }

    /// Stops receiving: incoming bytes wait in the kernel, and then at the sender.
    public func pauseReading() {
        if input == .flowing { input = .paused }
    }

    /// Resumes receiving.
    public func resumeReading() {
        guard input == .paused else { return }
        input = .flowing
        if hasInput || hasPeerEnded { scheduleRead() }
    }

    /// Sends what is queued and then the end; closes when the other end has closed too or takes too long.
    public func finish() {
        guard state == .open else { return }
        state = .finishing
        addToOutbox()
    }

    /// Closes at once; what is queued is lost.
    public func abort() { close(.local) }
}

// Receiving.
extension Stream {
    func ready(_ readiness: Readiness) {
        if readiness.isOver {
            closeBroken()
            return
        }
        if readiness.hasPeerEnded { hasPeerEnded = true }
        // On an encrypted connection, one direction may have to wait for the readiness of the other.
        if readiness.isReadable || readiness.hasPeerEnded || wire.isSecure {
            hasInput = true
            read()
        }
        // This continues an earlier send that waited for room; what was written in this turn waits for the turn's end.
        if readiness.isWritable || wire.isSecure, !queue.isEmpty, !isInOutbox { flush() }
    }

    func loopStopped() { close(.loopStopped) }

    private func read() {
        guard state != .closed, hasInput || hasPeerEnded else { return }
        if state == .open || state == .finishing { guard input == .flowing else { return } }
        guard input != .ended else { return }
        let buffer = loop.scratch.input
        switch wire.receive(into: buffer) {
        case .moved(let count):
            // A short read has emptied the kernel's buffer, unless the end comes after it: then the end is still to be
            // read.
            hasInput = count == buffer.count || hasPeerEnded || wire.hasEnded
            if hasInput { scheduleRead() }
            if state == .open {
                let received = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                // Only `read` writes to the buffer, and `read` is not entered while a handler runs.
                handler?.received(Span(_unsafeBytes: received))
            }
        case .blocked: hasInput = false
        case .ended: inputEnded()
        case .failed(let error): close(.failed(error))
        }
    }

    private func inputEnded() {
        input = .ended
        hasInput = false
        hasPeerEnded = true
        switch state {
        case .open: handler?.ended()
        case .finishing, .closed: break
        case .lingering: closeIfDelivered()
        }
    }

    /// Continues reading in the next turn, after the other connections have had theirs.
    private func scheduleRead() {
        guard !isReadScheduled else { return }
        isReadScheduled = true
        let bound = LoopBound(self, to: loop)
        loop.execute {
            bound.value.isReadScheduled = false
            bound.value.read()
        }
    }
}

// Sending.
extension Stream {
    private func addToOutbox() {
        guard !isInOutbox else { return }
        isInOutbox = true
        loop.flushQueue.add(self)
    }

    /// Adds the next bytes to the ring, if they are everything that is queued and need no encryption. `turnEnds` sends
    /// what does not join.
    ///
    /// - Returns: whether the ring may have room for more.
    func joins(_ ring: SendRing, as number: Int) -> Bool {
        guard state == .open || state == .finishing, !wire.isSecure, let frame = queue.loneFrame else { return true }
        return ring.add(wire.descriptor, frame, from: number)
    }

    /// Takes the outcome of a send through the ring: how many bytes went out, or a negative error number. `turnEnds`
    /// acts on it.
    func sent(_ outcome: Int) {
        if outcome > 0 {
            queue.advance(by: outcome)
            lastProgress = loop.now
        } else if outcome != -Int(EAGAIN) {
            sendFailure = Int32(clamping: -outcome)
        }
    }

    /// Sends what the connection has; the flush queue calls it at the end of the turn.
    func turnEnds() {
        isInOutbox = false
        flush()
    }

    /// Sends until the queue is empty or the kernel takes no more.
    private func flush() {
        guard state == .open || state == .finishing else { return }
        guard sendFailure == 0 else { return close(.failed(TransportError("send", code: sendFailure))) }
        while let attempt = queue.withNextBytes(scratch: loop.scratch.output, { ($0.count, wire.send($0)) }) {
            switch attempt {
            case (let offered, .moved(let count)):
                queue.advance(by: count)
                lastProgress = loop.now
                if count < offered { return holdBack() }
            case (_, .blocked), (_, .ended): return holdBack()
            case (_, .failed(let error)): return close(.failed(error))
            }
        }
        cancelDeadline()
        if state == .finishing {
            handler?.backlogChanged()
            return linger()
        }
        handler?.drained()
    }

    private func holdBack() {
        watchForStall()
        handler?.backlogChanged()
    }

    private func linger() {
        wire.endSending()
        state = .lingering(left: wire.unacknowledged)
        if input == .ended { closeIfDelivered() }
        guard state != .closed else { return }
        watchDelivery()
        if hasInput || hasPeerEnded { scheduleRead() }
    }

    private func watchDelivery() {
        deadline = loop.schedule(after: lingerTime) { [unowned self] in
            // The timer is cancelled when the stream closes, and the loop holds the stream until then.
            deadline = nil
            checkDelivery()
        }
    }

    /// Closes unless the reader still takes bytes: one that does gets everything the kernel has for it, however slowly.
    private func checkDelivery() {
        guard case .lingering(let before) = state else { return }
        let left = wire.unacknowledged
        if left < before { lastProgress = loop.now }
        guard left > Stream.end, loop.now < lastProgress + stallTime.duration else { return close(.local) }
        state = .lingering(left: left)
        watchDelivery()
    }

    private func closeIfDelivered() {
        if wire.unacknowledged <= Stream.end { close(.local) }
    }

    private func watchForStall() {
        guard deadline == nil, let due = stallDue() else { return }
        deadline = loop.schedule(at: due) { [unowned self] in
            deadline = nil
            checkStall()
        }
    }

    private func checkStall() {
        guard let due = stallDue() else { return }
        guard due <= loop.now else { return watchForStall() }
        if state == .finishing { return abort() }
        handler?.stalled()
    }

    private func stallDue() -> MonotonicInstant? {
        guard let oldest = queue.oldest else { return nil }
        switch writeDeadline {
        case .perFrame(let limit): return oldest + limit
        case .progress(let limit): return lastProgress + limit
        }
    }
}

// Closing.
extension Stream {
    private func cancelDeadline() {
        guard let deadline else { return }
        loop.cancel(deadline)
        self.deadline = nil
    }

    private func closeBroken() {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(wire.descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        // Both directions have ended, but what we sent may not have been acknowledged completely.
        if case .lingering = state, code == 0 { return closeIfDelivered() }
        close(.failed(TransportError("connection", code: code)))
    }

    private func close(_ reason: CloseReason) {
        guard state != .closed else { return }
        if reason == .local, wire.unacknowledged > Stream.end { wire.willReset() }
        state = .closed
        input = .ended
        cancelDeadline()
        queue = WriteQueue()
        loop.remove(wire.descriptor)
        wire.close()
        let last = handler
        handler = nil
        last?.closed(reason)
    }
}
