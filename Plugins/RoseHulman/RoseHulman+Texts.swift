import GradingKit

extension FaultCode {
    static let weightsSum: FaultCode = "weights_sum"
    static let noCredits: FaultCode = "no_credits"
    static let maxNotPositive: FaultCode = "max_not_positive"
    static let gradeOutOfRange: FaultCode = "grade_out_of_range"
    static let scoreAndGrade: FaultCode = "score_and_grade"
    static let duplicateCategory: FaultCode = "duplicate_category"
}

extension RoseHulman {
    static let words: [FaultCode: LocalizedText] = [
        .weightsSum: LocalizedText(
            "Weights do not make 100 yet", fr: "Les coefficients ne font pas encore 100", zh: "权重总和尚未达到 100"),
        .noCredits: LocalizedText("No credits", fr: "Aucun crédit", zh: "没有学分"),
        .maxNotPositive: LocalizedText(
            "Maximum must be greater than 0", fr: "Le maximum doit être supérieur à 0", zh: "满分必须大于 0"),
        .gradeOutOfRange: LocalizedText(
            "The grade is out of range", fr: "La note est hors limites", zh: "成绩超出范围"),
        .scoreAndGrade: LocalizedText(
            "Give points or percent, not both", fr: "Indiquez des points ou un pourcentage, pas les deux",
            zh: "得分与百分比只能填写一项"),
        .duplicateCategory: LocalizedText(
            "This category is there already", fr: "Cette catégorie existe déjà", zh: "该类别已存在"),
        .noGrades: LocalizedText("Nothing graded yet", fr: "Aucune note", zh: "还没有成绩"),
        "weights_normalised": LocalizedText(
            "Weights make {sum}, not 100; each counts {factor} times",
            fr: "Les coefficients font {sum} au lieu de 100 ; chacun compte {factor} fois",
            zh: "权重总和为 {sum} 而非 100，各项按 {factor} 倍计"),
        "repeated_course": LocalizedText(
            "Another attempt at this course counts", fr: "Une autre tentative de ce cours est retenue",
            zh: "该课程以另一次修读为准"),
        "mixed_item_weights": LocalizedText(
            "Points and percent are mixed in this category; give weights",
            fr: "Points et pourcentages sont mélangés dans cette catégorie ; indiquez des coefficients",
            zh: "该类别混用了得分与百分比，请填写权重"),
    ]
}
