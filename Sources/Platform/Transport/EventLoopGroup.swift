internal import CLinux
internal import Glibc
internal import Synchronization

/// The event loops of a process, each on a thread of its own: one per core, as nothing is shared between them.
public final class EventLoopGroup: Sendable {
    /// The loops, running.
    public let loops: [EventLoop]
    private let threads: [LoopThread]

    /// Starts so many loops, at least one.
    ///
    /// - Parameters:
    ///   - batchesSends: whether a turn's sends go to the kernel in one call (io_uring), where it lets them.
    ///   - makesWay: whether the loops leave the processor to all other threads.
    /// - Throws: `TransportError` when descriptors or threads run out; what was started has ended then.
    public init(count: Int, batchesSends: Bool = true, makesWay: Bool = false) throws(TransportError) {
        var started: [LoopThread] = []
        do throws(TransportError) {
            for _ in 0..<max(1, count) {
                started.append(try LoopThread(batchesSends: batchesSends, makesWay: makesWay))
            }
        } catch {
            for thread in started { thread.loop.stop() }
            throw error
        }
        threads = started
        loops = started.map(\.loop)
    }

    /// Ends the loops once the work they have is done, and waits until they have ended. Connections still open are
    /// closed. Not to be called on one of the loops.
    public func shutdown() async {
        for thread in threads { await thread.stop() }
    }

    /// As many loops as the process may use cores.
    public static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// A loop and the thread that runs it.
private final class LoopThread: Sendable {
    private enum State {
        case running
        case stopping([CheckedContinuation<Void, Never>])
        case stopped
    }

    let loop: EventLoop
    private let makesWay: Bool
    private let state = Mutex(State.running)

    init(batchesSends: Bool, makesWay: Bool) throws(TransportError) {
        self.makesWay = makesWay
        loop = try EventLoop(batchesSends: batchesSends)
        var thread = pthread_t()
        // The new thread takes over this reference; if there is none, it is taken back below.
        let reference = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, nil, LoopThread.main, reference.toOpaque())
        guard code == 0 else {
            reference.release()
            throw TransportError("pthread_create", code: code)
        }
        pthread_detach(thread)
    }

    func stop() async {
        loop.stop()
        await withCheckedContinuation { continuation in
            let isStopped = state.withLock { state in
                switch state {
                case .running: state = .stopping([continuation])
                case .stopping(let waiting): state = .stopping(waiting + [continuation])
                case .stopped: return true
                }
                return false
            }
            if isStopped { continuation.resume() }
        }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { reference in
        guard let reference else { return nil }
        // OpenSSL sends without MSG_NOSIGNAL: who has hung up is an error of one call, not a signal.
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, nil)
        Unmanaged<LoopThread>.fromOpaque(reference).takeRetainedValue().run()
        return nil
    }

    private func run() {
        if makesWay { _ = clinux_make_way() }
        loop.run()
        let waiting = state.withLock { state in
            defer { state = .stopped }
            if case .stopping(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
    }
}
