/// Turns the bytes of one connection into requests: strict, incremental and bounded.
///
/// States: request line → header lines → *request*, or with a body *head* (waits for `acceptBody`) → body → *request* →
/// request line … After a fault, `next` throws it every time, because the start of the next request is unknown. The
/// events depend on the bytes alone, never on how they were cut into pieces.
///
/// ```swift
/// parser.feed(bytes)
/// while let event = try parser.next() {
///     switch event {
///     case .head(let head): try parser.acceptBody(upTo: limit(for: head))
///     case .request(let head, let body): answer(head, body)
///     }
/// }
/// ```
public struct RequestParser: Sendable {
    /// The limits on the parts of a head.
    public struct Limits: Sendable {
        /// Bytes of the request line.
        public var requestLine = 8 * 1024
        /// Bytes of all header lines, and of all trailer lines.
        public var headers = 32 * 1024
        /// How many header lines, and how many trailer lines.
        public var headerCount = 100

        /// Creates the default limits: 8 KiB, 32 KiB, 100.
        public init() {}
    }

    /// A part of the input that is complete.
    public enum Event: Sendable, Equatable {
        /// The head of a request with a body; nothing more is read until `acceptBody` sets the limit of the body.
        case head(RequestHead)
        /// The whole request.
        case request(RequestHead, body: [UInt8])
    }

    private enum State {
        case requestLine
        case headers(HeadBuilder, HeaderBudget)
        case head(RequestHead)
        case fixedBody(RequestHead, length: Int)
        case chunkedBody(RequestHead, ChunkDecoder)
        case failed(RequestFault)
    }

    private let limits: Limits
    private var state = State.requestLine
    private var input = InputBuffer()
    private var body: [UInt8] = []

    /// Creates a parser for a new connection.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Bytes that were fed and not yet parsed.
    public var bufferedBytes: Int { input.count }

    /// Bytes of memory that are held for the input.
    public var heldBytes: Int { input.capacity + body.capacity }

    /// Whether no byte of the next request has arrived.
    public var isBetweenRequests: Bool {
        if case .requestLine = state { input.isEmpty } else { false }
    }

    /// Whether the head is complete and the body is still coming.
    public var isReadingBody: Bool {
        switch state {
        case .fixedBody, .chunkedBody: true
        case .requestLine, .headers, .head, .failed: false
        }
    }

    /// The head of the request whose body is coming; `nil` if there is none.
    public var head: RequestHead? {
        switch state {
        case .head(let head), .fixedBody(let head, _), .chunkedBody(let head, _): head
        case .requestLine, .headers, .failed: nil
        }
    }

    /// Adds received bytes.
    public mutating func feed(_ bytes: Span<UInt8>) {
        input.append(bytes)
    }

    /// Sets how many bytes the body of the head just reported may have.
    ///
    /// - Throws: `RequestFault.bodyTooLarge` if the head announces more; for a chunked body, `next` throws it.
    public mutating func acceptBody(upTo limit: Int) throws(RequestFault) {
        guard case .head(let head) = state else { return }
        switch head.framing {
        case .length(let length) where length > limit:
            throw fail(.bodyTooLarge(limit: limit))
        case .length(let length):
            state = .fixedBody(head, length: length)
            body.reserveCapacity(min(length, 64 * 1024))
        case .chunked:
            let budget = HeaderBudget(bytes: limits.headers, count: limits.headerCount)
            state = .chunkedBody(head, ChunkDecoder(limit: limit, trailers: budget))
        }
    }

    /// Returns the next event, or `nil` if it needs more bytes.
    public mutating func next() throws(RequestFault) -> Event? {
        do throws(RequestFault) {
            return try advance()
        } catch {
            throw fail(error)
        }
    }

    /// Returns what was fed after the last request and empties the parser; for a connection that is upgraded.
    public mutating func takeRemainder() -> [UInt8] {
        input.takeAll()
    }

    private mutating func fail(_ fault: RequestFault) -> RequestFault {
        state = .failed(fault)
        _ = input.takeAll()
        body = []
        return fault
    }

    private mutating func advance() throws(RequestFault) -> Event? {
        while true {
            switch state {
            case .requestLine:
                guard var builder = try readRequestLine() else { return nil }
                var budget = HeaderBudget(bytes: limits.headers, count: limits.headerCount)
                return try readHeaders(&builder, &budget)
            case .headers(var builder, var budget):
                state = .requestLine  // the builder's buffers have one owner while lines are added
                return try readHeaders(&builder, &budget)
            case .head:
                return nil
            case .fixedBody(let head, let length):
                input.move(upTo: length - body.count, to: &body)
                return body.count == length ? finish(head) : nil
            case .chunkedBody(let head, var decoder):
                let isDone = try decoder.decode(&input, into: &body)
                state = .chunkedBody(head, decoder)
                return isDone ? finish(head) : nil
            case .failed(let fault):
                throw fault
            }
        }
    }

    private mutating func readRequestLine() throws(RequestFault) -> HeadBuilder? {
        while true {
            switch input.line(upTo: limits.requestLine) {
            case .incomplete: return nil
            case .tooLong: throw .requestLineTooLong
            case .bareLineFeed: throw .requestLine
            case .line(let range) where range.isEmpty && !input.hasSkippedEmptyLine:
                // One empty line before a request is tolerated (RFC 9112, 2.2): old clients end bodies with one.
                input.hasSkippedEmptyLine = true
            case .line(let range):
                input.hasSkippedEmptyLine = false
                return try HeadBuilder(
                    requestLine: input.bytes.span.extracting(range), roomFor: min(input.count, limits.headers))
            }
        }
    }

    private mutating func readHeaders(
        _ builder: inout HeadBuilder, _ budget: inout HeaderBudget
    ) throws(RequestFault) -> Event? {
        while true {
            switch input.line(upTo: budget.bytes) {
            case .incomplete:
                state = .headers(builder, budget)
                return nil
            case .tooLong: throw .headersTooLarge
            case .bareLineFeed: throw .headerField
            case .line(let range) where range.isEmpty:
                let head = try builder.finish()
                guard head.hasBody else { return finish(head) }
                state = .head(head)
                return .head(head)
            case .line(let range):
                try budget.spend(range.count)
                try builder.add(line: input.bytes.span.extracting(range))
            }
        }
    }

    private mutating func finish(_ head: RequestHead) -> Event {
        state = .requestLine
        let whole = body
        body = []
        input.compact()
        return .request(head, body: whole)
    }
}

extension RequestParser {
    /// Adds received bytes.
    public mutating func feed(_ bytes: [UInt8]) { feed(bytes.span) }
}
