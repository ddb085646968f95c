import GradingKit

/// The phrases for formulas in words. Signs of arithmetic and comparison stay signs: they are the same in every
/// language and need no agreement.
enum Phrase {
    static let all = LocalizedText(" and ", fr: " et ", zh: "且")
    static let any = LocalizedText(" or ", fr: " ou ", zh: "或")
    static let not = LocalizedText("not {a}", fr: "non {a}", zh: "并非{a}")
    static let brackets = LocalizedText("({a})", fr: "({a})", zh: "（{a}）")
    static let quotes = LocalizedText("“{a}”", fr: "« {a} »", zh: "“{a}”")
    static let member = LocalizedText("{a} of {of}", fr: "{a} de {of}", zh: "{of}的{a}")
    /// A value of the enclosing entry, not of one in the fold.
    static let outer = LocalizedText("{a} of this {of}", fr: "{a} de l’entrée {of} elle-même", zh: "该{of}的{a}")
    static let taken = LocalizedText(
        "{a} is taken from an earlier record", fr: "{a} est repris d’un relevé antérieur", zh: "{a}取自以往成绩单")
    static let earlier = LocalizedText("{a} from {of}", fr: "{a} de {of}", zh: "{of}中的{a}")
    static let ofRecord = LocalizedText("{a} of the record", fr: "{a} du relevé", zh: "成绩单的{a}")

    static let choice = LocalizedText("if {c} then {a}", fr: "si {c} alors {a}", zh: "若{c}，则{a}")
    static let elseChoice = LocalizedText(
        "if {c} then {a}, otherwise {b}", fr: "si {c} alors {a}, sinon {b}", zh: "若{c}，则{a}，否则{b}")
    static let reaches = LocalizedText("{a} reaches {b}", fr: "{a} atteint {b}", zh: "{a}达到{b}")
    static let otherwise = LocalizedText(", or if unknown ", fr: ", ou à défaut ", zh: "，缺失时取")
    static let ungraded = LocalizedText(
        "{a}, where nothing counts yet a grade that is still to come",
        fr: "{a}, une note encore à venir si rien ne compte", zh: "{a}，尚无计入项时视为一个待评成绩")
    static let worst = LocalizedText(
        "{a} with a missing grade as the worst", fr: "{a} avec une note manquante comptée comme la pire",
        zh: "{a}（缺失成绩按最差计）")
    static let worstWhen = LocalizedText(
        "{a} with a missing grade as the worst if {c}", fr: "{a} avec une note manquante comptée comme la pire si {c}",
        zh: "{a}（若{c}，缺失成绩按最差计）")
    static let converted = LocalizedText("{a} as {unit}", fr: "{a} exprimé en {unit}", zh: "{a}折算为{unit}")
    static let said = LocalizedText("{a} in {unit}", fr: "{a} en {unit}", zh: "{a}（{unit}）")
    static let per = LocalizedText("{a} per {b}", fr: "{a} par {b}", zh: "每{b}{a}")
    static let through = LocalizedText("{a} read through {b}", fr: "{a} lu dans {b}", zh: "{a}按{b}查得")
    static let rounded = LocalizedText("{a} rounded by {b}", fr: "{a} arrondi selon {b}", zh: "{a}按{b}舍入")
    static let least = LocalizedText("the least of {a}", fr: "le plus petit de {a}", zh: "{a}中的最小值")
    static let greatest = LocalizedText("the greatest of {a}", fr: "le plus grand de {a}", zh: "{a}中的最大值")
    /// A rule for one of several bounds.
    static let called = LocalizedText("{a} for {b}", fr: "{a} pour {b}", zh: "{a}（{b}）")
    static let cell = LocalizedText(
        "{a} at row {row}, column {column}", fr: "{a}, ligne {row}, colonne {column}", zh: "{a}的{row}行{column}列")

