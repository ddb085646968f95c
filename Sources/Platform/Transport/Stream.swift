internal import Glibc

/// One connection of one loop: bytes in to its handler, frames out through a queue.
///
/// States: *open* → *finishing* (`finish`: what is queued goes out first) → *lingering* (our end is sent; what still
/// comes is thrown away, so that the last response is not destroyed by a reset; it lasts until the other end has all
/// and has closed too, or takes nothing for as long as a reader may stall) → *closed*. From any of them `abort` leads to
/// *closed*. What a reader has not taken by then is dropped, here and in the kernel.
///
/// Stream and handler hold each other until the connection is closed, and the loop holds the stream; `closed` lets go
/// of all of it.
public final class Stream: Pollable {
    private enum State: Equatable {
        case open
        case finishing
        /// So many bytes were not acknowledged when that was last looked at.
        case lingering(left: Int)
        case closed
    }

    private enum Input {
        case flowing
        case paused
        case ended
    }

    /// What the end of sending counts for among the bytes that are not acknowledged.
    private static let end = 1

    /// The loop that serves it.
    public let loop: EventLoop
    /// The address at the other end.
    public let peer: SocketAddress
    /// Whom it tells; may be replaced at any time.
    public var handler: (any StreamHandler)?
    private let wire: any Wire
    private var state = State.open
    private var input = Input.flowing
    /// The kernel may have bytes (or an end) that were not fetched: it tells of new ones only.
    private var hasInput = false
    private var hasPeerEnded = false
    private var isReadScheduled = false
    private var isInOutbox = false
    private var queue = WriteQueue()
    // There are very many streams: these are in the order in which they leave no gaps.
    private var deadline: TimerToken?
    private var isStallPerFrame = true
    private var stallTime = Microseconds(.seconds(10))
    private var lingering = Microseconds(.seconds(2))
    /// The error number of its last send with others; 0 if it did not fail.
    private var sendFailure: Int32 = 0

    init(_ wire: any Wire, peer: SocketAddress, loop: EventLoop, handler: (any StreamHandler)? = nil)
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

    /// How long the other end may take to close after we have finished and it has got everything.
    public var lingerTime: Duration {
        get { lingering.duration }
        set { lingering = Microseconds(newValue) }
    }

    /// Whether frames can still be written.
    public var isOpen: Bool { state == .open }

    /// Whether it is encrypted.
    public var isSecure: Bool { wire.isSecure }

    /// Whether `closed` was told.
    public var isClosed: Bool { state == .closed }

    /// Bytes written and not yet with the kernel.
    public var bufferedBytes: Int { queue.count }

    /// Memory held for bytes that are not yet with the kernel, not counting buffers that others share.
    public var heldBytes: Int { queue.heldBytes }

    /// When the kernel took something last, or something was written that did not have to wait.
    public private(set) var lastProgress: MonotonicInstant

    /// How long the oldest byte not yet with the kernel has waited.
    public var oldestUnsentAge: Duration? {
        guard let oldest = queue.oldest else { return nil }
        return loop.now - oldest
    }

    /// Queues a frame; it goes out at the end of the turn. The bytes are shared, not copied.
    ///
    /// - Parameter isShared: whether others keep these bytes as well, so that they cost nothing while they wait.
    public func write(_ bytes: [UInt8], isShared: Bool = false) {
        guard state == .open else { return }
        if queue.isEmpty { lastProgress = loop.now }
        queue.append(bytes, at: loop.now, isShared: isShared)
        addToOutbox()
    }

    /// Takes back the frames that have not begun to be sent or encrypted.
    public func dropUnsent() {
        queue.dropUnsent(behind: wire.committed)
    }

    /// Stops receiving: what comes waits in the kernel, and then at the sender.
    public func pauseReading() {
        if input == .flowing { input = .paused }
    }

    /// Goes on receiving.
    public func resumeReading() {
        guard input == .paused else { return }
        input = .flowing
        if hasInput || hasPeerEnded { scheduleRead() }
    }

    /// Sends what is queued, then the end, and closes when the other end has closed too or takes too long.
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
        // What one direction of an encrypted wire waits for may be the other's readiness.
        if readiness.isReadable || readiness.hasPeerEnded || wire.isSecure {
            hasInput = true
            read()
        }
        // What was written in this turn waits for its end; it is the rest of an earlier one that was waiting for room.
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
            // A short read has emptied the kernel's buffer, unless the end is behind it: then it is still to be read.
            hasInput = count == buffer.count || hasPeerEnded || wire.hasEnded
            if hasInput { scheduleRead() }
            if state == .open {
                let received = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                // The buffer is written to by `read` alone, and `read` is not entered while a handler runs.
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

    /// Reads on in the next turn, after the other connections had theirs.
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

    /// Puts the bytes to send next into the ring, if they are all there is and can be sent by anybody. What does not
    /// join is sent by `turnEnds`.
    ///
    /// - Returns: whether the ring may have room for more.
    func joins(_ ring: SendRing, as number: Int) -> Bool {
        guard state == .open || state == .finishing, !wire.isSecure, let frame = queue.loneFrame else { return true }
        return ring.add(wire.descriptor, frame, from: number)
    }

    /// Takes in what came of sending what joined the ring: how many bytes went out, or a negative error number. What follows
    /// from it is done by `turnEnds`.
    func sent(_ outcome: Int) {
        if outcome > 0 {
            queue.advance(by: outcome)
            lastProgress = loop.now
        } else if outcome != -Int(EAGAIN) {
            sendFailure = Int32(clamping: -outcome)
        }
    }

    /// The flush queue sends what the connection has.
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
            // Cancelled when the stream closes, and the loop holds the stream until then.
            deadline = nil
            checkDelivery()
        }
    }

    /// A reader that takes what the kernel has for it, however slowly, gets all of it.
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
        // Both ends are sent, but perhaps not all that is before ours.
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
