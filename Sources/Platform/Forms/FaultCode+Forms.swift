public import Messages

extension FaultCode {
    /// A text has too many code points.
    public static let textTooLong = FaultCode(
        "text_too_long", "At most {max} characters are allowed", fr: "{max} caractères au maximum", zh: "最多允许 {max} 个字符"
    )
}

extension MessageCatalog {
    /// The messages for faults of texts.
    public static let forms = MessageCatalog([.textTooLong])
}
