private import Glibc
public import Threads

/// The destination of log lines, and their form.
public struct LogOutput: Sendable {
    /// The form of a line.
    public enum Form: Sendable {
        /// One JSON object per line, for machines.
        case json
        /// Words and `name=value` pairs, for people.
        case plain

        func bytes(of line: LogLine, at time: String) -> [UInt8] {
            self == .json ? line.json(at: time) : line.plain(at: time)
        }
    }

    private enum Destination: Sendable {
        case sink(@Sendable ([UInt8]) -> Void)
        case writer(LogWriter)
    }

    private let form: Form
    private let time: @Sendable () -> String
    private let destination: Destination

    /// Sends lines to `sink`, which is called from any thread with one whole line at a time and must not block.
    public init(form: Form, time: @escaping @Sendable () -> String, sink: @escaping @Sendable ([UInt8]) -> Void) {
        self.form = form
        self.time = time
        destination = .sink(sink)
    }

    /// Writes lines to a descriptor on a thread of its own, so that a log that is not read holds up no other thread.
    ///
    /// Lines that do not fit into the thread's queue are dropped; as soon as there is room again, the log reports how
    /// many.
    ///
    /// - Parameters:
    ///   - descriptor: must stay open while anything is logged.
    ///   - lines: how many lines may wait to be written.
    ///   - bytes: how many bytes the waiting lines may have in total.
    /// - Throws: ``ThreadError`` if the system cannot start a thread.
    public init(
        descriptor: Int32, form: Form, lines: Int = 4_096, bytes: Int = 1 << 20,
        time: @escaping @Sendable () -> String
    ) throws(ThreadError) {
        self.form = form
        self.time = time
        let writer = try LogWriter(descriptor: descriptor, lines: lines, bytes: bytes) { count in
            let fields = [LogField(name: "lines", value: .integer(count))]
            return form.bytes(of: LogLine(level: .warning, message: "lines were dropped", fields: fields), at: time())
        }
        destination = .writer(writer)
    }

    /// Returns the output to standard error: for people if that is a terminal, otherwise for machines.
    public static func standardError(time: @escaping @Sendable () -> String) throws(ThreadError) -> LogOutput {
        try LogOutput(descriptor: STDERR_FILENO, form: isatty(STDERR_FILENO) == 1 ? .plain : .json, time: time)
    }

    /// How many lines were dropped, or could not be written.
    public var droppedLines: Int { if case .writer(let writer) = destination { writer.dropped } else { 0 } }

    /// Stops accepting lines, and returns when the waiting ones are written or the time is over.
    public func close(within time: Duration) async {
        if case .writer(let writer) = destination { await writer.close(within: time) }
    }

    func write(_ line: LogLine) {
        let bytes = form.bytes(of: line, at: time())
        switch destination {
        case .sink(let sink): sink(bytes)
        case .writer(let writer): writer.write(bytes)
        }
    }
}
