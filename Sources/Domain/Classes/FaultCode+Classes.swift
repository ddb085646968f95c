public import GradingKit

extension FaultCode {
    /// A line that the class does not have.
    public static let lineUnknown = FaultCode(
        "line_unknown", "The class has no such line", fr: "Le cours n’a pas cette ligne", zh: "班级中没有这一项")
    /// The class has the greatest number of lines.
    public static let lineLimit = FaultCode(
        "line_limit", "A class has at most {limit} lines", fr: "Un cours a au plus {limit} lignes",
        zh: "一个班级最多有 {limit} 项")
    /// The root of a class cannot be moved or deleted.
    public static let rootKept = FaultCode(
        "root_kept", "The first line of a class stays where it is", fr: "La première ligne d’un cours reste à sa place",
        zh: "班级的首项不能移动或删除")
    /// An enrolment that the class does not have.
    public static let enrolmentUnknown = FaultCode(
        "enrolment_unknown", "This student is not in the class", fr: "Cet étudiant n’est pas dans le cours",
        zh: "该学生不在此班级中")
    /// A line that has no results of its own.
    public static let notACell = FaultCode(
        "not_a_cell", "This line has no results", fr: "Cette ligne n’a pas de résultats", zh: "此项没有成绩")
    /// One act changes the same part of a cell several times, without saying what it found there each time.
    public static let cellTwice = FaultCode(
        "cell_twice", "There are several results for this cell", fr: "Il y a plusieurs résultats pour cette cellule",
        zh: "同一单元格有多个成绩")
    /// The cell was refused when the request was first sent, and the reason is not stored any more.
    public static let refusedBefore = FaultCode(
        "refused_before", "This was refused the first time, and the reason is no longer known; enter it again",
        fr: "Cela a été refusé la première fois, et la raison n’est plus connue ; saisissez-le à nouveau",
        zh: "首次提交时已被拒绝，原因已不再保留；请重新输入")
    /// The cell has changed since it was seen.
    public static let cellConflict = FaultCode(
        "cell_conflict", "This was changed meanwhile", fr: "Cela a été modifié entre-temps", zh: "此内容已被他人更改")
    /// A figure of the total was given, or taken back, since it was seen.
    public static let givenChanged = FaultCode(
        "given_changed", "The total was changed meanwhile", fr: "Le total a été modifié entre-temps", zh: "总评已被他人更改")
    /// The line's maximum or scale has changed since it was seen.
    public static let lineChanged = FaultCode(
        "line_changed", "The line itself was changed meanwhile", fr: "La ligne elle-même a été modifiée entre-temps",
        zh: "该项本身已被更改")
    /// The structure has changed since the caller saw it.
    public static let structureChanged = FaultCode(
        "structure_changed", "The columns and weights were changed meanwhile",
        fr: "Les colonnes et les poids ont été modifiés entre-temps", zh: "各列及权重已被他人更改")
    /// The work has a result, so it is not missing.
    public static let resultEntered = FaultCode(
        "result_entered", "There is a result: take it out first", fr: "Il y a un résultat : retirez-le d’abord",
        zh: "已有成绩，请先将其删除")
    /// A curve under which a better result counts for less.
    public static let curveFalls = FaultCode(
        "curve_falls", "Results must rise from point to point, and a higher one must not count for less",
        fr: "Les résultats doivent croître d’un point à l’autre, et aucun ne doit compter moins qu’un plus bas",
        zh: "各点的成绩须依次递增，且较高的成绩不得折算为更低的值")
    /// A curve for a line without numeric results.
    public static let curveMisplaced = FaultCode(
        "curve_misplaced", "Only results that are numbers can be curved",
        fr: "Seuls des résultats chiffrés peuvent être ajustés",
        zh: "只有数值成绩可以调整")
    /// Two marks for a line without numeric results.
    public static let markingMisplaced = FaultCode(
        "marking_misplaced", "Two people mark only what has numbers as results",
        fr: "La double correction ne s’applique qu’à des résultats chiffrés", zh: "只有数值成绩可由两人评分")
    /// A result in a line with two markers, from a person who may not decide between them.
    public static let needsTwoMarks = FaultCode(
        "needs_two_marks", "Two people mark here. When both have, and do not agree, a third person decides",
        fr: "Ici, deux personnes corrigent. Si leurs notes divergent, une troisième tranche",
        zh: "此处由两人评分；若两人都已评分而不一致，由第三人裁定")
    /// A mark on work that two other people have marked.
    public static let markedTwice = FaultCode(
        "marked_twice", "Two people have marked this already", fr: "Deux personnes l’ont déjà corrigé", zh: "已有两人评分")
    /// A section that the class does not have.
    public static let sectionUnknown = FaultCode(
        "section_unknown", "The class has no such section", fr: "Le cours n’a pas cette section", zh: "班级中没有此教学班")
    /// A section with students.
    public static let sectionInUse = FaultCode(
        "section_in_use", "Students are in this section", fr: "Des étudiants sont dans cette section", zh: "此教学班中还有学生")
    /// The student has changed sections since the row was seen.
    public static let sectionChanged = FaultCode(
        "section_changed", "The student was put into another section meanwhile",
        fr: "L’étudiant a été placé dans une autre section entre-temps", zh: "该学生已被调到其他教学班")
    /// The class has the greatest number of sections.
    public static let sectionLimit = FaultCode(
        "section_limit", "A class has at most {limit} sections", fr: "Un cours a au plus {limit} sections",
        zh: "一个班级最多有 {limit} 个教学班")
    /// A student of other groups than the grader's.
    public static let rowNotAssigned = FaultCode(
        "row_not_assigned", "The student is in none of your groups", fr: "L’étudiant n’est dans aucun de vos groupes",
        zh: "该学生不在您负责的小组中")
    /// A group that the class does not have.
    public static let groupUnknown = FaultCode(
        "group_unknown", "The class has no such group", fr: "Le cours n’a pas ce groupe", zh: "班级中没有此小组")
    /// A group with the same title exists in the set.
    public static let groupTaken = FaultCode(
        "group_taken", "The set has a group of that name already", fr: "L’ensemble a déjà un groupe de ce nom",
        zh: "该分组方案中已有同名小组")
    /// A grader is limited to the group.
    public static let groupInUse = FaultCode(
        "group_in_use", "A grader is limited to this group", fr: "Un correcteur est limité à ce groupe",
        zh: "有评分人仅限于此小组")
    /// The student has changed groups since.
    public static let groupChanged = FaultCode(
        "group_changed", "The student is in another group by now", fr: "L’étudiant a changé de groupe entre-temps",
        zh: "该学生已被调到其他小组")
    /// Two classes of different programs, or of different roots.
    public static let classUnlike = FaultCode(
        "class_unlike", "Both classes must belong to the same program",
        fr: "Les deux cours doivent relever de la même formation",
        zh: "两个班级须属于同一项目")
    /// A line in a period that is locked.
    public static let lineLocked = FaultCode(
        "line_locked", "The grading period of this line is locked",
        fr: "La période de notation de cette ligne est verrouillée",
        zh: "该项所属的评分阶段已锁定")
    /// A line that is marked anonymously, in a request that names students.
    public static let anonymousLine = FaultCode(
        "anonymous_line", "This is marked anonymously, until the results are revealed",
        fr: "La correction est anonyme jusqu’à la levée de l’anonymat", zh: "此项采用匿名评分，揭示前不可见")
    /// A line that is not marked anonymously.
    public static let notAnonymous = FaultCode(
        "not_anonymous", "This is not marked anonymously", fr: "La correction n’est pas anonyme", zh: "此项不是匿名评分")
    /// A line to be marked anonymously that has results of known students.
    public static let lineHasResults = FaultCode(
        "line_has_results", "There are results of known students already",
        fr: "Des résultats nominatifs sont déjà saisis", zh: "已有成绩，无法再匿名评分")
    /// A code that the line does not have.
    public static let codeUnknown = FaultCode(
        "code_unknown", "There is no such code", fr: "Ce code n’existe pas", zh: "没有此代码")
    /// The class is closed.
    public static let classClosed = FaultCode(
        "class_closed", "The class is closed", fr: "Le cours est clos", zh: "班级已结束")
    /// The class is not closed, so results can be entered directly.
    public static let classOpen = FaultCode(
        "class_open", "The class is open: enter the result itself",
        fr: "Le cours est ouvert : saisissez directement le résultat",
        zh: "班级尚未结束，请直接录入成绩")
    /// A correction that changes nothing.
    public static let nothingToCorrect = FaultCode(
        "nothing_to_correct", "The results are already as asked", fr: "Les résultats sont déjà ceux demandés",
        zh: "成绩已与所请求的一致")
    /// A correction without a reason.
    public static let needsReason = FaultCode("needs_reason", "Give a reason", fr: "Indiquez un motif", zh: "请填写理由")
    /// A correction that another person has to approve.
    public static let needsSecondPerson = FaultCode(
        "needs_second_person", "A second person has to approve this", fr: "Une seconde personne doit l’approuver",
        zh: "须由另一人批准")
    /// A result, a total or a place in the class that belongs to the person who acts.
    public static let aboutOneself = FaultCode(
        "about_oneself", "This is about yourself: another person has to do it",
        fr: "Cela vous concerne vous-même : une autre personne doit s’en charger", zh: "这涉及您本人，须由他人处理")
    /// The correction was approved, refused or withdrawn already.
    public static let correctionDecided = FaultCode(
        "correction_decided", "This correction was decided already", fr: "Cette correction a déjà été tranchée",
        zh: "此更正已处理")
    /// A correction that was not approved in time.
    public static let correctionVoid = FaultCode(
        "correction_void", "This correction was not approved within {days} days; ask for it again",
        fr: "Cette correction n’a pas été approuvée dans les {days} jours ; redemandez-la",
        zh: "此更正未在 {days} 天内获批，请重新申请")
    /// The class has the greatest number of undecided corrections.
    public static let correctionLimit = FaultCode(
        "correction_limit", "At most {limit} corrections of a class may wait",
        fr: "Au plus {limit} corrections d’un cours peuvent être en attente", zh: "一个班级最多可有 {limit} 项待批更正")
    /// The cell has the greatest number of comments.
    public static let commentLimit = FaultCode(
        "comment_limit", "A result has at most {limit} comments", fr: "Un résultat a au plus {limit} commentaires",
        zh: "一项成绩最多有 {limit} 条评语")
    /// The student has left the class.
    public static let enrolmentEnded = FaultCode(
        "enrolment_ended", "The student has left the class", fr: "L’étudiant a quitté le cours", zh: "该学生已退出班级")
    /// A change of the structure that the rules refuse for some rows.
    public static let structureRefused = FaultCode(
        "structure_refused", "Results that are there do not allow this",
        fr: "Les résultats déjà saisis ne le permettent pas",
        zh: "已有成绩不允许此更改")
    /// The student is in the class already.
    public static let enrolledAlready = FaultCode(
        "enrolled_already", "This student is in the class already", fr: "Cet étudiant est déjà dans le cours",
        zh: "该学生已在班级中")
    /// The class has the greatest number of students.
    public static let classFull = FaultCode(
        "class_full", "A class has at most {most} students", fr: "Un cours a au plus {most} étudiants",
        zh: "一个班级最多有 {most} 名学生")
    /// A grade, or a field per student, among the fields of a line.
    public static let notInStructure = FaultCode(
        "not_in_structure", "This is entered for each student", fr: "Cela se saisit pour chaque étudiant",
        zh: "此项须为每名学生分别填写")
    /// A root with nothing inside that students have of their own.
    public static let noColumn = FaultCode(
        "no_column", "A class of {kind} would have no column: nothing in it has a grade or a field per student",
        fr:
            "Un cours de {kind} n’aurait aucune colonne : ni {kind} ni ce qu’il contient n’a de note ni de champ propre à chaque étudiant",
        zh: "{kind} 的班级没有任何列：其中没有成绩，也没有每名学生各自的字段")
    /// A class without a person as its teacher.
    public static let teacherNeeded = FaultCode(
        "teacher_needed", "A class needs a person as its teacher",
        fr: "Un cours doit avoir au moins une personne comme enseignant",
        zh: "班级至少需要一名由个人担任的教师")
    /// An act that cannot be taken back.
    public static let nothingToTakeBack = FaultCode(
        "nothing_to_undo", "This cannot be undone", fr: "Cela ne peut pas être annulé", zh: "此操作无法撤销")
    /// A line in which the grader enters no results.
    public static let lineNotAssigned = FaultCode(
        "line_not_assigned", "You do not grade this line", fr: "Vous ne notez pas cette ligne", zh: "此项不由您评分")
    /// The version of the rules that judges a student's record does not allow the class's structure.
    public static let rulesUnusable = FaultCode(
        "rules_unusable", "The rules of this student’s record do not fit the class",
        fr: "Les règles du relevé de cet étudiant ne conviennent pas au cours", zh: "该学生成绩单所用的规则与班级不符")
    /// A student's record cannot be read.
    public static let recordUnreadable = FaultCode(
        "record_unreadable", "This student’s record cannot be read", fr: "Le relevé de cet étudiant est illisible",
        zh: "无法读取该学生的成绩单")
    /// The student has several records in the program.
    public static let recordAmbiguous = FaultCode(
        "record_ambiguous", "The student has several records in this program; name one",
        fr: "L’étudiant a plusieurs relevés dans cette formation ; précisez lequel", zh: "该学生在此项目中有多份成绩单，请指明")
}

extension MessageCatalog {
    /// The wording of faults of classes.
    public static let classes = MessageCatalog([
        .lineUnknown, .lineLimit, .rootKept, .enrolmentUnknown, .notACell, .cellTwice, .refusedBefore, .cellConflict,
        .givenChanged, .lineChanged, .structureChanged, .resultEntered, .curveFalls, .curveMisplaced, .markingMisplaced,
        .needsTwoMarks, .markedTwice, .sectionUnknown, .sectionInUse, .sectionChanged, .sectionLimit, .rowNotAssigned,
        .groupUnknown, .groupTaken, .groupInUse, .groupChanged, .classUnlike, .lineLocked, .anonymousLine,
        .notAnonymous, .lineHasResults, .codeUnknown, .classClosed, .classOpen, .nothingToCorrect, .needsReason,
        .needsSecondPerson, .aboutOneself, .correctionDecided, .correctionVoid, .correctionLimit, .commentLimit,
        .enrolmentEnded, .structureRefused, .enrolledAlready, .classFull, .notInStructure, .noColumn, .teacherNeeded,
        .nothingToTakeBack, .lineNotAssigned, .rulesUnusable, .recordUnreadable, .recordAmbiguous,
    ])
}
