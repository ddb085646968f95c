public import GradingKit

extension JSON {
    /// Returns a JSON string, or `null` for `nil`.
    public static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
