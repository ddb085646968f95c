extension MessageCatalog {
    /// The kit's wording: of general faults, of faults in records and settings, and of the reasons why a figure is
    /// undefined.
    public static let kit = MessageCatalog.general.adding(MessageCatalog(faultsOfRecords))
        .adding(MessageCatalog(settings)).adding(MessageCatalog(reasons))

    private static let faultsOfRecords: [FaultCode: LocalizedText] = [
        .wrongKind: LocalizedText(
            "An entry of this kind does not belong here", fr: "Ce type d’élément n’a pas sa place ici",
            zh: "此处不能有这种条目"),
        .missingChild: LocalizedText(
            "{min} of kind {kind} are required", fr: "Il faut {min} éléments de type {kind}",
            zh: "需要 {min} 个 {kind}"),
        .tooDeep: LocalizedText(
            "Entries of this kind stand at most {limit} deep in each other",
            fr: "Ces éléments s’imbriquent sur {limit} niveaux au plus", zh: "此类条目最多嵌套 {limit} 层"),
        .earlierEntry: LocalizedText(
            "An earlier record is taken as a whole, by staff",
            fr: "Un relevé antérieur est repris en bloc, par le personnel",
            zh: "以往成绩单只能由教务人员整体引入"),
        .noEarlier: LocalizedText(
            "The earlier record has not been taken yet", fr: "Le relevé antérieur n’a pas encore été repris",
            zh: "尚未引入以往成绩单"),
        .notInEarlier: LocalizedText(
            "The earlier record does not have it", fr: "Le relevé antérieur ne le contient pas", zh: "以往成绩单中没有此项"),
        .notAnUnknown: LocalizedText(
            "This cannot change what is asked for", fr: "Cela ne peut rien changer à l’objectif",
            zh: "此项不影响所问的目标"),
        .traceTooLarge: LocalizedText(
            "The explanations are too large for one answer; ask for {figure} alone",
            fr: "Les explications sont trop longues pour une seule réponse ; demandez {figure} seul",
            zh: "解释内容过长，无法一次返回；请只查询 {figure}"),
        .figureTooLarge: LocalizedText(
            "The explanation of {figure} is too large for one answer",
            fr: "L’explication de {figure} est trop longue pour une réponse", zh: "{figure} 的解释过长，无法返回"),
        .tooMuchWork: LocalizedText(
            "This record takes too much work to compute under these rules",
            fr: "Ce relevé demande trop de calculs selon ces règles", zh: "按这些规则计算此成绩单的工作量过大"),
        .goalTooLarge: LocalizedText(
            "This goal would take too long to search; ask about one entry, or in larger steps",
            fr: "La recherche de cet objectif serait trop longue ; interrogez un seul élément, ou par pas plus grands",
            zh: "求解此目标耗时过长；请只查询一个条目，或使用更大的步长"),
        .ambiguousNumber: LocalizedText(
            "This can mean {small} or {great}; write the one you mean",
            fr: "Cela peut vouloir dire {small} ou {great} ; précisez lequel",
            zh: "既可表示 {small}，也可表示 {great}；请写明是哪一个"),
        .enteredByStaff: LocalizedText(
            "Staff entered this, and only staff can change it",
            fr: "Saisi par le personnel, seul autorisé à le modifier", zh: "此项由教职员录入，只有教职员可以更改"),
        .classEntry: LocalizedText(
            "This belongs to a class and is changed there", fr: "Cet élément appartient à un cours et s’y modifie",
            zh: "此条目属于某个班级，须在班级中更改"),
        .notMountable: LocalizedText(
            "Entries of kind {kind} cannot be graded by a class",
            fr: "Les éléments de type {kind} ne peuvent pas être notés par un cours", zh: "{kind} 类条目不能由班级评分"),
        .givingNotAllowed: LocalizedText(
            "You may not decide on figures and outcomes here",
            fr: "Vous ne pouvez pas fixer ici de valeur ni de résultat", zh: "你无权在此裁定数值或结果"),
        .givenLimit: LocalizedText(
            "A record holds at most {limit} given figures and outcomes",
            fr: "Un relevé contient au plus {limit} valeurs et résultats fixés", zh: "一份成绩单最多包含 {limit} 项裁定的数值与结果"),
        .notSupported: LocalizedText(
            "This scheme takes no decisions on figures and outcomes",
            fr: "Ce système de notation n’accepte pas de valeur ni de résultat fixés par une personne",
            zh: "此方案不接受人工裁定的数值或结果"),
        .givenOutdated: LocalizedText(
            "What is computed has changed since another value was given",
            fr: "Le calcul a changé depuis qu’une autre valeur a été fixée", zh: "裁定之后，计算结果已发生变化"),
        .entryNotFound: LocalizedText("That entry does not exist", fr: "Cet élément n’existe pas", zh: "该条目不存在"),
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
            "{given} is read as: {label} from {from}", fr: "{given} est compris comme : {label} à partir de {from}",
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
            "This scheme does not answer goals", fr: "Ce système de notation ne calcule pas d’objectifs",
            zh: "此方案不支持目标计算"),
        .notComputable: LocalizedText(
            "The scheme cannot be computed now: {detail}", fr: "Le calcul est momentanément impossible : {detail}",
            zh: "目前无法计算：{detail}"),
        .circular: LocalizedText(
            "This figure depends on itself", fr: "Cette valeur dépend d’elle-même", zh: "该数值依赖其自身"),
    ]
}