    static let folds: [Formula.Fold.Operation: LocalizedText] = [
        .sum: LocalizedText("the sum of {a} over {e}", fr: "la somme de {a} sur {e}", zh: "{e}的{a}之和"),
        .mean: LocalizedText("the mean of {a} over {e}", fr: "la moyenne de {a} sur {e}", zh: "{e}的{a}的平均值"),
        .median: LocalizedText("the median of {a} over {e}", fr: "la médiane de {a} sur {e}", zh: "{e}的{a}的中位数"),
        .mode: LocalizedText(
            "the most frequent {a} over {e}", fr: "la valeur la plus fréquente de {a} sur {e}", zh: "{e}的{a}的众数"),
        .least: LocalizedText("the least {a} over {e}", fr: "le minimum de {a} sur {e}", zh: "{e}的{a}的最小值"),
        .greatest: LocalizedText(
            "the greatest {a} over {e}", fr: "le maximum de {a} sur {e}", zh: "{e}的{a}的最大值"),
        .count: LocalizedText(
            "the number of known {a} over {e}", fr: "le nombre de valeurs connues de {a} sur {e}", zh: "{e}中已知{a}的个数"),
        .ratio: LocalizedText(
            "the sum of {a} divided by the sum of {b} over {e}",
            fr: "la somme de {a} divisée par la somme de {b} sur {e}", zh: "{e}的{a}之和除以{b}之和"),
    ]
    static let number = LocalizedText("the number of {e}", fr: "le nombre d’entrées {e}", zh: "{e}的个数")
    static let weighted = LocalizedText("{a}, weighted by {b}", fr: "{a}, pondération : {b}", zh: "{a}，以{b}为权重")
    static let complete = LocalizedText(
        "{a}, once all that count are known", fr: "{a}, dès que tout ce qui compte est connu", zh: "{a}，计入项须全部已知")

    static let whose = LocalizedText("{e} where {c}", fr: "{e} où {c}", zh: "满足{c}的{e}")
    static let best = LocalizedText(
        "{e}, only the best {n} by {k}", fr: "{e}, seules les {n} premières selon {k}", zh: "{e}（按{k}仅取最好的{n}）")
    static let atMostWhose = LocalizedText(
        "{e}, of which at most {n} where {c}", fr: "{e}, dont au plus {n} où {c}", zh: "{e}，其中满足{c}的至多{n}个")
    static let atMostPer = LocalizedText(
        "{e}, of which at most {n} for each {k}", fr: "{e}, dont au plus {n} par {k}", zh: "{e}，其中每个{k}至多{n}个")
    static let bestOf = LocalizedText(
        "{e}, only the best by {k} up to {n} of {a}, each with its part of them",
        fr: "{e}, seules les premières selon {k} jusqu’à {n} de {a}, chacune selon sa part",
        zh: "{e}（按{k}取最好的，{a}合计至{n}，并按其计权）")
    static let onePer = LocalizedText(
        "{e}, one for each {n}, the best by {k}", fr: "{e}, une par {n}, la première selon {k}",
        zh: "{e}（每个{n}取一个，按{k}取最好的）")
    static let withoutWorst = LocalizedText(
        "{e}, without the worst {n} by {k}", fr: "{e}, sans les {n} dernières selon {k}", zh: "{e}（按{k}去掉最差的{n}个）")
    static let withoutBest = LocalizedText(
        "{e}, without the best {n} by {k}", fr: "{e}, sans les {n} premières selon {k}", zh: "{e}（按{k}去掉最好的{n}个）")
    static let raisingRatio = LocalizedText(
        "{e}, without the {n} that lower the ratio most", fr: "{e}, sans les {n} qui abaissent le plus le rapport",
        zh: "{e}（去掉最拉低比值的{n}个）")
    static let loweringRatio = LocalizedText(
        "{e}, without the {n} that raise the ratio most", fr: "{e}, sans les {n} qui élèvent le plus le rapport",
        zh: "{e}（去掉最抬高比值的{n}个）")
    static let expecting = LocalizedText(
        "{e}, with missing grades up to {n} of them", fr: "{e}, complétées par des notes manquantes jusqu’à {n}",
        zh: "{e}（以缺失成绩补足{n}个）")
    static let sparing = LocalizedText("{e}, never those with {a}", fr: "{e}, jamais celles avec {a}", zh: "{e}，{a}者除外")

    static let every = LocalizedText("every {e}", fr: "chaque entrée {e}", zh: "每个{e}")
    static let some = LocalizedText("at least one {e}", fr: "au moins une entrée {e}", zh: "至少一个{e}")
    static let no = LocalizedText("no {e}", fr: "aucune entrée {e}", zh: "没有{e}")
    static let most = LocalizedText("more than half of {e}", fr: "plus de la moitié des entrées {e}", zh: "过半数的{e}")
    static let atLeast = LocalizedText("at least {n} of {e}", fr: "au moins {n} entrées {e}", zh: "至少{n}个{e}")
    static let exists = LocalizedText("there is {a}", fr: "il y a {a}", zh: "有{a}")
    static let absent = LocalizedText("there is no {e}", fr: "il n’y a aucune entrée {e}", zh: "没有{e}")
    static let holds = LocalizedText("for {a}: {c}", fr: "pour {a} : {c}", zh: "{a}：{c}")

