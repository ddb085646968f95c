/// Decodes a chunked body (RFC 9112, section 7.1). Extensions and trailers are checked, limited and dropped.
struct ChunkDecoder {
    private enum State {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailers
    }

    /// The longest size line, in bytes: a number and, rarely, an extension, which is ignored.
    private static let longestSizeLine = 256
    /// The bytes allowed for all extensions of a body. They are ignored, so a body with many of them is an attack.
    private static let extensionAllowance = 4096

    private var state = State.size
    private var remainingBody: Int
    private var extensions = ChunkDecoder.extensionAllowance
    private let limit: Int
    private var trailers: HeaderBudget

    init(limit: Int, trailers: HeaderBudget) {
        self.limit = limit
        remainingBody = limit
        self.trailers = trailers
    }

    /// Decodes what `input` holds of the body into `body`.
    ///
    /// - Returns: whether the body is complete.
    mutating func decode(_ input: inout InputBuffer, into body: inout [UInt8]) throws(RequestFault) -> Bool {
        while true {
            switch state {
            case .size:
                guard let line = try line(&input, upTo: ChunkDecoder.longestSizeLine) else { return false }
                let size = try size(input.bytes[line])
                guard size <= remainingBody else { throw .bodyTooLarge(limit: limit) }
                remainingBody -= size
                state = size == 0 ? .trailers : .data(remaining: size)
            case .data(let remaining):
                let before = body.count
                input.move(upTo: remaining, to: &body)
                let left = remaining - (body.count - before)
                guard left == 0 else {
                    state = .data(remaining: left)
                    return false
                }
                state = .dataEnd
            case .dataEnd:
                guard let line = try line(&input, upTo: 0) else { return false }
                guard line.isEmpty else { throw .chunk }
                state = .size
            case .trailers:
                guard let isLast = try trailer(&input) else { return false }
                if isLast { return true }
            }
        }
    }

    private func line(_ input: inout InputBuffer, upTo limit: Int) throws(RequestFault) -> Range<Int>? {
        switch input.line(upTo: limit) {
        case .incomplete: return nil
        case .tooLong, .bareLineFeed: throw .chunk
        case .line(let range): return range
        }
    }

    /// Reads a trailer line. Returns whether it was the empty line at the end, or `nil` if no whole line has arrived.
    private mutating func trailer(_ input: inout InputBuffer) throws(RequestFault) -> Bool? {
        switch input.line(upTo: trailers.bytes) {
        case .incomplete: return nil
        case .tooLong: throw .headersTooLarge
        case .bareLineFeed: throw .headerField
        case .line(let range) where range.isEmpty: return true
        case .line(let range):
            try trailers.spend(range.count)
            _ = try HeadBuilder.field(input.bytes.span.extracting(range))
            return false
        }
    }

    /// Reads `1A` or `1A;extension`: the digits come first, without blanks, and the semicolon follows at once.
    private mutating func size(_ line: ArraySlice<UInt8>) throws(RequestFault) -> Int {
        var size = 0
        var index = line.startIndex
        while index < line.endIndex, let digit = Bytes.hexDigit(line[index]) {
            guard size <= Int.max >> 4 else { throw .chunk }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > line.startIndex else { throw .chunk }
        guard index < line.endIndex else { return size }
        guard line[index] == UInt8(ascii: ";"), line[index...].allSatisfy(Bytes.isFieldContent) else { throw .chunk }
        extensions -= line.endIndex - index
        guard extensions >= 0 else { throw .chunk }
        return size
    }
}
