public import GradingKit

/// The settings of an institution for weighted categories.
public struct RoseHulmanConfiguration: SchemeConfiguration {
    /// What to do if a course's category weights do not sum to 100.
    enum Weights: String, CaseIterable {
        /// Divide by the weights that count.
        case normalise
        /// Give no grade until they sum to 100, so that they can be entered one by one.
        case mustEqual100
        /// Divide by 100 at most: weights above 100 are a bonus.
        case bonusAbove100
    }

    /// How participation without a grade counts.
    enum ParticipationMissing: String, CaseIterable {
        case zero, skip
    }

    /// Which attempts at the same course count.
    enum Attempts: String, CaseIterable {
        case all, best, last
    }

    var bands = LetterTable.plus
    var grade = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
    var gpa = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
    var weights = Weights.normalise
    var participationMissing = ParticipationMissing.zero
    var extraCredit = true
    var attempts = Attempts.best
    var statuses = StatusTable.standard

    /// The points of the best band, which no GPA exceeds.
    var highestPoints: Exact { bands.compactMap(\.points).max() ?? .zero }

    /// Creates the default settings.
    public init() {}

    /// Describes every setting.
    public static func describe(_ form: inout SettingsForm<Self>) {
        form.bands(
            "bands", \.bands, hasPoints: true, LocalizedText("Letters", fr: "Lettres", zh: "等级"), judgedBy: \.grade)
        form.figureRule("grade", \.grade, LocalizedText("Course grade", fr: "Note du cours", zh: "课程成绩"))
        form.figureRule("gpa", \.gpa, LocalizedText("GPA", fr: "GPA", zh: "绩点"))
        form.choice(
            "weights", \.weights,
            LocalizedText("Weights that do not make 100", fr: "Coefficients différents de 100", zh: "权重不为 100 时"))
        form.choice(
            "participationMissing", \.participationMissing,
            LocalizedText("Participation without a grade", fr: "Participation sans note", zh: "无课堂表现成绩时"))
        form.flag(
            "extraCredit", \.extraCredit,
            LocalizedText("Allow more than 100 %", fr: "Autoriser plus de 100 %", zh: "允许超过 100%"))
        form.choice("attempts", \.attempts, LocalizedText("Repeated courses", fr: "Cours repassés", zh: "重修课程"))
        form.statuses("statuses", \.statuses, LocalizedText("Statuses", fr: "Statuts", zh: "状态"))
        form.preset("strict", LocalizedText("Strict weights", fr: "Coefficients stricts", zh: "严格权重")) {
            $0.weights = .mustEqual100
        }
        form.preset("plain", LocalizedText("Letters without plus", fr: "Lettres sans plus", zh: "不带加号的等级")) {
            $0.bands = LetterTable.plain
        }
        form.preset(
            "plus-minus", LocalizedText("Letters with plus and minus", fr: "Lettres avec plus et moins", zh: "带加减号的等级")
        ) {
            $0.bands = LetterTable.plusMinus
        }
    }
}
