public import JSON

/// The wording of codes, in every language. Wording is kept here, separate from the rules that find faults.
public struct MessageCatalog: Sendable {
    /// A more detailed wording for faults with certain arguments.
    private struct Detail: Sendable {
        let needs: [String]
        let text: LocalizedText

        init(needs: [String], _ text: LocalizedText) {
            self.needs = needs
            self.text = text
        }
    }

    private var texts: [FaultCode: LocalizedText]
    private var details: [FaultCode: [Detail]] = [:]

    /// Creates a catalog with the given wordings.
    public init(_ texts: [FaultCode: LocalizedText] = [:]) { self.texts = texts }

    /// Creates a catalog of codes that were declared with their wording. Traps if one was not, or is listed twice.
    package init(_ codes: [FaultCode]) {
        texts = Dictionary(
            uniqueKeysWithValues: codes.map { code in
                guard let wording = code.wording else { preconditionFailure("\(code) was declared without wording") }
                return (code, wording)
            })
    }

    private init(_ texts: [FaultCode: LocalizedText], details: [FaultCode: [Detail]]) {
        self.texts = texts
        self.details = details
    }

    /// Returns both catalogs combined. If both have a code, the wording of `other` wins, and this catalog's details for
    /// the code remain only if both wordings are equal.
    public func adding(_ other: MessageCatalog) -> MessageCatalog {
        let kept = details.filter { code, _ in other.texts[code].map { $0 == texts[code] } ?? true }
        return MessageCatalog(
            texts.merging(other.texts) { _, new in new }, details: kept.merging(other.details) { _, new in new })
    }

    /// Returns the message for a code; the code itself if the catalog does not have it.
    public func message(_ code: FaultCode, _ arguments: JSONObject = JSONObject(), in language: Language) -> String {
        guard let text = texts[code] else { return code.text }
        let detail = details[code]?.first { $0.needs.allSatisfy { arguments[$0] != nil } }
        return (detail?.text ?? text).filled(language, arguments)
    }

    /// Returns the message for a fault.
    public func message(_ fault: Fault, in language: Language) -> String {
        fault.wording?.filled(language, fault.arguments) ?? message(fault.code, fault.arguments, in: language)
    }

    /// Writes the wording of a code in every language.
    package func write(_ code: FaultCode, to writer: inout JSONWriter) {
        (texts[code] ?? LocalizedText(verbatim: code.text)).write(to: &writer)
    }

    /// Whether the catalog has a wording for a code.
    public func contains(_ code: FaultCode) -> Bool { texts[code] != nil }

    /// All codes with a wording, in order. Sorts them at every call; to look up one code, use ``contains(_:)``.
    public var codes: [FaultCode] { texts.keys.sorted() }

    /// The wording of the codes that any form or document may use.
    public static let general = MessageCatalog(faults, details: detailsOfFaults)

    private static let faults: [FaultCode: LocalizedText] = [
        .unknownField: LocalizedText("This field is not known here", fr: "Champ inconnu ici", zh: "此处没有这个字段"),
        .wrongType: LocalizedText("Expected {expected}", fr: "{expected} attendu", zh: "应为 {expected}"),
        .missingField: LocalizedText("This field is required", fr: "Ce champ est obligatoire", zh: "此项为必填"),
        .notANumber: LocalizedText("This is not a number", fr: "Ce n’est pas un nombre", zh: "这不是数字"),
        .tooPrecise: LocalizedText("Too many digits", fr: "Trop de chiffres", zh: "数字位数过多"),
        .outOfRange: LocalizedText("Not an allowed value", fr: "Valeur non permise", zh: "超出允许的范围"),
        .textInvalid: LocalizedText(
            "This text has characters that cannot be shown, such as a tab or a line break",
            fr: "Ce texte contient des caractères non affichables, comme une tabulation ou un saut de ligne",
            zh: "文本包含无法显示的字符，例如制表符或换行符"),
        .entryLimit: LocalizedText(
            "At most {limit} entries are allowed", fr: "{limit} éléments au maximum", zh: "最多允许 {limit} 个条目"),
        .duplicateID: LocalizedText(
            "The id {id} is used twice", fr: "L’identifiant {id} est utilisé deux fois", zh: "标识符 {id} 重复"),
    ]

    /// Longer wordings for faults with more arguments. The first one whose required arguments are all present is used.
    private static let detailsOfFaults: [FaultCode: [Detail]] = [
        .unknownField: [
            Detail(
                needs: ["nearest"],
                LocalizedText(
                    "This field is not known here; did you mean {nearest}?",
                    fr: "Champ inconnu ici ; vouliez-vous dire {nearest} ?", zh: "此处没有这个字段；是否想写 {nearest}？")
            )
        ],
        .tooPrecise: [
            Detail(
                needs: ["digits", "decimals"],
                LocalizedText(
                    "Too many digits: at most {digits}, {decimals} of them after the point",
                    fr: "Trop de chiffres : {digits} au plus, dont {decimals} après la virgule",
                    zh: "数字位数过多：最多 {digits} 位，其中小数 {decimals} 位")
            )
        ],
        .outOfRange: [
            Detail(
                needs: ["allowed", "count"],
                LocalizedText(
                    "Not an allowed value; the {count} allowed ones begin with {allowed}",
                    fr: "Valeur non permise ; les {count} valeurs permises commencent par {allowed}",
                    zh: "超出允许的范围；允许的 {count} 个值中的前几个是 {allowed}")
            ),
            Detail(
                needs: ["allowed"],
                LocalizedText(
                    "Not an allowed value; allowed: {allowed}", fr: "Valeur non permise ; valeurs permises : {allowed}",
                    zh: "超出允许的范围；允许的值：{allowed}")
            ),
            Detail(
                needs: ["above", "max"],
                LocalizedText(
                    "Not an allowed value; it must be above {above} and at most {max}",
                    fr: "Valeur non permise ; elle doit être supérieure à {above} et d’au plus {max}",
                    zh: "超出允许的范围；必须大于 {above} 且不超过 {max}")
            ),
            Detail(
                needs: ["min", "max"],
                LocalizedText(
                    "Not an allowed value; allowed: {min} to {max}",
                    fr: "Valeur non permise ; valeurs permises : de {min} à {max}", zh: "超出允许的范围；允许 {min} 至 {max}")
            ),
            Detail(
                needs: ["above"],
                LocalizedText(
                    "Not an allowed value; it must be above {above}",
                    fr: "Valeur non permise ; elle doit être supérieure à {above}", zh: "超出允许的范围；必须大于 {above}")
            ),
            Detail(
                needs: ["min"],
                LocalizedText(
                    "Not an allowed value; the least is {min}", fr: "Valeur non permise ; le minimum est {min}",
                    zh: "超出允许的范围；最小为 {min}")
            ),
            Detail(
                needs: ["max"],
                LocalizedText(
                    "Not an allowed value; the most is {max}", fr: "Valeur non permise ; le maximum est {max}",
                    zh: "超出允许的范围；最大为 {max}")
            ),
            Detail(
                needs: ["expected"],
                LocalizedText(
                    "Not an allowed value; expected: {expected}", fr: "Valeur non permise ; attendu : {expected}",
                    zh: "超出允许的范围；应为：{expected}")
            ),
            Detail(
                needs: ["maxLength"],
                LocalizedText(
                    "Not an allowed value; at most {maxLength} characters",
                    fr: "Valeur non permise ; {maxLength} caractères au maximum", zh: "超出允许的范围；最多 {maxLength} 个字符")
            ),
        ],
    ]
}
