import GradingKit

/// Faults of formulas: units, types of values, and entries.
extension Wording {
    static let addsUnits = Wording(
        "unit_mismatch",
        "this adds {left} and {right} — divide the points by their maximum and write `as percent`, or give both one unit",
        fr:
            "ceci ajoute {left} et {right} — divisez les points par leur maximum et écrivez `as percent`, ou donnez aux deux la même unité",
        zh: "这里把 {left} 与 {right} 相加——请将得分除以满分并写 `as percent`，或使两者单位一致")
    static let plainBeside = Wording(
        "unit_mismatch",
        "this joins {unit} and a number without a unit — write `in {unit}` behind the number, or `as` where it is a ratio",
        fr:
            "ceci réunit {unit} et un nombre sans unité — écrivez `in {unit}` derrière ce nombre, ou `as` si c’est un rapport",
        zh: "这里把 {unit} 与无单位的数放在一起——请在该数后写 `in {unit}`，若为比值则写 `as`")
    static let comparesUnits = Wording(
        "unit_mismatch", "this compares {left} with {right} — give both one unit",
        fr: "ceci compare {left} à {right} — donnez aux deux la même unité", zh: "这里将 {left} 与 {right} 比较——请使两者单位一致")
    static let figureUnit = Wording(
        "unit_mismatch", "the figure is in {unit}, its formula gives {found}",
        fr: "la valeur est en {unit}, sa formule donne {found}", zh: "该数值以 {unit} 为单位，公式却得到 {found}")
    static let figureUnitGuess = Wording(
        "unit_mismatch", "the figure is in {unit}, its formula gives {found} — did you mean `{found}`?",
        fr: "la valeur est en {unit}, sa formule donne {found} — vouliez-vous dire `{found}` ?",
        zh: "该数值以 {unit} 为单位，公式却得到 {found}——是否想写 `{found}`？")
    static let figureRatio = Wording(
        "unit_mismatch",
        "the figure is in {unit}, its formula gives a plain number — a ratio becomes {unit} by `as {unit}`",
        fr:
            "la valeur est en {unit}, sa formule donne un nombre sans unité — un rapport devient {unit} par `as {unit}`",
        zh: "该数值以 {unit} 为单位，公式却得到无单位的数——比值可用 `as {unit}` 换算")
    static let converts = Wording(
        "unit_mismatch", "{found} cannot become {unit} — `as` takes a plain ratio or a grade of another scale",
        fr: "{found} ne peut devenir {unit} — `as` prend un rapport sans unité ou une note d’une autre échelle",
        zh: "{found} 不能换算为 {unit}——`as` 只接受无单位的比值或另一量表的成绩")
    static let argumentCount = Wording(
        "argument_count", "“{name}” is called with {count} numbers — write them in brackets behind it",
        fr: "« {name} » s’emploie avec {count} nombres — écrivez-les entre parenthèses derrière",
        zh: "“{name}”需要 {count} 个数——请写在其后的括号中")
    static let argumentOpen = Wording(
        "argument_open",
        "a `let` is called with numbers that are the same for every record — write a number or a setting",
        fr:
            "un `let` s’emploie avec des nombres qui sont les mêmes pour tous les relevés — écrivez un nombre ou un paramètre",
        zh: "调用 `let` 的数须对所有成绩单相同——请写数字或设置项")
    static let argumentUnit = Wording(
        "unit_mismatch", "this gives {found}, and “{name}” is in {unit}",
        fr: "ceci donne {found}, et « {name} » est en {unit}", zh: "此处以 {found} 为单位，而“{name}”以 {unit} 为单位")
    static let saysUnit = Wording(
        "unit_mismatch",
        "this is in {found} already — `in` says the unit of a plain number; write `in plain` to drop it",
        fr:
            "ceci est déjà en {found} — `in` donne une unité à un nombre sans unité ; écrivez `in plain` pour l’enlever",
        zh: "这里已以 {found} 为单位——`in` 用于无单位的数；写 `in plain` 可去掉单位")
    static let bandsUnit = Wording(
        "unit_mismatch", "the bands are in {unit}, this is in {found}",
        fr: "le barème est en {unit}, ceci est en {found}",
        zh: "等级表以 {unit} 为单位，此处是 {found}")
    static let notNumber = Wording(
        "type_mismatch", "a number is needed here", fr: "il faut un nombre ici", zh: "此处需要数字")
    static let notCondition = Wording(
        "type_mismatch", "a condition is needed here", fr: "il faut une condition ici", zh: "此处需要条件")
    static let notComparable = Wording(
        "type_mismatch", "these two cannot be compared", fr: "ces deux ne se comparent pas", zh: "两者无法比较")
    static let noPoints = Wording(
        "no_points", "the bands “{name}” are worth no points — declare them with `worth`",
        fr: "le barème « {name} » ne vaut pas de points — déclarez-le avec `worth`",
        zh: "等级表“{name}”没有绩点——请用 `worth` 声明")
    static let notAPlaceholder = Wording(
        "type_mismatch", "a name in braces is that of a figure, a field or a setting that is a text or a number",
        fr: "un nom entre accolades est celui d’une valeur, d’un champ ou d’un réglage, texte ou nombre",
        zh: "花括号中的名称应为文本或数字类型的数值、字段或设置")
    static let placeholderInCheck = Wording(
        "placeholder_in_check", "the text of a check tells no values — write it without braces",
        fr: "le texte d’un `check` ne donne pas de valeurs — écrivez-le sans accolades", zh: "`check` 的文字不含数值——请去掉花括号")
    static let noBounds = Wording(
        "no_bounds", "the bands “{name}” have no bounds — declare them with `in` and a bound on each line",
        fr: "le barème « {name} » n’a pas de seuils — déclarez-le avec `in` et un seuil par ligne",
        zh: "等级表“{name}”没有下限——请用 `in` 声明，并在每行写下限")
    static let lettersAlike = Wording(
        "letters_alike", "the best and the last letter of “{name}” are worth the same",
        fr: "la meilleure et la dernière lettre de « {name} » valent autant", zh: "“{name}”中最好与最后的等级绩点相同")
    static let lettersTurn = Wording(
        "letters_turn", "the points of “{name}” go up and down — letters stand best first",
        fr: "les points de « {name} » montent et descendent — les lettres se suivent de la meilleure à la pire",
        zh: "“{name}”的绩点忽升忽降——等级应从最好排到最差")
    static let exactComparison = Wording(
        "exact_comparison", "this compares the exact value, not the one that is shown — write `reaches`",
        fr: "ceci compare la valeur exacte et non celle qui est affichée — écrivez `reaches`",
        zh: "这里比较的是精确值，而非显示的值——请写 `reaches`"
    ).asWarning
    static let outerInLet = Wording(
        "outer_in_let",
        "a `let` of {kind} knows one {kind} only, so `{kind}.{name}` is its own {name} — write `{name}`, and compare with another {kind} behind `where`",
        fr:
            "un `let` de {kind} ne connaît qu’un seul {kind} : `{kind}.{name}` est son propre {name} — écrivez `{name}`, et comparez avec un autre {kind} après `where`",
        zh: "{kind} 的 `let` 只知道一个 {kind}，`{kind}.{name}` 就是它自己的 {name}——请写 `{name}`，并在 `where` 之后与另一个 {kind} 比较")
    static let needsGrows = Wording(
        "needs_grows",
        "`needs` decides for good, and this sum grows while entries are to come — write `awaits` for what is only not reached yet",
        fr:
            "`needs` décide définitivement, et cette somme croît tant que des éléments sont à venir — écrivez `awaits` pour ce qui n’est pas encore atteint",
        zh: "`needs` 作出最终判定，而条目陆续增加时此总和会增长——若只是尚未达到，请写 `awaits`"
    ).asWarning
    static let neverMet = Wording(
        "never_met", "no line makes “{name}” met — say when by `met when`, or turn `unmet when` into `needs … else`",
        fr: "rien ne rend « {name} » acquis — dites quand par `met when`, ou écrivez `needs … else` pour `unmet when`",
        zh: "没有一行使“{name}”达成——请用 `met when` 说明何时达成，或把 `unmet when` 改为 `needs … else`"
    ).asWarning
    static let valueOfTwoStates = Wording(
        "value_of_two_states", "“{name}” is met on one line and unmet on another — name two values",
        fr: "« {name} » est acquis sur une ligne et non acquis sur une autre — nommez deux valeurs",
        zh: "“{name}”在一行中为达成，在另一行中为未达成——请分为两个值")
    static let valueByHand = Wording(
        "value_by_hand", "“{name}” is given by hand — it has one line, and no other decides it",
        fr: "« {name} » est donné à la main — il a une seule ligne, et aucune autre n’en décide",
        zh: "“{name}”由人工给出——只能有一行，且没有其他行判定它")
    static let duplicateLabel = Wording(
        "duplicate_name", "“{name}” has two labels — keep the one on its first line",
        fr: "« {name} » a deux libellés — gardez celui de sa première ligne", zh: "“{name}”有两个标签——请保留第一行的标签")
    static let reachesNeedsFigure = Wording(
        "reaches_needs_figure", "`reaches` judges a figure as it is shown — write `>=` for other values",
        fr: "`reaches` juge une valeur telle qu’affichée — écrivez `>=` pour les autres",
        zh: "`reaches` 按显示的值判断数值——其他值请写 `>=`")
    static let negativeWeight = Wording(
        "negative_weight", "this weight may be below 0 — give its field `from 0`",
        fr: "ce coefficient peut être inférieur à 0 — donnez `from 0` à son champ", zh: "此权重可能小于 0——请为其字段写 `from 0`")
    static let notMonotone = Wording(
        "not_monotone", "a better grade can worsen this figure, because of “{because}” — add `without range`",
        fr: "une meilleure note peut dégrader cette valeur, à cause de « {because} » — ajoutez `without range`",
        zh: "更好的成绩可能使该数值变差，原因是“{because}”——请添加 `without range`")
    static let notAGrade = Wording(
        "not_a_grade", "`missing as worst` is for grades, and “{name}” is none",
        fr: "`missing as worst` concerne les notes, et « {name} » n’en est pas une",
        zh: "`missing as worst` 只用于成绩，“{name}”不是成绩")
    static let ungradedNowhere = Wording(
        "ungraded_nowhere", "`otherwise ungraded` stands in the formula of an entry’s figure that is in a scale",
        fr: "`otherwise ungraded` se place dans la formule d’une valeur d’élément exprimée dans une échelle",
        zh: "`otherwise ungraded` 只能用于以量表为单位的条目数值公式")
    static let valueClause = Wording(
        "unexpected", "a value is missing: `when` and a condition", fr: "il manque `when` et une condition",
        zh: "缺少 `when` 和条件")
}
