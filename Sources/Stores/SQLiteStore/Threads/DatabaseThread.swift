import Glibc

/// Threads for what may block; Swift's own pool has one thread a core and must never wait for a disk.
enum DatabaseThread {
    private final class Start {
        var body: (() -> Void)?
        let end: @Sendable () -> Void

        init(body: @escaping () -> Void, end: @escaping @Sendable () -> Void) {
            self.body = body
            self.end = end
        }
    }

    /// Runs `body` on a thread of its own, then lets go of all it captured, then calls `end`.
    static func start(
        _ body: sending @escaping () -> Void, end: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        // The box travels through C as a raw pointer: retained here, released by the new thread, touched by one of
        // them at a time because `pthread_create` orders the two.
        let box = Unmanaged.passRetained(Start(body: body, end: end))
        var thread = pthread_t()
        let result = pthread_create(&thread, nil, { DatabaseThread.run($0) }, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw SystemError(number: result, action: "start a thread")
        }
        pthread_detach(thread)
    }

    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        start.body?()
        start.body = nil
        start.end()
        return nil
    }
}

/// A refusal of the operating system.
struct SystemError: Error {
    /// `errno`.
    let number: Int32
    /// What was tried.
    let action: String

    var description: String { "cannot \(action): \(String(cString: strerror(number)))" }
}
