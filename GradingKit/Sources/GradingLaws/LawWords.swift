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
}
