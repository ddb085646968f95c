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
    ///
    /// Where the kit's own wording stands, it says as much more as the arguments tell, such as what is allowed.
    public func message(_ code: FaultCode, _ arguments: JSONObject = JSONObject(), in language: Language) -> String {
        guard let text = texts[code] else { return code.text }
        let fuller = Self.fuller[code]?.first { $0.needs.allSatisfy { arguments[$0] != nil } }?.text
        return (text == Self.faults[code] ? fuller ?? text : text).filled(language, arguments)
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

    /// The kit's own wordings: of faults, of settings, and of reasons why a figure is undefined.
    public static let kit = MessageCatalog(faults).adding(MessageCatalog(settings)).adding(MessageCatalog(reasons))

    private static let faults: [FaultCode: LocalizedText] = [
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
        .notAnUnknown: LocalizedText(
            "This cannot change what is asked for", fr: "Cela ne peut rien changer à l’objectif",
            zh: "此项不影响所问的目标"),
        .traceTooLarge: LocalizedText(
            "The explanations are too large for one answer; ask for {figure} alone",
            fr: "Les explications sont trop longues pour une seule réponse ; demandez {figure} seul",
            zh: "解释内容过长，无法一次返回；请只查询 {figure}"),
        .figureTooLarge: LocalizedText(
            "The explanation of {figure} is too large for one answer",
            fr: "L’explication de {figure} est trop longue pour une réponse", zh: "{figure} 的解释过长，无法返回"),
        .goalTooLarge: LocalizedText(
            "This goal would take too long to search; ask about one entry, or in larger steps",
            fr: "La recherche de cet objectif serait trop longue ; interrogez un seul élément, ou par pas plus grands",
            zh: "求解此目标耗时过长；请只查询一个条目，或使用更大的步长"),
        .enteredByStaff: LocalizedText(
            "Staff entered this, and only staff can change it",
            fr: "Saisi par le personnel, qui seul peut le modifier", zh: "此项由教职员录入，只有教职员可以更改"),
        .duplicateID: LocalizedText(
            "The id {id} is used twice", fr: "L’identifiant {id} est utilisé deux fois", zh: "标识符 {id} 重复"),
        .entryNotFound: LocalizedText("That entry does not exist", fr: "Cet élément n’existe pas", zh: "该条目不存在"),
    ]

    /// What is said instead where the arguments allow it; the first that finds all it needs.
    private static let fuller: [FaultCode: [(needs: [String], text: LocalizedText)]] = [
        .unknownField: [
            (
                ["nearest"],
                LocalizedText(
                    "This field is not known here; did you mean {nearest}?",
                    fr: "Champ inconnu ici ; vouliez-vous dire {nearest} ?", zh: "此处没有这个字段；是否想写 {nearest}？")
            )
        ],
        .tooPrecise: [
            (
                ["digits", "decimals"],
                LocalizedText(
                    "Too many digits: at most {digits}, {decimals} of them after the point",
                    fr: "Trop de chiffres : {digits} au plus, dont {decimals} après la virgule",
                    zh: "数字位数过多：最多 {digits} 位，其中小数 {decimals} 位")
            )
        ],
        .outOfRange: [
            (
                ["allowed", "count"],
                LocalizedText(
                    "Not an allowed value; the {count} allowed ones begin with {allowed}",
                    fr: "Valeur non permise ; les {count} valeurs permises commencent par {allowed}",
                    zh: "超出允许的范围；允许的 {count} 个值以 {allowed} 开头")
            ),
            (
                ["allowed"],
                LocalizedText(
                    "Not an allowed value; allowed: {allowed}", fr: "Valeur non permise ; valeurs permises : {allowed}",
                    zh: "超出允许的范围；允许的值：{allowed}")
            ),
            (
                ["above", "max"],
                LocalizedText(
                    "Not an allowed value; it must be above {above} and at most {max}",
                    fr: "Valeur non permise ; elle doit être supérieure à {above} et d’au plus {max}",
                    zh: "超出允许的范围；必须大于 {above} 且不超过 {max}")
            ),
            (
                ["min", "max"],
                LocalizedText(
                    "Not an allowed value; allowed: {min} to {max}",
                    fr: "Valeur non permise ; valeurs permises : de {min} à {max}", zh: "超出允许的范围；允许 {min} 至 {max}")
            ),
            (
                ["above"],
                LocalizedText(
                    "Not an allowed value; it must be above {above}",
                    fr: "Valeur non permise ; elle doit être supérieure à {above}", zh: "超出允许的范围；必须大于 {above}")
            ),
            (
                ["min"],
                LocalizedText(
                    "Not an allowed value; the least is {min}", fr: "Valeur non permise ; le minimum est {min}",
                    zh: "超出允许的范围；最小为 {min}")
            ),
            (
                ["max"],
                LocalizedText(
                    "Not an allowed value; the most is {max}", fr: "Valeur non permise ; le maximum est {max}",
                    zh: "超出允许的范围；最大为 {max}")
            ),
            (
                ["expected"],
                LocalizedText(
                    "Not an allowed value; expected: {expected}", fr: "Valeur non permise ; attendu : {expected}",
                    zh: "超出允许的范围；应为：{expected}")
            ),
            (
                ["maxLength"],
                LocalizedText(
                    "Not an allowed value; at most {maxLength} characters",
                    fr: "Valeur non permise ; {maxLength} caractères au maximum", zh: "超出允许的范围；最多 {maxLength} 个字符")
            ),
        ],
    ]

    private static let settings: [FaultCode: LocalizedText] = [
        .bandsNotDecreasing: LocalizedText(
            "Each band must begin below the one before it", fr: "Chaque palier doit commencer sous le précédent",
            zh: "每一等级的下限必须低于前一等级"),
        .bandsNotIncreasing: LocalizedText(
            "Each band must end above the one before it", fr: "Chaque palier doit finir au-dessus du précédent",
            zh: "每一等级的上限必须高于前一等级"),
        .duplicateLabel: LocalizedText(
            "This label is used twice", fr: "Ce libellé est utilisé deux fois", zh: "该标签重复"),
        .scaleAndStep: LocalizedText(
            "Give a number of decimals or a step, not both",
            fr: "Indiquez un nombre de décimales ou un pas, pas les deux",
            zh: "小数位数与步长只能填写一项"),
        .displayContradicts: LocalizedText(
            "{example} is shown as {shown} and counts as {label}",
            fr: "{example} s’affiche {shown} et compte comme {label}",
            zh: "{example} 显示为 {shown}，却按 {label} 计"),
        .bandsOverlap: LocalizedText(
            "This range reaches into the one before it", fr: "Cet intervalle empiète sur le précédent",
            zh: "此区间与前一区间重叠"),
        .rangeRead: LocalizedText(
            "{given} is read as: {label} from {from}", fr: "{given} est compris comme : {label} à partir de {from}",
            zh: "{given} 理解为：{label} 从 {from} 起"),
        .pointsRise: LocalizedText(
            "{label} is worth more points than the better {better}",
            fr: "{label} vaut plus de points que {better}, pourtant meilleur", zh: "{label} 的绩点高于更好的 {better}"),
        .labelUnreadable: LocalizedText(
            "A label is 1 to 40 visible characters", fr: "Un libellé a de 1 à 40 caractères visibles",
            zh: "标签须为 1 至 40 个可见字符"),
    ]

    private static let reasons: [FaultCode: LocalizedText] = [
        .ungraded: LocalizedText("Not graded yet", fr: "Pas encore noté", zh: "尚未评分"),
        .excused: LocalizedText("Excused", fr: "Dispensé", zh: "已免修"),
        .pendingGrade: LocalizedText("The grade is pending", fr: "La note est en attente", zh: "成绩待定"),
        .noGrades: LocalizedText("Nothing graded yet", fr: "Aucune note", zh: "还没有成绩"),
        .divisionByZero: LocalizedText("Nothing counts yet", fr: "Rien ne compte encore", zh: "尚无计入项"),
        .goalsUnsupported: LocalizedText(
            "This scheme does not answer goals", fr: "Ce barème ne calcule pas d’objectifs", zh: "此方案不支持目标计算"),
        .notComputable: LocalizedText(
            "The scheme cannot be computed now: {detail}", fr: "Le calcul n’est pas possible : {detail}",
            zh: "目前无法计算：{detail}"),
        .circular: LocalizedText(
            "This figure depends on itself", fr: "Cette valeur dépend d’elle-même", zh: "该数值依赖其自身"),
    ]
}
