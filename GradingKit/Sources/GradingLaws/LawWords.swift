import GradingKit

/// What breaks a law in a document, by the labels that the document shows.
enum LawWords {
    /// A figure or a grade, of the record or the entry at hand, or else of an entry of a kind.
    static func thing(_ label: LocalizedText, in kind: LocalizedText?) -> LocalizedText {
        guard let kind else {
            return LocalizedText("“{label}”", fr: "« {label} »", zh: "“{label}”").filled(["label": label.json])
        }
        return LocalizedText(
            "“{label}” of one “{kind}”", fr: "« {label} » d’un élément « {kind} »", zh: "一个“{kind}”的“{label}”"
        )
        .filled(["label": label.json, "kind": kind.json])
    }

    /// A figure outside its range: the current value, or the ends if there is none.
    static func range(
        of figure: StandingFigure, in kind: LocalizedText?, _ floor: Exact, _ ceiling: Exact, _ current: Exact?
    ) -> LocalizedText {
        let ends = LocalizedText(
            "{thing}: floor {floor}, ceiling {ceiling}", fr: "{thing} : plancher {floor}, plafond {ceiling}",
            zh: "{thing}：下限 {floor}，上限 {ceiling}")
        let all = LocalizedText(
            "{thing}: floor {floor}, current {current}, ceiling {ceiling}",
            fr: "{thing} : plancher {floor}, valeur actuelle {current}, plafond {ceiling}",
            zh: "{thing}：下限 {floor}，当前值 {current}，上限 {ceiling}")
        var arguments: JSONObject = [
            "thing": thing(figure.presentation.label, in: kind).json, "floor": .string("\(floor)"),
            "ceiling": .string("\(ceiling)"),
        ]
        arguments["current"] = current.map { .string("\($0)") }
        return (current == nil ? ends : all).filled(arguments)
    }

    /// A figure that takes a grade several times.
    static func twice(_ figure: StandingFigure, _ grade: LocalizedText, _ count: Int) -> LocalizedText {
        LocalizedText(
            "“{figure}” takes {grade} {count} times", fr: "« {figure} » prend {grade} {count} fois",
            zh: "“{figure}”把{grade}计了 {count} 次"
        ).filled(["figure": figure.presentation.label.json, "grade": grade.json, "count": .number(String(count))])
    }

    /// A figure that ignores a grade.
    static func unseen(_ figure: StandingFigure, _ grade: LocalizedText) -> LocalizedText {
        LocalizedText(
            "“{figure}” does not look at {grade}", fr: "« {figure} » ne regarde pas {grade}", zh: "“{figure}”未查看{grade}"
        ).filled(["figure": figure.presentation.label.json, "grade": grade.json])
    }

    /// What a standing says, and what another standing of the same record says.
    static func difference(_ thing: LocalizedText, _ now: LocalizedText, _ before: LocalizedText) -> LocalizedText {
        LocalizedText(
            "{thing}: {now} instead of {before}", fr: "{thing} : {now} (attendu : {before})",
            zh: "{thing}：{now}（应为：{before}）"
        ).filled(["thing": thing.json, "now": now.json, "before": before.json])
    }

    /// What two standings of the same record say in the same words, though not alike.
    static func unlike(_ thing: LocalizedText, _ words: LocalizedText, isOutcome: Bool) -> LocalizedText {
        let sentence =
            isOutcome
            ? LocalizedText(
                "{thing}: {words}, for other reasons", fr: "{thing} : {words}, pour d’autres raisons",
                zh: "{thing}：{words}，但理由不同")
            : LocalizedText(
                "{thing}: {words}, shown in another way", fr: "{thing} : {words}, affiché autrement",
                zh: "{thing}：{words}，但显示方式不同")
        return sentence.filled(["thing": thing.json, "words": words.json])
    }

