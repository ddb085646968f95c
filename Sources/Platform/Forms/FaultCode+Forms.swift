public import Messages

extension FaultCode {
    /// A text has more code points than it may.
    public static let textTooLong: FaultCode = "text_too_long"
    /// A text has control characters, or characters that make it read differently than it is.
    public static let textInvalid: FaultCode = "text_invalid"
}

extension MessageCatalog {
    /// The messages for faults of texts.
    public static let forms = MessageCatalog([
        .textTooLong: LocalizedText(
            "At most {max} characters are allowed", fr: "{max} caractères au maximum", zh: "最多允许 {max} 个字符"),
        .textInvalid: LocalizedText(
            "This text has characters that cannot be shown", fr: "Ce texte contient des caractères non affichables",
            zh: "文本包含无法显示的字符"),
    ])
}
