internal import CLinux
internal import Glibc
internal import Threads

/// The event loops of a process, each on a thread of its own: one per core, because they share nothing.
public final class EventLoopGroup: Sendable {
    /// The running loops.
    public let loops: [EventLoop]
    private let threads: [LoopThread]

    /// Starts `count` loops, at least one.
    ///
    /// - Parameters:
    ///   - batchesSends: whether the sends of a turn go to the kernel in one call (io_uring), if the kernel allows it.
    /// - Throws: `TransportError` if descriptors or threads run out; loops that were already started end.
    public init(count: Int, batchesSends: Bool = true) throws(TransportError) {
        var started: [LoopThread] = []
        do throws(TransportError) {
            for number in 1...max(1, count) {
                started.append(try LoopThread(number, batchesSends: batchesSends))
            }
        } catch {
            for thread in started { thread.loop.stop() }
            throw error
        }
        threads = started
        loops = started.map(\.loop)
    }

    /// Ends the loops once the work they have is done, and returns when they have ended. Connections that are still
    /// open are closed. Must not be called on one of the loops.
    public func shutdown() async {
        for thread in threads { await thread.stop() }
    }

    /// The number of cores that the process may use.
    public static var coreCount: Int { max(1, Int(clinux_usable_cores())) }
}

/// A loop and the thread that runs it.
private struct LoopThread: Sendable {
    let loop: EventLoop
    private let thread: Thread

    init(_ number: Int, batchesSends: Bool) throws(TransportError) {
        let loop = try EventLoop(batchesSends: batchesSends)
        self.loop = loop
        do throws(ThreadError) {
            thread = try Thread("loop \(number)") {
                LoopThread.blockPipeSignals()
                loop.run()
            }
        } catch {
            throw TransportError("pthread_create", code: error.number)
        }
    }

    func stop() async {
        loop.stop()
        await thread.join()
    }

    /// Blocks SIGPIPE. OpenSSL sends without MSG_NOSIGNAL, and a peer that has hung up must cause an error of one call,
    /// not a signal.
    private static func blockPipeSignals() {
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, nil)
    }
}
