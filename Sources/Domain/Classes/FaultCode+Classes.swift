public import GradingKit

extension FaultCode {
    /// A line that the class does not have.
    public static let lineUnknown: FaultCode = "line_unknown"
    /// A class has as many lines as it may have.
    public static let lineLimit: FaultCode = "line_limit"
    /// The root of a class stays where it is.
    public static let rootKept: FaultCode = "root_kept"
    /// An enrolment that the class does not have.
    public static let enrolmentUnknown: FaultCode = "enrolment_unknown"
    /// A line that has no results of its own.
    public static let notACell: FaultCode = "not_a_cell"
    /// The cell holds something else than was seen.
    public static let cellConflict: FaultCode = "cell_conflict"
    /// The line's maximum or scale is another than was seen.
    public static let lineChanged: FaultCode = "line_changed"
    /// Work of which there is a result is not missing.
    public static let resultEntered: FaultCode = "result_entered"
    /// The class is closed.
    public static let classClosed: FaultCode = "class_closed"
    /// The class is not closed, so that results are simply entered.
    public static let classOpen: FaultCode = "class_open"
    /// A correction that changes nothing.
    public static let nothingToCorrect: FaultCode = "nothing_to_correct"
    /// A correction without a reason.
    public static let needsReason: FaultCode = "needs_reason"
    /// A correction that another person has to approve.
    public static let needsSecondPerson: FaultCode = "needs_second_person"
    /// A correction that was approved, refused or taken back already.
    public static let correctionDecided: FaultCode = "correction_decided"
    /// A correction that was not approved in time.
    public static let correctionVoid: FaultCode = "correction_void"
    /// As many corrections of the class wait as may.
    public static let correctionLimit: FaultCode = "correction_limit"
    /// The student has left the class.
    public static let enrolmentEnded: FaultCode = "enrolment_ended"
    /// A change of the structure that some rows' rules refuse.
    public static let structureRefused: FaultCode = "structure_refused"
    /// The student is in the class already.
    public static let enrolledAlready: FaultCode = "enrolled_already"
    /// The class has as many students as it may have.
    public static let classFull: FaultCode = "class_full"
    /// A grade, or a field of each student, among the fields of a line.
    public static let notInStructure: FaultCode = "not_in_structure"
    /// A class without a teacher.
    public static let teacherNeeded: FaultCode = "teacher_needed"
    /// An act that cannot be taken back.
    public static let nothingToTakeBack: FaultCode = "nothing_to_undo"
    /// A line in which the grader enters no results.
    public static let lineNotAssigned: FaultCode = "line_not_assigned"
    /// The rules by which a student's record is judged do not know the class's structure.
    public static let rulesUnusable: FaultCode = "rules_unusable"
    /// A student's record cannot be read.
    public static let recordUnreadable: FaultCode = "record_unreadable"
    /// The student has several records in the program.
    public static let recordAmbiguous: FaultCode = "record_ambiguous"
}