    /// An end of a figure's range, or the figure or outcome itself.
    static func part(_ part: FactKey.Part, of thing: LocalizedText) -> LocalizedText {
        let words: LocalizedText
        switch part {
        case .floor: words = LocalizedText("{thing}, floor", fr: "{thing}, plancher", zh: "{thing}的下限")
        case .ceiling: words = LocalizedText("{thing}, ceiling", fr: "{thing}, plafond", zh: "{thing}的上限")
        case .value, .letter, .warnings: return thing
        }
        return words.filled(["thing": thing.json])
    }

    /// The letter of the record or of one entry of a kind.
    static func letter(of kind: LocalizedText?) -> LocalizedText {
        guard let kind else { return LocalizedText("the letter", fr: "la lettre", zh: "等级") }
        return LocalizedText(
            "the letter of one “{kind}”", fr: "la lettre d’un élément « {kind} »", zh: "一个“{kind}”的等级"
        ).filled(["kind": kind.json])
    }

    static let warnings = LocalizedText("the warnings", fr: "les avertissements", zh: "警告")
    static let noLetter = LocalizedText("none", fr: "aucune", zh: "无")
    static let none = LocalizedText("none", fr: "aucun", zh: "无")

    /// A value with its colour or mention.
    static func value(_ state: Quantity.State, band: String?) -> LocalizedText {
        guard case .value(let value) = state else {
            return LocalizedText("no value", fr: "aucune valeur", zh: "无数值")
        }
        return LocalizedText(verbatim: band.map { "\(value) (\($0))" } ?? "\(value)")
    }

    /// The state of an outcome.
    static func state(_ state: Decision.State) -> LocalizedText {
        switch state {
        case .met: LocalizedText("met", fr: "obtenu", zh: "达成")
        case .unmet: LocalizedText("not met", fr: "non obtenu", zh: "未达成")
        case .pending: LocalizedText("open", fr: "en attente", zh: "待定")
        }
    }

    /// A decision that nothing can change any more.
    static func final(_ decision: LocalizedText) -> LocalizedText {
        LocalizedText("{decision} (final)", fr: "{decision} (définitif)", zh: "{decision}（最终）")
            .filled(["decision": decision.json])
    }

    /// A bound of a field that the checks refuse.
    static func refusedBound(_ bound: Exact, of field: LocalizedText) -> LocalizedText {
        LocalizedText(
            "{field}: the checks refuse {bound}, which the field allows",
            fr: "{field} : les contrôles refusent {bound}, que le champ permet", zh: "{field}：字段允许 {bound}，检查规则却拒绝"
        ).filled(["field": field.json, "bound": .string("\(bound)")])
    }

    static let greatestRefused = LocalizedText(
        "the checks refuse the greatest record that the fields allow",
        fr: "les contrôles refusent le plus grand relevé que les champs permettent", zh: "检查规则拒绝字段所允许的最大成绩单")

    /// Too few accepted records, of those that were tried.
    static func fewAccepted(_ accepted: Int, of tried: Int) -> LocalizedText {
        LocalizedText(
            "the checks accept only {accepted} of {tried} records that the fields allow",
            fr: "les contrôles n’acceptent que {accepted} relevés sur {tried} que les champs permettent",
            zh: "在字段所允许的 {tried} 份成绩单中，检查规则只接受 {accepted} 份"
        ).filled(["accepted": .number(String(accepted)), "tried": .number(String(tried))])
    }

    /// A template that the checks refuse.
    static func refusedTemplate(_ name: String) -> LocalizedText {
        LocalizedText(
            "the checks refuse the template “{name}”", fr: "les contrôles refusent le modèle « {name} »",
            zh: "检查规则拒绝模板“{name}”"
        ).filled(["name": .string(name)])
    }

    static let tooMuchWork = LocalizedText(
        "the record takes too many steps", fr: "le relevé demande trop d’étapes", zh: "该成绩单需要过多步骤")

    /// The greatest record, which takes too many steps for its entries.
    static func manySteps(_ steps: Int, for entries: Int) -> LocalizedText {
        LocalizedText(
            "{entries} entries take {steps} steps", fr: "{entries} éléments demandent {steps} étapes",
            zh: "{entries} 个条目需要 {steps} 步"
        ).filled(["entries": .number(String(entries)), "steps": .number(String(steps))])
    }
}
