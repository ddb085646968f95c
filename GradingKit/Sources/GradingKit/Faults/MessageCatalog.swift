/// The wording of codes, in every language. Wording lives here and nowhere near the rules that find the faults.
public struct MessageCatalog: Sendable {
    private var texts: [FaultCode: LocalizedText]

    /// A catalog of the given wordings.
    public init(_ texts: [FaultCode: LocalizedText] = [:]) { self.texts = texts }

    /// Both catalogs; where both word a code, `other` has its way.
    public func adding(_ other: MessageCatalog) -> MessageCatalog {
        MessageCatalog(texts.merging(other.texts) { _, new in new })
    }

    /// The message for a code; the code itself when nobody has worded it.
    public func message(_ code: FaultCode, _ arguments: JSONObject = JSONObject(), in language: Language) -> String {
        texts[code]?.filled(language, arguments) ?? code.text
    }

    /// The message for a fault.
    public func message(_ fault: Fault, in language: Language) -> String {
        message(fault.code, fault.arguments, in: language)
    }

    /// Writes the wording of a code in every language.
    func write(_ code: FaultCode, to writer: inout JSONWriter) {
        (texts[code] ?? LocalizedText(verbatim: code.text)).write(to: &writer)
    }

    /// Every worded code.
    public var codes: [FaultCode] { texts.keys.sorted() }

    /// The kit's own wordings.
    public static let kit = MessageCatalog([
        .unknownField: LocalizedText("This field is not known here", fr: "Champ inconnu ici", zh: "此处没有这个字段"),
        .wrongType: LocalizedText("Expected {expected}", fr: "{expected} attendu", zh: "应为 {expected}"),
        .wrongKind: LocalizedText(
            "An entry of this kind does not belong here", fr: "Ce type d’élément n’a pas sa place ici",
            zh: "此处不能有这种条目"),
        .missingField: LocalizedText("This field is required", fr: "Ce champ est obligatoire", zh: "此项为必填"),
        .missingChild: LocalizedText(
            "{min} of kind {kind} are required", fr: "Il faut {min} éléments de type {kind}",
            zh: "需要 {min} 个 {kind}"),
        .notANumber: LocalizedText("This is not a number", fr: "Ce n’est pas un nombre", zh: "这不是数字"),
        .tooPrecise: LocalizedText("Too many digits", fr: "Trop de chiffres", zh: "数字位数过多"),
        .outOfRange: LocalizedText("Not an allowed value", fr: "Valeur non permise", zh: "超出允许的范围"),
        .entryLimit: LocalizedText(
            "At most {limit} entries are allowed", fr: "{limit} éléments au maximum", zh: "最多允许 {limit} 个条目"),
    ])
}
