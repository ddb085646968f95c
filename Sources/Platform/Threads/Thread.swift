internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread of the system that runs one closure and can be waited for.
///
/// Swift's own pool has one thread per core, which must never wait for a disk or another process, or compute for long.
/// Such work runs on a thread of this kind, and so does every event loop.
public final class Thread: Sendable {
    private enum State {
        case running(waiting: [CheckedContinuation<Void, Never>])
        case ended
    }

    /// The state that the thread shares with those who wait for it.
    private final class Course: Sendable {
        let state = Mutex(State.running(waiting: []))

        func end() {
            let waiting = state.withLock { state in
                defer { state = .ended }
                if case .running(let waiting) = state { return waiting }
                return []
            }
            for continuation in waiting { continuation.resume() }
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    guard case .running(let waiting) = state else { return true }
                    state = .running(waiting: waiting + [continuation])
                    return false
                }
                if hasEnded { continuation.resume() }
            }
        }
    }

    /// What the new thread gets.
    private final class Start {
        let name: String
        let niceness: Int32
        let course: Course
        var body: (() -> Void)?

        init(_ name: String, _ niceness: Int32, _ course: Course, _ body: @escaping () -> Void) {
            self.name = name
            self.niceness = niceness
            self.course = course
            self.body = body
        }
    }

    /// The niceness of work that gives way to all other threads.
    public static let lowestPriority: Int32 = 19

    private let course = Course()
    private let identifier: pthread_t
    private let isJoined = Atomic(false)

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: the name that tools show; the system keeps the first 15 bytes.
    ///   - niceness: how far it gives way to other threads, 0 to 19; without effect if the system refuses.
    ///   - stackSize: the size of the stack in bytes; `nil` for the system's usual size.
    ///   - body: the code that it runs, which is released before `join` returns.
    /// - Throws: ``ThreadError`` if the system cannot start a thread.
    public init(
        _ name: String, niceness: Int32 = 0, stackSize: Int? = nil, _ body: sending @escaping () -> Void
    ) throws(ThreadError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize, pthread_attr_setstacksize(&attributes, stackSize) != 0 {
            throw ThreadError(number: EINVAL)
        }
        // The new thread takes over this reference; if there is no thread, it is released here. `pthread_create` orders
        // what is written before it and what the thread reads.
        let start = Unmanaged.passRetained(Start(name, niceness, course, body))
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, { Thread.main($0) }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw ThreadError(number: result)
        }
        identifier = thread
    }

    // A thread that was not joined runs on until it ends by itself.
    deinit { if !isJoined.load(ordering: .relaxed) { pthread_detach(identifier) } }

    /// Whether the calling thread is this one.
    public var isCurrent: Bool {
        !isJoined.load(ordering: .relaxed) && pthread_equal(pthread_self(), identifier) != 0
    }

    /// Returns when the thread has ended. Must not be called on the thread itself.
    public func join() async {
        await course.wait()
        // The thread is about to exit, so this does not hold up the caller.
        joinByBlocking()
    }

    /// Blocks the calling thread until this one has ended. Only one caller may do so, and no task.
    public func joinByBlocking() {
        if !isJoined.exchange(true, ordering: .relaxed) { pthread_join(identifier, nil) }
    }

    private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        clinux_name_thread(start.name)
        // On Linux the priority is the calling thread's own; without permission it stays as it is.
        if start.niceness != 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, start.niceness) }
        start.body?()
        start.body = nil
        start.course.end()
        return nil
    }
}

/// The error of a system that cannot start a thread.
public struct ThreadError: Error, Equatable, CustomStringConvertible {
    /// The error number, as in `errno`.
    public let number: Int32

    /// The refusal in words.
    public var description: String { "cannot start a thread: \(String(cString: strerror(number)))" }
}
