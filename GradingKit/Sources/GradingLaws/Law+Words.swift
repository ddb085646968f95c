public import GradingKit

extension Law {
    /// The law in a sentence, in every language.
    public var wording: LocalizedText {
        switch self {
        case .emptyIsUndefined:
            LocalizedText(statement, fr: "un relevé vide n’a pas de valeur", zh: "空成绩单没有数值")
        case .orderIsIrrelevant:
            LocalizedText(statement, fr: "l’ordre des éléments ne change aucune valeur", zh: "条目的顺序不改变任何数值")
        case .scaleIsIrrelevant:
            LocalizedText(
                statement, fr: "multiplier ensemble points et maximum de tous les éléments voisins ne change rien",
                zh: "同级条目的得分与满分同时缩放不改变任何结果")
        case .shapeAndValidatorAgree:
            LocalizedText(
                statement, fr: "les contrôles acceptent ce que les champs permettent", zh: "检查规则与字段范围一致")
        case .tracesReevaluate:
            LocalizedText(statement, fr: "une explication, recalculée, redonne sa valeur", zh: "重新计算的解释等于其数值")
        case .gradesCountOnce:
            LocalizedText(
                statement, fr: "chaque note compte une fois dans l’explication d’une valeur", zh: "每个成绩在一个数值的解释中只计一次")
        case .floorBelowCeiling: LocalizedText(statement, fr: "plancher ≤ plafond", zh: "下限 ≤ 上限")
        case .currentInRange:
            LocalizedText(statement, fr: "plancher ≤ valeur actuelle ≤ plafond", zh: "下限 ≤ 当前值 ≤ 上限")
        case .isDeterministic:
            LocalizedText(statement, fr: "le même relevé donne le même résultat", zh: "同一成绩单得到同一结果")
        case .codesAreWorded: LocalizedText(statement, fr: "chaque code a un texte", zh: "每个代码都有文字")
        case .namesAreUnique:
            LocalizedText(statement, fr: "deux valeurs n’ont jamais le même nom", zh: "没有两个同名的数值")
        case .staysInBounds:
            LocalizedText(statement, fr: "le plus grand relevé se calcule en peu d’étapes", zh: "最大的成绩单以很少的步骤算出")
        }
    }
}

extension LawViolation {
    /// The violation as a fault of what broke the law, with the record that shows it in `record`.
    public var fault: Fault {
        let (law, words) = (law, law.wording)
        return Fault(
            "law_broken", at: "",
            ["law": .string(law.rawValue), "detail": .string(detail), "record": record],
            wording: LocalizedText(
                "a law of grading is broken: \(words.english) — {detail}",
                fr: "une loi de la notation n’est pas respectée : \(words.french) — {detail}",
                zh: "违反评分规律：\(words.chinese)——{detail}"))
    }
}
