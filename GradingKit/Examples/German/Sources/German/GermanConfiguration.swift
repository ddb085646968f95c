import GradingKit

/// The settings of the German scheme.
struct GermanConfiguration: SchemeConfiguration {
    /// How grades are displayed and judged.
    var grade = FigureRule(.truncate, scale: 1, compareOn: .displayed, better: .lower)
    /// The worst grade that passes.
    var pass: Exact = 4
    /// The names of grades: each mention with the worst grade that has it.
    var mentions = [
        ("sehr gut", 15), ("gut", 25), ("befriedigend", 35), ("ausreichend", 40), ("nicht ausreichend", 50),
    ]
    .map { Band($0.0, from: tenth * Exact($0.1)) }

    static func describe(_ form: inout SettingsForm<Self>) {
        form.figureRule("grade", \.grade, LocalizedText("Grades", fr: "Notes", zh: "成绩"))
        form.number(
            "pass", \.pass, in: 1...5,
            LocalizedText("Worst grade that passes", fr: "Note minimale de réussite", zh: "及格线"), judgedBy: \.grade)
        form.bands(
            "mentions", \.mentions, hasPoints: false, LocalizedText("Mentions", fr: "Mentions", zh: "评语"),
            judgedBy: \.grade)
    }
}

extension German {
    static let words: [FaultCode: LocalizedText] = [
        "above_pass": LocalizedText(
            "The grade is above the pass mark", fr: "La note dépasse la limite de réussite", zh: "成绩未达及格线")
    ]
}
