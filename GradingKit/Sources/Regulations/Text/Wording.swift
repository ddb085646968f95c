import GradingKit

/// The wording of one kind of fault, in words of the document and never of the checker.
struct Wording: Sendable {
    let code: FaultCode
    let text: LocalizedText
    var isWarning = false

    init(_ code: FaultCode, _ english: String, fr french: String, zh chinese: String) {
        self.code = code
        text = LocalizedText(english, fr: french, zh: chinese)
    }

    var asWarning: Wording {
        var copy = self
        copy.isWarning = true
        return copy
    }
}

// MARK: - The text

extension Wording {
    static let tooLong = Wording(
        "document_too_long", "a document has at most {limit} KiB", fr: "un document a au plus {limit} Kio",
        zh: "文档最多 {limit} KiB")
    static let noRules = Wording(
        "no_rules", "there is no block of rules — begin one with ```rules",
        fr: "il n’y a aucun bloc de règles — commencez-en un par ```rules", zh: "没有规则块——请以 ```rules 开始")
    static let unclosedBlock = Wording(
        "unclosed_block", "this block is never closed — end it with ```",
        fr: "ce bloc n’est jamais fermé — terminez-le par ```", zh: "此块没有结束——请以 ``` 结束")
    static let unreadable = Wording(
        "unreadable_character", "the character {character} cannot be seen as it is read — remove it",
        fr: "le caractère {character} ne se voit pas tel qu’il se lit — supprimez-le",
        zh: "字符 {character} 显示与含义不符——请删除")
    static let unclosedText = Wording(
        "unclosed_text", "this text has no closing quotation mark", fr: "ce texte n’a pas de guillemet fermant",
        zh: "此文本缺少结束引号")
    static let unknownSymbol = Wording(
        "unknown_symbol", "“{symbol}” has no meaning here", fr: "« {symbol} » n’a pas de sens ici",
        zh: "“{symbol}”在此没有意义")
    static let badNumber = Wording(
        "not_a_number", "“{found}” is not a number — write at most 9 digits, with a point before the decimals",
        fr: "« {found} » n’est pas un nombre — au plus 9 chiffres, avec un point avant les décimales",
        zh: "“{found}”不是数字——最多 9 位，小数用点号")
}

// MARK: - Syntax

extension Wording {
    private static let misplaced = [
        "“{found}” does not belong here": "the line ends too soon",
        "« {found} » n’a pas sa place ici": "la ligne s’arrête trop tôt",
        "“{found}”不应在此": "此行过早结束",
    ]

    /// The same, for the end of a line instead of another word.
    var atEnd: Wording {
        func ended(_ text: String) -> String {
            guard let (start, ends) = Self.misplaced.first(where: { text.hasPrefix($0.key) }) else { return text }
            return ends + text.dropFirst(start.count)
        }
        return Wording(code, ended(text.english), fr: ended(text.french), zh: ended(text.chinese))
    }

