internal import CLinux
internal import Glibc

/// Accepts the connections of one listening socket on one loop.
///
/// States: *accepting* ⇄ *hungry* (out of descriptors or memory: the socket is not watched, and is tried again after a
/// while, so that the loop does not spin on a queue that it cannot empty) → *stopped*.
public final class Listener: Pollable {
    private enum State {
        case accepting
        case hungry(TimerToken)
        case stopped
    }

    /// Gives an accepted connection its handler; called on the loop.
    public typealias Accept = (Stream) -> Void

    private let socket: ListeningSocket
    private let loop: EventLoop
    private let identity: TLSIdentity?
    private let retryDelay: Duration
    private let accept: Accept
    private let onHunger: (TransportError?) -> Void
    private var state = State.accepting

    /// The most connections that are accepted in one turn.
    private static let perTurn = 64

    /// Starts accepting.
    ///
    /// - Parameters:
    ///   - identity: secures each connection; `nil` for plain connections.
    ///   - retryDelay: how long to wait when the process is out of descriptors or memory.
    ///   - onHunger: called with the error when accepting has to wait, and with `nil` when it continues.
    ///   - accept: called with each connection.
    public init(
        _ socket: ListeningSocket, on loop: EventLoop, securedBy identity: TLSIdentity? = nil,
        retryDelay: Duration = .milliseconds(100), onHunger: @escaping (TransportError?) -> Void = { _ in },
        accept: @escaping Accept
    ) throws(TransportError) {
        loop.checkIsolated()
        self.socket = socket
        self.loop = loop
        self.identity = identity
        self.retryDelay = retryDelay
        self.onHunger = onHunger
        self.accept = accept
        try loop.addSource(socket.descriptor, self)
    }

    /// Accepts the connections that are already queued, and then no more.
    public func stop() {
        switch state {
        case .accepting: while acceptOne() {}
        case .hungry(let timer): loop.cancel(timer)
        case .stopped: return
        }
        if case .hungry(let timer) = state { loop.cancel(timer) }
        state = .stopped
        loop.remove(socket.descriptor)
        socket.close()
    }

    func ready(_ readiness: Readiness) {
        for _ in 0..<Listener.perTurn {
            guard case .accepting = state, acceptOne() else { return }
        }
    }

    func loopStopped() { stop() }

    /// Accepts one connection; returns whether there may be another.
    private func acceptOne() -> Bool {
        var storage = sockaddr_storage()
        var length = UInt32(MemoryLayout<sockaddr_storage>.size)
        let descriptor = clinux_accept(socket.descriptor, &storage, &length)
        guard descriptor >= 0 else { return acceptFailed(errno) }
        guard let peer = SocketAddress(storage) else {
            _ = close(descriptor)
            return true
        }
        do throws(TransportError) {
            // Frames are combined before they are sent, so holding back the last piece would gain nothing.
            try enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), descriptor)
            let wire =
                if let identity { Wire.secure(try identity.secure(descriptor)) } else {
                    Wire.plain(Socket(descriptor: descriptor))
                }
            accept(try Stream(wire, peer: peer, loop: loop))
        } catch {
            _ = close(descriptor)
        }
        return true
    }

    private func acceptFailed(_ code: Int32) -> Bool {
        switch code {
        case EAGAIN, EWOULDBLOCK: return false
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            starve(TransportError("accept4", code: code))
            return false
        // The connection that was to be accepted is gone; the next one may be fine.
        default: return code == EINTR || code == ECONNABORTED || code == EPROTO
        }
    }

    private func starve(_ error: TransportError) {
        loop.setSource(socket.descriptor, isWatched: false)
        onHunger(error)
        state = .hungry(
            loop.schedule(after: retryDelay) { [unowned self] in
                // The timer is cancelled when the listener stops, and the loop holds the listener until then.
                state = .accepting
                loop.setSource(socket.descriptor, isWatched: true)
                onHunger(nil)
            })
    }
}
