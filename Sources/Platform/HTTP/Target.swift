/// What a request is about: a path of decoded segments and the items of its query.
///
/// Only well-formed targets exist: escapes are complete, decode to UTF-8 and hide no NUL.
public struct Target: Hashable, Sendable, CustomStringConvertible {
    /// One `name=value` of a query.
    public struct QueryItem: Hashable, Sendable {
        /// What stands before the first `=`.
        public let name: String
        /// What stands behind it; empty when there is none.
        public let value: String

        /// An item of decoded text.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path and query as they were sent.
    public let description: String
    /// The decoded parts between slashes: `/a%20b/c` is `["a b", "c"]`, `/` is empty, `/a/` ends in `""`.
    ///
    /// Decoded after splitting, so a segment may contain a slash; dots have no meaning here.
    public let segments: [String]
    /// The query's items in order; `+` and `%20` are both a blank.
    public let query: [QueryItem]

    /// Whether this is `*`, the server as a whole.
    public var isAsterisk: Bool { description == "*" }

    /// The value of the first query item with this name.
    public func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Reads `/path?query` or `*`.
    ///
    /// - Throws: `RequestFault.target` for anything else, a bad escape, NUL, bytes that are not UTF-8, a fragment, or
    ///   bytes that are not visible ASCII.
    public init(_ text: String) throws(RequestFault) {
        try self.init(bytes: Array(text.utf8).span)
    }

    init(bytes: Span<UInt8>) throws(RequestFault) {
        var mark = bytes.count
        for index in bytes.indices {
            let byte = bytes[index]
            if byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") { throw .target }
            if byte == UInt8(ascii: "?"), mark == bytes.count { mark = index }
        }
        description = bytes.text
        guard bytes.starts(with: "/") else {
            guard bytes.count == 1, bytes[0] == UInt8(ascii: "*") else { throw .target }
            segments = []
            query = []
            return
        }
        segments = try Target.segments(bytes.extracting(1..<mark))
        query = mark < bytes.count ? try Target.items(bytes.extracting((mark + 1)...)) : []
    }

    private static func segments(_ path: Span<UInt8>) throws(RequestFault) -> [String] {
        guard !path.isEmpty else { return [] }
        var segments: [String] = []
        segments.reserveCapacity(8)
        var start = 0
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            segments.append(try decode(path.extracting(start..<index), plusIsBlank: false))
            start = index + 1
        }
        segments.append(try decode(path.extracting(start...), plusIsBlank: false))
        return segments
    }

    private static func items(_ query: Span<UInt8>) throws(RequestFault) -> [QueryItem] {
        var items: [QueryItem] = []
        var start = 0
        while start < query.count {
            var end = start
            while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
            if end > start { items.append(try item(query.extracting(start..<end))) }
            start = end + 1
        }
        return items
    }

    private static func item(_ part: Span<UInt8>) throws(RequestFault) -> QueryItem {
        var equals = 0
        while equals < part.count, part[equals] != UInt8(ascii: "=") { equals += 1 }
        return QueryItem(
            name: try decode(part.extracting(..<equals), plusIsBlank: true),
            value: equals < part.count ? try decode(part.extracting((equals + 1)...), plusIsBlank: true) : "")
    }

    private static func decode(_ bytes: Span<UInt8>, plusIsBlank: Bool) throws(RequestFault) -> String {
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
