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
        try self.init(bytes: Array(text.utf8)[...])
    }

    init(bytes: ArraySlice<UInt8>) throws(RequestFault) {
        for byte in bytes where byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") { throw .target }
        description = String(decoding: bytes, as: UTF8.self)
        guard bytes.first == UInt8(ascii: "/") else {
            guard bytes.count == 1, bytes.first == UInt8(ascii: "*") else { throw .target }
            segments = []
            query = []
            return
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        segments = try Target.segments(bytes[(bytes.startIndex + 1)..<mark])
        query = mark < bytes.endIndex ? try Target.items(bytes[(mark + 1)...]) : []
    }

    private static func segments(_ path: ArraySlice<UInt8>) throws(RequestFault) -> [String] {
        guard !path.isEmpty else { return [] }
        var segments: [String] = []
        segments.reserveCapacity(8)
        var start = path.startIndex
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            segments.append(try decode(path[start..<index], plusIsBlank: false))
            start = index + 1
        }
        segments.append(try decode(path[start...], plusIsBlank: false))
        return segments
    }

    private static func items(_ query: ArraySlice<UInt8>) throws(RequestFault) -> [QueryItem] {
        var items: [QueryItem] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = equals < part.endIndex ? part[(equals + 1)...] : []
            items.append(
                QueryItem(
                    name: try decode(part[..<equals], plusIsBlank: true),
                    value: try decode(value, plusIsBlank: true)))
        }
        return items
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool) throws(RequestFault) -> String {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        guard bytes.contains(where: { $0 == percent || (plusIsBlank && $0 == plus) }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == percent {
                guard bytes.endIndex - index > 2, let high = Bytes.hexDigit(bytes[index + 1]),
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
