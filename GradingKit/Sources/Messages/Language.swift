public import JSON

/// The languages in which every text of the product exists.
public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
    case simplifiedChinese = "zh-Hans"

    /// Reads a tag such as `fr-CA`, `zh-CN` or `en`; `nil` for an unsupported language.
    public init?(tag: some StringProtocol) {
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        switch primary {
        case "en": self = .english
        case "fr": self = .french
        case "zh": self = .simplifiedChinese
        default: return nil
        }
    }
}

/// One text in every language.
///
/// A message may name its arguments in braces: `"Max course allowed is {limit}"`.
public struct LocalizedText: Sendable, Hashable {
    /// The English text.
    public let english: String
    /// The French text.
    public let french: String
    /// The Chinese text in simplified characters.
    public let chinese: String

    /// Creates a text in English, French and simplified Chinese.
    public init(_ english: String, fr french: String, zh chinese: String) {
        self.english = english
        self.french = french
        self.chinese = chinese
    }

    /// Creates a text that is the same in every language, such as a name.
    public init(verbatim text: String) { self.init(text, fr: text, zh: text) }

    /// Returns the text in one language.
    public func callAsFunction(_ language: Language) -> String {
        switch language {
        case .english: english
        case .french: french
        case .simplifiedChinese: chinese
        }
    }

    /// The text with its arguments filled in, in every language.
    public func filled(_ arguments: JSONObject) -> LocalizedText {
        LocalizedText(
            filled(.english, arguments), fr: filled(.french, arguments), zh: filled(.simplifiedChinese, arguments))
    }

    /// The text in one language with its arguments filled in. An argument may itself be a text in every language.
    public func filled(_ language: Language, _ arguments: JSONObject) -> String {
        let template = self(language)
        guard template.contains("{") else { return template }
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let name = rest[rest.index(after: open)..<close]
            switch arguments[String(name)] {
            case .string(let value)?, .number(let value)?: text += value
            case .array(let values)?:
                text += values.map { $0.string ?? $0.text }.joined(
                    separator: language == .simplifiedChinese ? "、" : ", ")
            case .object(let words)? where words[Language.english.rawValue] != nil:
                text += (words[language.rawValue] ?? words[Language.english.rawValue])?.string ?? ""
            case let value?: text += value.text
            case nil: text += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// Writes the texts as an object `{"en","fr","zh-Hans"}`.
    public func write(to writer: inout JSONWriter) {
        writer.object { for language in Language.allCases { $0.member(language.rawValue, self(language)) } }
    }
}