extension MessageCatalog {
    /// The wording of what can be wrong with classes.
    public static let classes = MessageCatalog([
        .lineUnknown: LocalizedText(
            "The class has no such line", fr: "Le cours n’a pas cette ligne", zh: "班级中没有这一项"),
        .lineLimit: LocalizedText(
            "A class has at most {limit} lines", fr: "Un cours a au plus {limit} lignes", zh: "一个班级最多有 {limit} 项"),
        .rootKept: LocalizedText(
            "The first line of a class stays where it is", fr: "La première ligne d’un cours reste à sa place",
            zh: "班级的首项不能移动或删除"),
        .enrolmentUnknown: LocalizedText(
            "This student is not in the class", fr: "Cet étudiant n’est pas dans le cours", zh: "该学生不在此班级中"),
        .notACell: LocalizedText(
            "This line has no results", fr: "Cette ligne n’a pas de résultats", zh: "此项没有成绩"),
        .cellConflict: LocalizedText(
            "This was changed meanwhile", fr: "Cela a été modifié entre-temps", zh: "此内容已被他人更改"),
        .lineChanged: LocalizedText(
            "The line itself was changed meanwhile", fr: "La ligne elle-même a été modifiée entre-temps",
            zh: "该项本身已被更改"),
        .resultEntered: LocalizedText(
            "There is a result: take it out first", fr: "Il y a un résultat : retirez-le d’abord", zh: "已有成绩，请先将其删除"),
        .classClosed: LocalizedText("The class is closed", fr: "Le cours est clos", zh: "班级已结束"),
        .classOpen: LocalizedText(
            "The class is open: enter the result itself", fr: "Le cours est ouvert : saisissez directement le résultat",
            zh: "班级尚未结束，请直接录入成绩"),
        .nothingToCorrect: LocalizedText(
            "The results are already as asked", fr: "Les résultats sont déjà ceux demandés", zh: "成绩已与所请求的一致"),
        .needsReason: LocalizedText("Give a reason", fr: "Indiquez un motif", zh: "请填写理由"),
        .needsSecondPerson: LocalizedText(
            "A second person has to approve this", fr: "Une seconde personne doit l’approuver", zh: "须由另一人批准"),
        .correctionDecided: LocalizedText(
            "This correction was decided already", fr: "Cette correction a déjà été tranchée", zh: "此更正已处理"),
        .correctionVoid: LocalizedText(
            "This correction was not approved within {days} days; ask for it again",
            fr: "Cette correction n’a pas été approuvée dans les {days} jours ; redemandez-la",
            zh: "此更正未在 {days} 天内获批，请重新申请"),
        .correctionLimit: LocalizedText(
            "At most {limit} corrections of a class may wait",
            fr: "Au plus {limit} corrections d’un cours peuvent être en attente", zh: "一个班级最多可有 {limit} 项待批更正"),
        .enrolmentEnded: LocalizedText(
            "The student has left the class", fr: "L’étudiant a quitté le cours", zh: "该学生已退出班级"),
        .structureRefused: LocalizedText(
            "Results that are there do not allow this", fr: "Les résultats déjà saisis ne le permettent pas",
            zh: "已有成绩不允许此更改"),
        .enrolledAlready: LocalizedText(
            "This student is in the class already", fr: "Cet étudiant est déjà dans le cours", zh: "该学生已在班级中"),
        .classFull: LocalizedText(
            "A class has at most {most} students", fr: "Un cours a au plus {most} étudiants", zh: "一个班级最多有 {most} 名学生"),
        .notInStructure: LocalizedText(
            "This is entered for each student", fr: "Cela se saisit pour chaque étudiant", zh: "此项须为每名学生分别填写"),
        .teacherNeeded: LocalizedText(
            "A class needs a teacher", fr: "Un cours a besoin d’un enseignant", zh: "班级至少需要一名教师"),
        .nothingToTakeBack: LocalizedText(
            "This cannot be undone", fr: "Cela ne peut pas être annulé", zh: "此操作无法撤销"),
        .lineNotAssigned: LocalizedText(
            "You do not grade this line", fr: "Vous ne notez pas cette ligne", zh: "此项不由您评分"),
        .rulesUnusable: LocalizedText(
            "The rules of this student’s record do not fit the class",
            fr: "Les règles du relevé de cet étudiant ne conviennent pas au cours", zh: "该学生成绩单所用的规则与班级不符"),
        .recordUnreadable: LocalizedText(
            "This student’s record cannot be read", fr: "Le relevé de cet étudiant est illisible", zh: "无法读取该学生的成绩单"),
        .recordAmbiguous: LocalizedText(
            "The student has several records in this program; name one",
            fr: "L’étudiant a plusieurs relevés dans cette formation ; précisez lequel", zh: "该学生在此项目中有多份成绩单，请指明"),
    ])
}
