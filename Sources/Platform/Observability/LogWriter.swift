internal import Glibc
internal import Synchronization
internal import Threads

/// Writes lines to a descriptor on a thread of its own, so that a log that is not read holds up no other thread.
///
/// Lines that do not fit into its queue are dropped and counted. As soon as half of the queue is free again, the log
/// itself reports how many are missing.
final class LogWriter: Sendable {
    private let lines: WaitingLines
    private let thread: Thread
    private let end: (reached: AsyncStream<Void>, mark: AsyncStream<Void>.Continuation)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - descriptor: must stay open while the thread runs.
    ///   - lines: how many lines may wait.
    ///   - bytes: how many bytes the waiting lines may have in total.
    ///   - gap: makes the line that reports how many lines were dropped.
    init(
        descriptor: Int32, lines: Int, bytes: Int, gap: @escaping @Sendable (Int) -> [UInt8]
    ) throws(ThreadError) {
        let waiting = WaitingLines(lines: lines, bytes: bytes)
        let (reached, mark) = AsyncStream<Void>.makeStream()
        self.lines = waiting
        end = (reached, mark)
        thread = try Thread("log") {
            LogWriter.drain(waiting, into: descriptor, gap)
            mark.finish()
        }
    }

    deinit { lines.close() }

    /// How many lines were dropped, or could not be written.
    var dropped: Int { lines.dropped }

    /// Queues a line or drops it, without waiting; from any thread.
    func write(_ line: [UInt8]) { lines.put(line) }

    /// Stops accepting lines, and returns when the waiting ones are written or the time is over.
    func close(within time: Duration) async {
        lines.close()
        let limit = Task { [end] in
            try? await Task.sleep(for: time)
            end.mark.finish()
        }
        for await _ in end.reached {}
        limit.cancel()
    }

    private static func drain(_ lines: WaitingLines, into descriptor: Int32, _ gap: (Int) -> [UInt8]) {
        var told = 0
        func tell() {
            let dropped = lines.dropped
            if dropped > told, write(gap(dropped - told), to: descriptor) { told = dropped }
        }
        while let line = lines.next() {
            lines.settle(line, wasWritten: write(line, to: descriptor))
            if lines.isHalfFree { tell() }
        }
        tell()
    }

    /// Writes a line, waiting as long as the reader takes; returns whether all of it was written.
    private static func write(_ line: [UInt8], to descriptor: Int32) -> Bool {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, -1)
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// Lines that wait for the thread of the log, limited in number and bytes.
private final class WaitingLines: Sendable {
    private let queue: BlockingQueue<[UInt8]>
    private let bytes = Atomic(0)
    private let lost = Atomic(0)
    private let capacity: (lines: Int, bytes: Int)

    init(lines: Int, bytes: Int) {
        queue = BlockingQueue(capacity: lines)
        capacity = (lines, bytes)
    }

    var dropped: Int { lost.load(ordering: .relaxed) }

    var isHalfFree: Bool {
        queue.count <= capacity.lines / 2 && bytes.load(ordering: .relaxed) <= capacity.bytes / 2
    }

    func put(_ line: [UInt8]) {
        let waiting = bytes.wrappingAdd(line.count, ordering: .relaxed).newValue
        if waiting > capacity.bytes || !queue.push(line) { settle(line, wasWritten: false) }
    }

    func next() -> [UInt8]? { queue.next() }

    /// Subtracts a line from the count of waiting bytes; if it was not written, counts it as dropped.
    func settle(_ line: [UInt8], wasWritten: Bool) {
        bytes.wrappingSubtract(line.count, ordering: .relaxed)
        if !wasWritten { lost.wrappingAdd(1, ordering: .relaxed) }
    }

    func close() { queue.close() }
}