    static let typographic = Wording(
        "typographic", "“{found}” is written `{meant}` here", fr: "« {found} » s’écrit ici `{meant}`",
        zh: "“{found}”在此写作 `{meant}`")
    static let typographicQuotes = Wording(
        "typographic", "texts stand in straight quotation marks, `\"…\"`",
        fr: "les textes s’écrivent entre guillemets droits, `\"…\"`",
        zh: "文本须写在直引号中：`\"…\"`")
    static let decimalComma = Wording(
        "decimal_comma", "“{found}” is no number — decimals stand behind a point",
        fr: "« {found} » n’est pas un nombre — les décimales suivent un point",
        zh: "“{found}”不是数字——小数请用点号")
    static let twoNumbers = Wording(
        "decimal_comma", "“{found}” is two numbers — write `{meant}` for one, or a space behind the comma",
        fr: "« {found} » est deux nombres — écrivez `{meant}` pour un seul, ou une espace après la virgule",
        zh: "“{found}”是两个数——若为一个数请写 `{meant}`，否则请在逗号后加空格"
    ).asWarning
    static let lostIndent = Wording(
        "unexpected_margin", "this line belongs to `{owner}` — indent it",
        fr: "cette ligne appartient à `{owner}` — décalez-la",
        zh: "此行属于 `{owner}`——请缩进")
    static let expectedWord = Wording(
        "unexpected", "“{found}” does not belong here — `{expected}` is expected",
        fr: "« {found} » n’a pas sa place ici — `{expected}` est attendu", zh: "“{found}”不应在此——应为 `{expected}`")
    static let forgottenWord = Wording(
        "unexpected", "`{expected}` is missing before “{found}”", fr: "`{expected}` manque devant « {found} »",
        zh: "“{found}”之前缺少 `{expected}`")
    static let expectedName = Wording(
        "unexpected", "“{found}” does not belong here — a name is expected",
        fr: "« {found} » n’a pas sa place ici — un nom est attendu", zh: "“{found}”不应在此——应为名称")
    static let expectedText = Wording(
        "unexpected", "“{found}” does not belong here — a text in quotation marks is expected",
        fr: "« {found} » n’a pas sa place ici — un texte entre guillemets est attendu",
        zh: "“{found}”不应在此——应为引号中的文本")
    static let expectedNumber = Wording(
        "unexpected", "“{found}” does not belong here — a number is expected",
        fr: "« {found} » n’a pas sa place ici — un nombre est attendu", zh: "“{found}”不应在此——应为数字")
    static let expectedFormula = Wording(
        "unexpected", "“{found}” does not belong here — a value is expected",
        fr: "« {found} » n’a pas sa place ici — une valeur est attendue", zh: "“{found}”不应在此——应为数值")
    static let leftOver = Wording(
        "unexpected", "“{found}” does not belong here", fr: "« {found} » n’a pas sa place ici", zh: "“{found}”不应在此")
    static let indented = Wording(
        "unexpected_indent", "this line belongs to no declaration — move it to the margin",
        fr: "cette ligne n’appartient à aucune déclaration — ramenez-la à la marge", zh: "此行不属于任何声明——请移到行首")
    static let unknownDeclaration = Wording(
        "unknown_declaration", "no declaration begins with “{name}”",
        fr: "aucune déclaration ne commence par « {name} »",
        zh: "没有以“{name}”开头的声明")
    static let unknownDeclarationGuess = Wording(
        "unknown_declaration", "no declaration begins with “{name}” — did you mean `{nearest}`?",
        fr: "aucune déclaration ne commence par « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "没有以“{name}”开头的声明——是否想写 `{nearest}`？")
    static let reserved = Wording(
        "reserved_name", "“{name}” is a word of the language — choose another name",
        fr: "« {name} » est un mot du langage — choisissez un autre nom", zh: "“{name}”是语言的保留字——请另取名称")
    static let nameTooLong = Wording(
        "name_too_long", "a name has at most 64 letters", fr: "un nom a au plus 64 lettres", zh: "名称最多 64 个字母")
    static let statusNameTooLong = Wording(
        "name_too_long", "the name of a status has at most {limit} letters — its label may be longer",
        fr: "le nom d’un statut a au plus {limit} lettres — son libellé peut être plus long",
        zh: "状态名称最多 {limit} 个字母——标签可以更长")
    static let statusAverage = Wording(
        "unexpected",
        "“{found}” does not belong here — after `average` comes `counts`, `worst`, `pending`, `leaves` or a share such as `40%`",
        fr:
            "« {found} » n’a pas sa place ici — après `average` vient `counts`, `worst`, `pending`, `leaves` ou une part comme `40%`",
        zh: "“{found}”不应在此——`average` 之后应为 `counts`、`worst`、`pending`、`leaves` 或 `40%` 这样的比例")
    static let statusCounts = Wording(
        "unexpected", "“{found}” does not belong here — a status is `attempted`, `earned` or `in_gpa`",
        fr: "« {found} » n’a pas sa place ici — un statut est `attempted`, `earned` ou `in_gpa`",
        zh: "“{found}”不应在此——状态可为 `attempted`、`earned` 或 `in_gpa`")
    static let shareOutOfRange = Wording(
        "out_of_range", "a share lies between 0% and 100%, from the worst grade to the best",
        fr: "une part est comprise entre 0 % et 100 %, de la pire note à la meilleure",
        zh: "比例应在 0% 到 100% 之间，即从最低成绩到最高成绩")
    static let duplicate = Wording(
        "duplicate_name", "“{name}” is declared twice", fr: "« {name} » est déclaré deux fois", zh: "“{name}”重复声明")
    static let copyInTemplate = Wording(
        "unexpected", "a template has no “{name}” — staff take an earlier record into each record",
        fr: "un modèle ne contient pas de « {name} » — le personnel reprend un relevé antérieur dans chaque relevé",
        zh: "模板中不能有“{name}”——以往成绩单由教务人员逐份引入")
    static let levels = Wording(
        "out_of_range", "entries stand in each other 2 to {limit} levels deep",
        fr: "l’imbrication compte de 2 à {limit} niveaux", zh: "嵌套层数应为 2 到 {limit}")
    static let formerName = Wording(
        "former_name", "“{name}” still stands for something here — `was` takes names that nothing has any more",
        fr: "« {name} » désigne encore quelque chose ici — `was` prend des noms que plus rien ne porte",
        zh: "“{name}”在此仍有所指——`was` 之后应为已不再使用的名称")
    static let tooMany = Wording(
        "too_many", "at most {limit} are allowed here", fr: "{limit} au plus sont permis ici", zh: "此处最多允许 {limit} 个")
    static let tooDeep = Wording(
        "too_deep", "this nests too deep — name a part of it with `let` or as a figure of its own",
        fr: "l’imbrication est trop profonde — nommez-en une partie par `let` ou comme valeur à part",
        zh: "嵌套过深——请用 `let` 或单独的数值命名其中一部分")
    static let formulaTooLong = Wording(
        "formula_too_long", "this formula has more than {limit} parts — make figures of some of them",
        fr: "cette formule a plus de {limit} éléments — faites-en des valeurs à part",
        zh: "此公式超过 {limit} 个部分——请将其中一些设为单独的数值")
    static let tooMuchShown = Wording(
        "too_much_shown",
        "with this a record may have more than 20,000 figures and outcomes — bound its kind, as in `at most 60`, or hide some",
        fr:
            "à partir d’ici un relevé peut avoir plus de 20 000 valeurs et résultats — bornez ce type, comme dans `at most 60`, ou masquez-en",
        zh: "至此一份记录的数值与结果可能超过 20,000 个——请限制该类条目数，如 `at most 60`，或隐藏其中一些")
    static let numberTooLong = Wording(
        "number_too_long", "this number has too many digits", fr: "ce nombre a trop de chiffres", zh: "此数字位数过多")
    static let tooManyUnits = Wording(
        "unit_mismatch", "this multiplies too many units — write `in plain` to drop some",
        fr: "ceci multiplie trop d’unités — écrivez `in plain` pour en enlever",
        zh: "这里相乘的单位过多——可写 `in plain` 去掉一些")
    static let tooMuch = Wording(
        "too_much", "with this the document takes too long to check — shorten its formulas, templates or examples",
        fr: "à partir d’ici la vérification du document est trop longue — raccourcissez formules, modèles ou exemples",
        zh: "至此检查文档耗时过长——请缩短公式、模板或示例")
    static let noRegulation = Wording(
        "no_regulation", "the first declaration must be `regulation`",
        fr: "la première déclaration doit être `regulation`",
        zh: "第一个声明必须是 `regulation`")
    static let language = Wording(
        "unknown_language", "only `language 1` is known", fr: "seul `language 1` est connu", zh: "只支持 `language 1`")
    static let order = Wording(
        "bounds_order", "each bound must be worse than the one before it",
        fr: "chaque seuil doit être moins bon que le précédent", zh: "每个下限必须比前一个差")
    static let emptyRange = Wording(
        "empty_range", "the least value lies above the greatest", fr: "la valeur minimale dépasse la maximale",
        zh: "最小值大于最大值")
}

// MARK: - Names

extension Wording {
    static let unknownName = Wording(
        "unknown_name", "there is no “{name}” in {kind}", fr: "il n’y a pas de « {name} » dans {kind}",
        zh: "{kind} 中没有“{name}”")
    static let unknownNameGuess = Wording(
        "unknown_name", "there is no “{name}” in {kind} — did you mean `{nearest}`?",
        fr: "il n’y a pas de « {name} » dans {kind} — vouliez-vous dire `{nearest}` ?",
        zh: "{kind} 中没有“{name}”——是否想写 `{nearest}`？")
    static let nameElsewhere = Wording(
        "unknown_name", "there is no “{name}” in {kind} — `{name}` belongs to `{owner}`: write `{owner}.{name}`",
        fr: "il n’y a pas de « {name} » dans {kind} — `{name}` appartient à `{owner}` : écrivez `{owner}.{name}`",
        zh: "{kind} 中没有“{name}”——`{name}` 属于 `{owner}`：请写 `{owner}.{name}`")
    static let nameOutOfReach = Wording(
        "unknown_name",
        "there is no “{name}” in {kind} — `{name}` belongs to `{owner}`, of which there may be several here",
        fr:
            "il n’y a pas de « {name} » dans {kind} — `{name}` appartient à `{owner}`, dont il peut y avoir plusieurs ici",
        zh: "{kind} 中没有“{name}”——`{name}` 属于 `{owner}`，此处可能有多个")
    static let unknownKind = Wording(
        "unknown_kind", "there is no entry “{name}”", fr: "il n’y a pas d’élément « {name} »", zh: "没有条目“{name}”")
    static let unknownKindGuess = Wording(
        "unknown_kind", "there is no entry “{name}” — did you mean `{nearest}`?",
        fr: "il n’y a pas d’élément « {name} » — vouliez-vous dire `{nearest}` ?", zh: "没有条目“{name}”——是否想写 `{nearest}`？"
    )
    static let notAround = Wording(
        "not_inside", "no {name} is around a {kind} here", fr: "aucun {name} n’entoure {kind} ici",
        zh: "此处 {kind} 不在 {name} 之内")
    static let notInside = Wording(
        "not_inside",
        "{name} entries do not stand in {kind} — they stand in {owner}: write `of {owner}` behind the figure’s name for a figure of each, or `over {name} of {owner}` for those of all",
        fr:
            "les {name} ne sont pas dans {kind} — ils sont dans {owner} : écrivez `of {owner}` après le nom de la valeur pour une valeur de chacun, ou `over {name} of {owner}` pour ceux de tous",
        zh: "{name} 不在 {kind} 中——它们在 {owner} 中：若要逐个 {owner} 计算，请在数值名称后写 `of {owner}`；若要合计全部，请写 `over {name} of {owner}`"
    )
    static let neverInside = Wording(
        "not_inside", "{name} entries do not stand in {kind}", fr: "les {name} ne sont pas dans {kind}",
        zh: "{name} 不在 {kind} 中")
    static let unknownUnit = Wording(
        "unknown_unit", "nothing is given in “{name}”", fr: "rien n’est exprimé en « {name} »", zh: "没有以“{name}”为单位的值")
    static let unknownUnitGuess = Wording(
        "unknown_unit", "nothing is given in “{name}” — did you mean `{nearest}`?",
        fr: "rien n’est exprimé en « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "没有以“{name}”为单位的值——是否想写 `{nearest}`？")
    static let notAScale = Wording(
        "not_a_scale", "“{name}” is no scale — declare `scale {name} \"…\" worst … best …`",
        fr: "« {name} » n’est pas une échelle — déclarez `scale {name} \"…\" worst … best …`",
        zh: "“{name}”不是量表——请声明 `scale {name} \"…\" worst … best …`")
    static let unknownRounding = Wording(
        "unknown_rounding", "no rounding is called “{name}”", fr: "aucun arrondi ne s’appelle « {name} »",
        zh: "没有名为“{name}”的舍入规则")
    static let unknownRoundingGuess = Wording(
        "unknown_rounding", "no rounding is called “{name}” — did you mean `{nearest}`?",
        fr: "aucun arrondi ne s’appelle « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "没有名为“{name}”的舍入规则——是否想写 `{nearest}`？")
    static let unknownBands = Wording(
        "unknown_bands", "no bands are called “{name}”", fr: "aucun barème ne s’appelle « {name} »",
        zh: "没有名为“{name}”的等级表")
    static let unknownBandsGuess = Wording(
        "unknown_bands", "no bands are called “{name}” — did you mean `{nearest}`?",
        fr: "aucun barème ne s’appelle « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "没有名为“{name}”的等级表——是否想写 `{nearest}`？")
    static let unknownChoice = Wording(
        "unknown_choice", "“{field}” is never “{name}”", fr: "« {field} » n’est jamais « {name} »",
        zh: "“{field}”不会是“{name}”")
    static let unknownChoiceGuess = Wording(
        "unknown_choice", "“{field}” is never “{name}” — did you mean `{nearest}`?",
        fr: "« {field} » n’est jamais « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "“{field}”不会是“{name}”——是否想写 `{nearest}`？")
    static let unknownStatus = Wording(
        "unknown_status", "there is no status “{name}” — declare it with `status {name} average …`",
        fr: "il n’y a pas de statut « {name} » — déclarez-le par `status {name} average …`",
        zh: "没有状态“{name}”——请以 `status {name} average …` 声明")
    static let unknownStatusGuess = Wording(
        "unknown_status", "there is no status “{name}” — did you mean `{nearest}`?",
        fr: "il n’y a pas de statut « {name} » — vouliez-vous dire `{nearest}` ?", zh: "没有状态“{name}”——是否想写 `{nearest}`？"
    )
    static let unknownSetting = Wording(
        "unknown_setting", "no setting is called “{name}”", fr: "aucun réglage ne s’appelle « {name} »",
        zh: "没有名为“{name}”的设置")
    static let unknownSettingGuess = Wording(
        "unknown_setting", "no setting is called “{name}” — did you mean `{nearest}`?",
        fr: "aucun réglage ne s’appelle « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "没有名为“{name}”的设置——是否想写 `{nearest}`？")
    static let presetRule = Wording(
        "preset_rule",
        "“{found}” cannot stand in for “{name}” — a preset names another rounding, bands in the same unit, or another status",
        fr:
            "« {found} » ne peut remplacer « {name} » — un préréglage nomme un autre arrondi, un barème de la même unité ou un autre statut",
        zh: "“{found}”不能代替“{name}”——预设应写另一舍入规则、同单位的等级表或另一状态")
    static let unknownTemplate = Wording(
        "unknown_template", "no template is called “{name}”", fr: "aucun modèle ne s’appelle « {name} »",
        zh: "没有名为“{name}”的模板")
    static let unknownTemplateGuess = Wording(
        "unknown_template", "no template is called “{name}” — did you mean `{nearest}`?",
        fr: "aucun modèle ne s’appelle « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "没有名为“{name}”的模板——是否想写 `{nearest}`？")
    static let unknownFunction = Wording(
        "unknown_function",
        "there is no function “{name}” — there are `min`, `max`, `round`, and each `let` that is declared with numbers in brackets",
        fr:
            "il n’y a pas de fonction « {name} » — il y a `min`, `max`, `round` et tout `let` déclaré avec des nombres entre parenthèses",
        zh: "没有函数“{name}”——有 `min`、`max`、`round`，以及声明时带括号的 `let`")
    static let groupOfEntries = Wording(
        "group_of_entries", "groups are of entries, and “{name}” is none — name a kind that `entry` declares",
        fr: "un groupe réunit des éléments, et « {name} » n’en est pas un — nommez un type déclaré par `entry`",
        zh: "分组由条目构成，“{name}”不是条目——请写 `entry` 声明的类型")
    static let groupOfGrade = Wording(
        "group_of_grade", "a grade decides which group this is in — group by a text or a number that is no grade",
        fr: "le groupe dépend d’une note — groupez par un texte ou un nombre qui n’est pas une note",
        zh: "分组取决于成绩——请按文本或非成绩的数字分组")
    static let notAGroupKey = Wording(
        "type_mismatch", "a text or a number is needed here, which all entries of a group share",
        fr: "il faut ici un texte ou un nombre que tous les éléments d’un groupe partagent",
        zh: "此处需要同组条目共有的文本或数字")
    static let bestOfMean = Wording(
        "best_of_mean", "`best … of … by` is the last clause of a `mean of … over …`, whose weights it gives",
        fr: "`best … of … by` est la dernière clause d’un `mean of … over …`, dont il donne les coefficients",
        zh: "`best … of … by` 只能是 `mean of … over …` 的最后一个子句，并由它给出权重")
    static let limitOfAmount = Wording(
        "limit_of_amount",
        "`at most` limits how many entries are alike — choose them by a clause before, as in `best 100 by mark at most 2 where year = 1 best 90 of credits by mark`",
        fr:
            "`at most` limite le nombre d’éléments semblables — choisissez-les par une clause qui précède, comme `best 100 by mark at most 2 where year = 1 best 90 of credits by mark`",
        zh:
            "`at most` 限制相似条目的个数——请在前一个子句中选取，例如 `best 100 by mark at most 2 where year = 1 best 90 of credits by mark`")
    static let amountOfGrades = Wording(
        "amount_of_grades", "a grade decides how much of it counts — give a number or a field that is no grade",
        fr: "la part qui compte dépend d’une note — donnez un nombre ou un champ qui n’est pas une note",
        zh: "计入的份额取决于成绩——请给出数字或非成绩字段")
    static let ratioOnly = Wording(
        "ratio_only", "`by ratio` is the last clause of a `ratio of … to … over …`",
        fr: "`by ratio` est la dernière clause d’un `ratio of … to … over …`",
        zh: "`by ratio` 只能是 `ratio of … to … over …` 的最后一个子句")
    static let expectingFold = Wording(
        "expecting_mean",
        "`expecting` belongs to a `mean of … over …` or a `sum of … over …` without weights, once, and behind it come only `without` and `best` by what is averaged",
        fr:
            "`expecting` va avec un `mean of … over …` ou un `sum of … over …` sans coefficients, une fois, et n’est suivi que de `without` et `best` selon la valeur dont on fait la moyenne",
        zh: "`expecting` 只用于无权重的 `mean of … over …` 或 `sum of … over …`，且仅一次；其后只能有按同一数值的 `without` 和 `best`")
    static let expectingScale = Wording(
        "expecting_scale",
        "a missing grade needs a worst and a best — write `as percent`, or give the value in a scale",
        fr:
            "une note manquante doit avoir une pire et une meilleure valeur — écrivez `as percent`, ou donnez une échelle",
        zh: "缺失成绩需要最差值和最好值——请写 `as percent`，或使用量表")
    static let countOfGrades = Wording(
        "count_of_grades", "a grade decides how many this is — give a number or a field that is no grade",
        fr: "ce nombre dépend d’une note — donnez un nombre ou un champ qui n’est pas une note",
        zh: "此数量取决于成绩——请给出数字或非成绩字段")
    static let tooCostly = Wording(
        "too_costly",
        "this goes over too many entries too often — bound the kinds, as in `at most 60`, or go over fewer",
        fr:
            "ceci parcourt trop d’éléments trop souvent — bornez les types, comme dans `at most 60`, ou parcourez-en moins",
        zh: "这里对过多条目遍历过多次——请限制条目数，如 `at most 60`，或减少遍历")
    static let templateRefused = Wording(
        "template_refused", "the template “{name}” is no record that these rules accept: {fault} at {path}",
        fr: "le modèle « {name} » n’est pas un relevé que ces règles acceptent : {fault} à {path}",
        zh: "模板“{name}”不符合这些规则：{path} 处 {fault}")
    static let circular = Wording(
        "circular", "“{name}” needs itself, through {way}", fr: "« {name} » a besoin de lui-même, par {way}",
        zh: "“{name}”通过 {way} 依赖其自身")
}
