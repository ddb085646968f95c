import GradingKit

extension Language {
    /// Picks the best language that a client accepts; `nil` if it accepts none that the server speaks.
    ///
    /// Source: RFC 9110, 12.5.4. Of equal weights the first wins; a weight of 0 excludes a language.
    init?(accepting header: String?) {
        var best: (language: Language, weight: Exact)?
        for item in (header ?? "").split(separator: ",").prefix(16) {
            let parts = item.split(separator: ";").map { $0.drop(while: \.isWhitespace) }
            guard let tag = parts.first, let language = Language(tag: tag.prefix { !$0.isWhitespace }) else { continue }
            let text = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            let weight = text.map { DecimalText($0)?.value ?? .zero } ?? .one
            if weight > (best?.weight ?? .zero) { best = (language, weight) }
        }
        guard let best else { return nil }
        self = best.language
    }
}
