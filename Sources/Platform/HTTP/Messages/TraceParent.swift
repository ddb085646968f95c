/// Where a request stands in a distributed trace: the field `traceparent` of W3C Trace Context
/// (https://www.w3.org/TR/trace-context-1/#traceparent-header).
public struct TraceParent: Sendable, Equatable {
    /// The trace: 32 hexadecimal digits in lower case, not all of them 0.
    public let trace: String
    /// The caller's part of the trace: 16 hexadecimal digits in lower case, not all of them 0.
    public let parent: String

    /// Reads the field; `nil` if it does not follow the specification. Of versions after `00`, the fields of `00`
    /// count.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4 || parts.count > 4 && parts[0] != "00",
            Self.isHexadecimal(parts[0], 2), parts[0] != "ff", Self.isHexadecimal(parts[3], 2)
        else { return nil }
        for (part, length) in zip(parts[1...2], [32, 16]) {
            guard Self.isHexadecimal(part, length), part.contains(where: { $0 != "0" }) else { return nil }
        }
        trace = String(parts[1])
        parent = String(parts[2])
    }

    /// What later versions may add is not read beyond this many bytes.
    private static let longest = 256

    private static func isHexadecimal(_ text: Substring, _ length: Int) -> Bool {
        text.utf8.count == length
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
