/// The target of a request: a path of decoded segments and the items of its query.
///
/// Only well-formed targets exist: their escapes are complete and decode to UTF-8 without NUL. A target keeps the bytes
/// that were sent, which it may share with the rest of a request's head, and decodes segments when they are needed.
public struct Target: Sendable, CustomStringConvertible {
    /// One `name=value` of a query.
    public struct QueryItem: Hashable, Sendable {
        /// The text before the first `=`.
        public let name: String
        /// The text after it; empty if there is none.
        public let value: String

        /// Creates an item from decoded text.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The results of checking a target's bytes.
    struct Shape {
        /// The length of the path, in bytes.
        fileprivate let pathCount: Int
        /// Whether the path has percent-escapes such as `%41`.
        fileprivate let hasEscapes: Bool
        fileprivate let query: [QueryItem]
    }

    private let bytes: [UInt8]
    /// How many of the first `bytes` are path and query.
    private let count: Int
    private let shape: Shape

    /// The path and query as they were sent.
    public var description: String { bytes.span.extracting(..<count).text }

    /// The query's items in order; `+` and `%20` are both a blank.
    public var query: [QueryItem] { shape.query }

    /// Whether the target is `*`, which means the server as a whole.
    public var isAsterisk: Bool { bytes.first == UInt8(ascii: "*") }

    /// Returns the value of the first query item with this name.
    public func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Reads `/path?query` or `*`.
    ///
    /// - Throws: `RequestFault.target` for anything else, a bad escape, NUL, bytes that are not UTF-8, a fragment, or
    ///   bytes that are not visible ASCII.
    public init(_ text: String) throws(RequestFault) {
        let bytes = Array(text.utf8)
        self.init(try Shape(of: bytes.span), first: bytes.count, of: bytes)
    }

    /// Takes a target that was checked; it is the first `count` bytes of `bytes`.
    init(_ shape: Shape, first count: Int, of bytes: [UInt8]) {
        self.bytes = bytes
        self.count = count
        self.shape = shape
    }
}

extension Target: Hashable {
    /// Returns whether both were sent as the same bytes.
    public static func == (left: Target, right: Target) -> Bool {
        left.bytes[..<left.count] == right.bytes[..<right.count]
    }

    /// Hashes the path and query as they were sent.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes[..<count]) }
}

// The path, segment by segment: `/a%20b/c` has "a b" and "c", `/` has none, and the last one of `/a/` is empty.
// Segments are decoded after splitting, so one may contain a slash; dots have no meaning here.
extension Target {
    /// The decoded parts between slashes.
    public var segments: [String] {
        var segments: [String] = []
        var next = firstSegment
        while let segment = next {
            segments.append(text(of: segment))
            next = self.segment(after: segment)
        }
        return segments
    }

    /// The range of the first segment; `nil` if there is none.
    var firstSegment: Range<Int>? {
        shape.pathCount > 1 ? segment(from: 1) : nil
    }

    /// Returns the range of the segment after another; `nil` after the last.
    func segment(after segment: Range<Int>) -> Range<Int>? {
        segment.upperBound < shape.pathCount ? self.segment(from: segment.upperBound + 1) : nil
    }

    /// Returns a segment, decoded.
    func text(of segment: Range<Int>) -> String {
        let written = bytes.span.extracting(segment)
        guard shape.hasEscapes else { return written.text }
        // Decoding cannot fail, because the target was checked.
        return (try? Target.decode(written, plusIsBlank: false)) ?? ""
    }

    /// Returns whether a segment, decoded, equals `word`.
    func spells(_ segment: Range<Int>, _ word: [UInt8]) -> Bool {
        guard !shape.hasEscapes else { return text(of: segment).utf8.elementsEqual(word) }
        return segment.count == word.count && bytes[segment].elementsEqual(word)
    }

    private func segment(from start: Int) -> Range<Int> {
        var end = start
        while end < shape.pathCount, bytes[end] != UInt8(ascii: "/") { end += 1 }
        return start..<end
    }
}

extension Target.Shape {
    /// Checks the bytes of a target; throws `RequestFault.target`.
    init(of bytes: Span<UInt8>) throws(RequestFault) {
        var mark = bytes.count
        var hasEscapes = false
        for index in bytes.indices {
            let byte = bytes[index]
            if byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") { throw .target }
            if byte == UInt8(ascii: "?"), mark == bytes.count { mark = index }
            if byte == UInt8(ascii: "%"), mark == bytes.count { hasEscapes = true }
        }
        self.hasEscapes = hasEscapes
        pathCount = mark
        guard bytes.starts(with: "/") else {
            guard bytes.count == 1, bytes[0] == UInt8(ascii: "*") else { throw .target }
            query = []
            return
        }
        if hasEscapes { try Self.checkEscapes(bytes.extracting(1..<mark)) }
        query = mark < bytes.count ? try Self.items(bytes.extracting((mark + 1)...)) : []
    }

    private static func checkEscapes(_ path: Span<UInt8>) throws(RequestFault) {
        var start = 0
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            _ = try Target.decode(path.extracting(start..<index), plusIsBlank: false)
            start = index + 1
        }
        _ = try Target.decode(path.extracting(start...), plusIsBlank: false)
    }

    private static func items(_ query: Span<UInt8>) throws(RequestFault) -> [Target.QueryItem] {
        var items: [Target.QueryItem] = []
        var start = 0
        while start < query.count {
            var end = start
            while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
            if end > start { items.append(try item(query.extracting(start..<end))) }
            start = end + 1
        }
        return items
    }

    private static func item(_ part: Span<UInt8>) throws(RequestFault) -> Target.QueryItem {
        var equals = 0
        while equals < part.count, part[equals] != UInt8(ascii: "=") { equals += 1 }
        return Target.QueryItem(
            name: try Target.decode(part.extracting(..<equals), plusIsBlank: true),
            value: equals < part.count ? try Target.decode(part.extracting((equals + 1)...), plusIsBlank: true) : "")
    }
}

extension Target {
    fileprivate static func decode(_ bytes: Span<UInt8>, plusIsBlank: Bool) throws(RequestFault) -> String {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        var index = 0
        while index < bytes.count, bytes[index] != percent, !(plusIsBlank && bytes[index] == plus) { index += 1 }
        guard index < bytes.count else { return bytes.text }
        var decoded = bytes.extracting(..<index).array
        while index < bytes.count {
            let byte = bytes[index]
            if byte == percent {
                guard bytes.count - index > 2, let high = Bytes.hexDigit(bytes[index + 1]),
                    let low = Bytes.hexDigit(bytes[index + 2]), high | low != 0
                else { throw .target }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(plusIsBlank && byte == plus ? Bytes.space : byte)
                index += 1
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .target }
        return text
    }
}
