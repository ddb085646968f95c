import Glibc

/// Does work on a thread whose stack is half as large as that of a server's thread, and ends the process where it does not
/// suffice. Frames of a debug build are several times as large as those that the server has.
enum SmallStack {
    /// Half of what a thread has by default.
    static let size = 4 << 20

    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    static func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_setstacksize(&attributes, size)
            var thread = pthread_t()
            let start = Unmanaged.passRetained(Work(body))
            let result = pthread_create(
                &thread, &attributes,
                { argument in
                    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                    return nil
                }, start.toOpaque())
            if result == 0 { pthread_join(thread, nil) } else { start.release() }
        }
    }
}
