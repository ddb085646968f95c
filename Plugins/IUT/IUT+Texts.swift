import GradingKit

extension FaultCode {
    static let weightNotPositive: FaultCode = "weight_not_positive"
    static let gradeOutOfRange: FaultCode = "grade_out_of_range"
}

extension IUT {
    static let noGradeText = LocalizedText("No grade recorded", fr: "Aucune note enregistrée", zh: "暂无成绩")

    static let words: [FaultCode: LocalizedText] = [
        .weightNotPositive: LocalizedText(
            "The weight must be at least 1", fr: "Le coefficient doit être au moins 1", zh: "权重至少为 1"),
        .gradeOutOfRange: LocalizedText(
            "The grade must be between 0 and 20", fr: "La note doit être entre 0 et 20", zh: "成绩必须在 0 到 20 之间"),
        .noGrades: noGradeText,
        .pendingGrade: LocalizedText("A grade is pending", fr: "Une note est en attente", zh: "有成绩待定"),
        "diploma_conditions": LocalizedText(
            "You need the average in each of these blocks for your diploma.",
            fr: "Vous devez avoir la moyenne à chacun de ces blocs pour avoir votre diplôme.",
            zh: "每个模块的平均分都必须及格，才能获得文凭。"),
        "total_below_bar": LocalizedText(
            "The overall average is below the bar", fr: "La moyenne totale est insuffisante", zh: "总平均分未达标"),
        "professional_below_bar": LocalizedText(
            "The professional average is below the bar", fr: "La moyenne professionnelle est insuffisante",
            zh: "职业类平均分未达标"),
        "unit_below_bar": LocalizedText(
            "A unit is below its bar", fr: "La moyenne d’une unité est insuffisante", zh: "有单元平均分未达标"),
        "unit_ungraded": LocalizedText("A unit has no grade", fr: "Une unité n’a pas de note", zh: "有单元没有成绩"),
        "no_professional_unit": LocalizedText(
            "There is no professional unit", fr: "Il n’y a pas d’unité professionnelle", zh: "没有职业类单元"),
        "direct": LocalizedText("By its own average", fr: "Par sa propre moyenne", zh: "凭自身平均分"),
        "transferred": LocalizedText("Acquired elsewhere", fr: "Acquise dans un autre établissement", zh: "已在其他院校取得"),
        "compensation": LocalizedText("By compensation", fr: "Par compensation", zh: "通过补偿"),
        "unit_not_acquired": LocalizedText("A unit is not acquired", fr: "Une unité n’est pas acquise", zh: "有单元未获得"),
        "group_below_bar": LocalizedText(
            "Too many groups are below the bar", fr: "Trop de RCUE sont insuffisants", zh: "未达标的组过多"),
        "group_too_low": LocalizedText("A group is too low", fr: "Un RCUE est trop faible", zh: "有组的平均分过低"),
        "pole_share_out_of_range": LocalizedText(
            "The share of {pole} is {share} %, not 40–60 %", fr: "La part de {pole} est de {share} %, hors de 40–60 %",
            zh: "{pole} 的占比为 {share}%，不在 40–60% 之间"),
    ]
}
