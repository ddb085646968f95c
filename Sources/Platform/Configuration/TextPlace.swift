/// A place in a text as editors show it.
public struct TextPlace: Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The character in the line, from 1.
    public let column: Int

    /// Finds the place of a byte; an offset beyond the end gives the end.
    public init(of offset: Int, in text: [UInt8]) {
        let before = text.prefix(max(0, offset))
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        column = 1 + String(decoding: before[start...], as: UTF8.self).count
    }

    /// `line 3, column 14`.
    public var description: String { "line \(line), column \(column)" }
}
