public import GradingKit

extension JSON {
    /// A string, or `null`.
    public static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
