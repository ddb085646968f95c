import GradingKit

extension FaultCode {
    static let courseLimit: FaultCode = "course_limit"
    static let duplicateTitle: FaultCode = "duplicate_title"
    static let duplicateChild: FaultCode = "duplicate_child"
    static let pointsOutOfRange: FaultCode = "points_out_of_range"
    static let maxNotPositive: FaultCode = "max_not_positive"
    static let weightOutOfRange: FaultCode = "weight_out_of_range"
    static let weightsSum: FaultCode = "weights_sum"
    static let creditsNotPositive: FaultCode = "credits_not_positive"
}

extension Chalkboard {
    static let words: [FaultCode: LocalizedText] = [
        .courseLimit: LocalizedText(
            "Max course allowed is {limit}", fr: "Le nombre maximal de cours est {limit}", zh: "最多允许 {limit} 门课程"),
        .duplicateTitle: LocalizedText(
            "This course title is already entered before", fr: "Ce titre de cours existe déjà", zh: "该课程名称已存在"),
        .duplicateChild: LocalizedText(
            "This assessment is there twice", fr: "Cette évaluation figure deux fois", zh: "该考核项重复"),
        .pointsOutOfRange: LocalizedText(
            "Points must be between 0 and Maximum", fr: "Les points doivent être entre 0 et le maximum",
            zh: "得分必须在 0 与满分之间"),
        .maxNotPositive: LocalizedText(
            "Maximum must be greater than 0", fr: "Le maximum doit être supérieur à 0", zh: "满分必须大于 0"),
        .weightOutOfRange: LocalizedText(
            "Weight must be between 0 and 100", fr: "Le coefficient doit être entre 0 et 100", zh: "权重必须在 0 到 100 之间"),
        .weightsSum: LocalizedText(
            "Total weight should be 100", fr: "La somme des coefficients doit être 100", zh: "权重总和应为 100"),
        .creditsNotPositive: LocalizedText(
            "Credits must be greater than 0", fr: "Les crédits doivent être supérieurs à 0", zh: "学分必须大于 0"),
        "no_courses": LocalizedText("No course yet", fr: "Aucun cours", zh: "还没有课程"),
        .entryNotFound: LocalizedText(
            "That course does not exist", fr: "Ce cours n’existe pas", zh: "该课程不存在"),
    ]
}
