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
                statement, fr: "deux fois plus de points sur deux fois le maximum ne changent rien",
                zh: "得分与满分同时加倍不改变任何结果")
        case .shapeAndValidatorAgree:
            LocalizedText(
                statement, fr: "les contrôles acceptent ce que les champs permettent", zh: "检查规则与字段范围一致")
        case .tracesReevaluate:
            LocalizedText(statement, fr: "une explication, recalculée, redonne sa valeur", zh: "重新计算的解释等于其数值")
        case .gradesCountOnce:
            LocalizedText(
                statement, fr: "chaque note compte une fois dans une valeur", zh: "每个成绩在一个数值中只计一次")
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

extension Law {
    /// What to write instead in regulations that break the law; `nil` if no document can break it.
    public var remedy: LocalizedText? {
        switch self {
        case .emptyIsUndefined:
            LocalizedText(
                "leave it undefined where there is nothing, as in `if any KIND then …` with one of the document’s entries as KIND, or write `without range` where it counts something",
                fr:
                    "laissez-la indéfinie là où il n’y a rien, comme dans `if any KIND then …` avec un des éléments du document à la place de KIND, ou écrivez `without range` si elle compte quelque chose",
                zh: "没有条目时让它无数值，如 `if any KIND then …`（KIND 为本文档的一个条目类型）；若它只是计数，请写 `without range`")
        case .scaleIsIrrelevant:
            LocalizedText(
                "divide points by their maximum, as in `score / max`, or give the figure the unit of the points",
                fr:
                    "divisez les points par leur maximum, comme dans `score / max`, ou donnez à la valeur l’unité des points",
                zh: "将得分除以满分，如 `score / max`，或让该数值以分数为单位")
        case .gradesCountOnce:
            LocalizedText(
                "take each grade once, and make what needs it a second time a figure of its own",
                fr:
                    "prenez chaque note une seule fois, et faites une valeur à part de ce qui en a besoin une deuxième fois",
                zh: "每个成绩只取一次；需要再次用到它的部分请单独写成一个数值")
        case .floorBelowCeiling:
            LocalizedText(
                "a better grade must not make it worse; where the rules want that, write `without range`",
                fr:
                    "une meilleure note ne doit pas la faire baisser ; si le règlement le veut ainsi, écrivez `without range`",
                zh: "更好的成绩不应使其变差；若章程确实如此，请写 `without range`")
        case .currentInRange:
            LocalizedText(
                "count a missing grade as nothing or as one that may be given, as in `mark otherwise 0`, or write `without range`",
                fr:
                    "comptez une note qui manque pour rien ou pour une note possible, comme dans `mark otherwise 0`, ou écrivez `without range`",
                zh: "缺少的成绩应不计入，或按可能取得的成绩计算，如 `mark otherwise 0`，或写 `without range`")
        case .shapeAndValidatorAgree:
            LocalizedText(
                "give the fields the bounds that the checks demand, as in `from 0 to 20`",
                fr: "donnez aux champs les bornes que les contrôles exigent, comme dans `from 0 to 20`",
                zh: "为字段写明检查所要求的范围，如 `from 0 to 20`")
        case .staysInBounds:
            LocalizedText(
                "bound the kinds, as in `at most 60`, or go over fewer entries",
                fr: "bornez les types, comme dans `at most 60`, ou parcourez moins d’éléments",
                zh: "请限制条目数，如 `at most 60`，或减少遍历")
        case .orderIsIrrelevant, .tracesReevaluate, .isDeterministic, .codesAreWorded, .namesAreUnique: nil
        }
    }
}

extension LawViolation {
    /// The violation as a fault. `record` has the record that shows it; if one figure or outcome shows it, `figure` has
    /// its name and `kind` the kind of its entry.
    public var fault: Fault {
        var arguments: JSONObject = ["law": .string(law.rawValue), "detail": finding.json, "record": record]
        arguments["figure"] = figure.map { .string($0) }
        arguments["kind"] = kind.map { .string($0) }
        let (words, remedy) = (law.wording, law.remedy)
        return Fault(
            "law_broken", at: "", arguments,
            wording: LocalizedText(
                "a law of grading is broken: \(words.english) — {detail}" + (remedy.map { "; \($0.english)" } ?? ""),
                fr: "une loi de la notation n’est pas respectée : \(words.french) — {detail}"
                    + (remedy.map { " ; \($0.french)" } ?? ""),
                zh: "违反评分规律：\(words.chinese)——{detail}" + (remedy.map { "；\($0.chinese)" } ?? "")))
    }
}