    /// The states of an entry or a value, affirmed and denied.
    static let states: [String: (says: LocalizedText, denies: LocalizedText)] = [
        "known": (
            LocalizedText("{a} is known", fr: "{a} est une valeur connue", zh: "{a}已知"),
            LocalizedText("{a} is not known", fr: "{a} n’est pas une valeur connue", zh: "{a}未知")
        ),
        "recorded": (
            LocalizedText("{a} is recorded", fr: "{a} est une valeur saisie", zh: "{a}已录入"),
            LocalizedText("{a} is not recorded", fr: "{a} n’est pas une valeur saisie", zh: "{a}未录入")
        ),
        "met": (
            LocalizedText("{a} is met", fr: "{a} est obtenu", zh: "{a}达成"),
            LocalizedText("{a} is not met", fr: "{a} n’est pas obtenu", zh: "{a}并非达成")
        ),
        "unmet": (
            LocalizedText("{a} is failed", fr: "{a} est refusé", zh: "{a}未达成"),
            LocalizedText("{a} is not failed", fr: "{a} n’est pas refusé", zh: "{a}并非未达成")
        ),
        "pending": (
            LocalizedText("{a} is still open", fr: "{a} est en attente", zh: "{a}待定"),
            LocalizedText("{a} is decided", fr: "{a} n’est plus en attente", zh: "{a}已定")
        ),
    ]
    static let isWord = LocalizedText("{a} is {b}", fr: "{a} est {b}", zh: "{a}为{b}")
    static let isNotWord = LocalizedText("{a} is not {b}", fr: "{a} n’est pas {b}", zh: "{a}不为{b}")

    /// Conditions on an entry that need no name of the document.
    static let conditions: [String: LocalizedText] = [
        "counts": LocalizedText("it counts in averages", fr: "elle compte dans les moyennes", zh: "计入平均"),
        "pending": LocalizedText("its status awaits a grade", fr: "son statut attend une note", zh: "其状态为待评"),
        "awaiting": LocalizedText("a grade is still to come", fr: "une note est encore attendue", zh: "尚有待评成绩"),
        "attempted": LocalizedText("it counts as attempted", fr: "elle compte comme tentée", zh: "计入已修"),
        "earned": LocalizedText("it counts as earned", fr: "elle compte comme acquise", zh: "计入已获"),
        "in_gpa": LocalizedText("it counts in the GPA", fr: "elle compte dans le GPA", zh: "计入绩点"),
    ]
    static let percent = LocalizedText("{a} %", fr: "{a} %", zh: "{a}%")

    // MARK: Sentences

    static let group = LocalizedText(
        "{a}: {e} with the same {k}", fr: "{a} : les entrées {e} de même {k}", zh: "{a}：{k}相同的{e}")
    static let figure = LocalizedText("{a} = {f}", fr: "{a} = {f}", zh: "{a} = {f}")
    static let outcome = LocalizedText("{a}:", fr: "{a} :", zh: "{a}：")
    static let awaits = LocalizedText(
        "open until this holds: {c}", fr: "en attente tant que ceci n’est pas vrai : {c}", zh: "满足以下条件前待定：{c}")
    static let needs = LocalizedText("requires: {c}", fr: "exige : {c}", zh: "要求：{c}")
    static let when = LocalizedText("{a} if {c}", fr: "{a} si {c}", zh: "若{c}：{a}")
    static let byHand = LocalizedText("{a} by a person alone", fr: "{a} par une personne uniquement", zh: "{a}（仅由人工给出）")
    static let elseVerdict = LocalizedText("otherwise {a}", fr: "sinon {a}", zh: "否则{a}")
    static let valued = LocalizedText("{a} ({s})", fr: "{a} ({s})", zh: "{a}（{s}）")
    static let met = LocalizedText("met", fr: "obtenu", zh: "达成")
    static let unmet = LocalizedText("not met", fr: "non obtenu", zh: "未达成")
    static let check = LocalizedText(
        "refused unless this holds: {c}", fr: "refusé si ceci n’est pas vrai : {c}", zh: "不满足以下条件则拒绝：{c}")
    static let warning = LocalizedText("a warning if {c}", fr: "un avertissement si {c}", zh: "若{c}则提醒")
}
