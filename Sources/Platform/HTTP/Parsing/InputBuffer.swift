/// Bytes received and not yet consumed, read line by line or in runs. The search for a line's end looks at no byte
/// twice.
struct InputBuffer {
    /// The result of ``line(upTo:)``.
    enum Line {
        /// No line end yet.
        case incomplete
        /// No line end within the limit.
        case tooLong
        /// A line that ends in LF alone.
        case bareLineFeed
        /// A line, without its end, as a range of `bytes`; it is consumed.
        case line(Range<Int>)
    }

    private(set) var bytes: [UInt8] = []
    private var start = 0
    private var scanned = 0
    /// Whether the one empty line that is allowed before a request has come.
    var hasSkippedEmptyLine = false

    var count: Int { bytes.count - start }
    var capacity: Int { bytes.capacity }
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ more: Span<UInt8>) {
        compact()
        more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Consumes one line of at most `limit` bytes.
    mutating func line(upTo limit: Int) -> Line {
        guard let end = endOfLine() else {
            // A carriage return at the end may belong to the line end.
            let length = count - (bytes.last == Bytes.carriageReturn && !isEmpty ? 1 : 0)
            return length > limit ? .tooLong : .incomplete
        }
        guard end > start, bytes[end - 1] == Bytes.carriageReturn else {
            return end - start > limit ? .tooLong : .bareLineFeed
        }
        guard end - 1 - start <= limit else { return .tooLong }
        let range = start..<(end - 1)
        start = end + 1
        scanned = start
        return .line(range)
    }

    /// Moves at most `limit` bytes to the end of `target`.
    mutating func move(upTo limit: Int, to target: inout [UInt8]) {
        let end = start + min(count, limit)
        target.append(contentsOf: bytes[start..<end])
        start = end
        scanned = max(scanned, start)
    }

    /// Consumes and returns one byte; `nil` if there is none.
    mutating func byte() -> UInt8? {
        guard start < bytes.count else { return nil }
        defer {
            start += 1
            scanned = max(scanned, start)
        }
        return bytes[start]
    }

    /// Empties the buffer and returns its bytes.
    mutating func takeAll() -> [UInt8] {
        let rest = Array(bytes[start...])
        self = InputBuffer()
        return rest
    }

    /// Drops the consumed bytes. That is cheap if all bytes are consumed, as after a request that came alone.
    mutating func compact() {
        guard start > 0 else { return }
        if start == bytes.count {
            // A connection that waits for its next request should not keep the buffer of a long body.
            bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        } else if start >= 4096 || start > bytes.count / 2 {
            bytes.removeSubrange(..<start)
        } else {
            return
        }
        scanned -= start
        start = 0
    }

    private mutating func endOfLine() -> Int? {
        while scanned < bytes.count {
            if bytes[scanned] == Bytes.lineFeed { return scanned }
            scanned += 1
        }
        return nil
    }
}
