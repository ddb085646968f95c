import GradingKit

/// Faults of tables and curves, and of formulas that look into them.
extension Wording {
    static let emptyTable = Wording(
        "empty_table", "a table has a line with the names of its columns, then a line for each row",
        fr: "un tableau a une ligne avec les noms de ses colonnes, puis une ligne par rangée",
        zh: "表格的第一行是各列名称，其后每行一条")
    static let emptyLabel = Wording(
        "empty_table", "a row or a column of a table needs a name",
        fr: "une ligne ou une colonne d’un tableau doit avoir un nom", zh: "表格的行和列都要有名称")
    static let rowLength = Wording(
        "row_length", "this row has {found} values for {expected} columns — write `-` where there is none",
        fr: "cette ligne a {found} valeurs pour {expected} colonnes — écrivez `-` là où il n’y en a pas",
        zh: "此行有 {found} 个值，而表格有 {expected} 列——没有值处请写 `-`")
    static let curveTooShort = Wording(
        "empty_table", "a curve has two lines or more, each with a value and what becomes of it",
        fr: "une courbe a au moins deux lignes, chacune avec une valeur et ce qu’elle devient",
        zh: "曲线至少有两行，每行为一个值及其对应结果")
    static let curveTurns = Wording(
        "curve_turns", "the curve turns here — its values and what becomes of them rise or fall throughout",
        fr:
            "la courbe change de sens ici — ses valeurs et leurs résultats croissent ou décroissent d’un bout à l’autre",
        zh: "曲线在此转向——其值和结果必须始终上升或始终下降")
    static let curveUnit = Wording(
        "unit_mismatch", "the curve is from {unit}, this is in {found}",
        fr: "la courbe part de {unit}, ceci est en {found}",
        zh: "曲线以 {unit} 为起点，此处是 {found}")
    static let unknownTable = Wording(
        "unknown_table", "no table is called “{name}”", fr: "aucun tableau ne s’appelle « {name} »",
        zh: "没有名为“{name}”的表格")
    static let unknownTableGuess = Wording(
        "unknown_table", "no table is called “{name}” — did you mean `{nearest}`?",
        fr: "aucun tableau ne s’appelle « {name} » — vouliez-vous dire `{nearest}` ?",
        zh: "没有名为“{name}”的表格——是否想写 `{nearest}`？")
    static let tableNeedsKeys = Wording(
        "table_needs_keys", "“{name}” is a table — write `{name}[row, column]`",
        fr: "« {name} » est un tableau — écrivez `{name}[ligne, colonne]`",
        zh: "“{name}”是表格——请写 `{name}[行, 列]`")
    static let unknownLabel = Wording(
        "unknown_label", "the table “{table}” has no “{name}” there",
        fr: "le tableau « {table} » n’a pas de « {name} » à cet endroit", zh: "表格“{table}”在此没有“{name}”")
    static let unknownLabelGuess = Wording(
        "unknown_label", "the table “{table}” has no “{name}” there — did you mean “{nearest}”?",
        fr: "le tableau « {table} » n’a pas de « {name} » à cet endroit — vouliez-vous dire « {nearest} » ?",
        zh: "表格“{table}”在此没有“{name}”——是否想写“{nearest}”？")
    static let keyOfGrade = Wording(
        "key_of_grade",
        "a grade decides where this looks in the table — use a letter, a text or a number that is no grade",
        fr: "l’endroit du tableau dépend d’une note — donnez une lettre, un texte ou un nombre qui n’est pas une note",
        zh: "在表格中的位置取决于成绩——请用等级、文本或非成绩的数字")
    static let notAKey = Wording(
        "type_mismatch", "a text or a number is needed here, which a row or a column is called by",
        fr: "il faut ici un texte ou un nombre, le nom d’une ligne ou d’une colonne",
        zh: "此处需要作为行名或列名的文本或数字")
}

// MARK: - Sheets that take the place of a table

extension Wording {
    static let emptySheet = Wording(
        "empty_table",
        "the sheet needs a line with the names of the columns and a line for each row, which begins with its name",
        fr:
            "la feuille doit avoir une ligne avec les noms des colonnes et une ligne par rangée, qui commence par son nom",
        zh: "表格需要一行列名，其后每行以行名开头")
    static let unreadableSheet = Wording(
        "unreadable_sheet", "the sheet cannot be read — it is text in UTF-8 of at most 256 KiB and 256 columns",
        fr: "la feuille est illisible — il faut un texte en UTF-8 d’au plus 256 Kio et 256 colonnes",
        zh: "无法读取表格——应为 UTF-8 文本，最多 256 KiB、256 列")
    static let sheetTooLarge = Wording(
        "too_many", "the tables of a document have at most {limit} cells",
        fr: "les tableaux d’un document ont au plus {limit} cellules", zh: "文档中的表格最多有 {limit} 个单元格")
    static let labelMissing = Wording(
        "empty_table", "a name is missing here", fr: "il manque un nom ici", zh: "此处缺少名称")
    static let labelUnreadable = Wording(
        "unreadable_character", "“{found}” has a character that no name may have",
        fr: "« {found} » contient un caractère qu’aucun nom ne peut avoir", zh: "“{found}”含有名称中不允许的字符")
    static let ambiguousCell = Wording(
        "ambiguous_number", "“{found}” can be read as two numbers — write it without grouping",
        fr: "« {found} » peut se lire comme deux nombres — écrivez-le sans séparateur de milliers",
        zh: "“{found}”可读作两个数字——请不要使用千位分隔符")
    static let badCell = Wording(
        "not_a_number", "“{found}” is not a number — leave the cell empty where there is none",
        fr: "« {found} » n’est pas un nombre — laissez la cellule vide là où il n’y en a pas",
        zh: "“{found}”不是数字——没有值时请留空")
}
