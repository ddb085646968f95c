private import Glibc
private import Synchronization

/// Where lines go, and in which form.
public struct LogOutput: Sendable {
    /// The form of a line.
    public enum Form: Sendable {
        /// A JSON object a line, for machines.
        case json
        /// Words and `name=value` pairs, for eyes.
        case plain
    }

    private let form: Form
    private let time: @Sendable () -> String
    private let sink: @Sendable ([UInt8]) -> Void

    /// Lines to `sink`, which is called from any thread with one whole line at a time.
    public init(form: Form, time: @escaping @Sendable () -> String, sink: @escaping @Sendable ([UInt8]) -> Void) {
        self.form = form
        self.time = time
        self.sink = sink
    }

    /// Standard error: for eyes when it is a terminal, else for machines.
    public static func standardError(time: @escaping @Sendable () -> String) -> LogOutput {
        let descriptor = DescriptorSink(descriptor: STDERR_FILENO)
        return LogOutput(form: isatty(STDERR_FILENO) == 1 ? .plain : .json, time: time) { descriptor.write($0) }
    }

    func write(_ line: LogLine) {
        sink(form == .json ? line.json(at: time()) : line.plain(at: time()))
    }
}

/// Writes whole lines to a descriptor, one at a time.
private final class DescriptorSink: Sendable {
    private let descriptor: Mutex<Int32>

    init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    /// A line that cannot be written is lost: there is nowhere to say so.
    func write(_ line: [UInt8]) {
        descriptor.withLock { descriptor in
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}
