public import GradingKit

/// The settings of the chalkboard scheme.
public struct ChalkboardConfiguration: SchemeConfiguration {
    var courseLimit = 4
    var bands = LetterTable.plain
    var total = FigureRule(.floor, scale: 1, compareOn: .exact)
    var gpa = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
    var colours = [Band("green", from: 3), Band("orange", from: 2), Band("red", from: 0)]
    var formDefaults: JSON = [
        "kind": "course", "fields": ["title": "Mobile programming", "credits": 3],
        "children": [
            ["kind": "assessment", "fields": ["name": "Assignments", "points": 90, "max": 100, "weight": 30]],
            ["kind": "assessment", "fields": ["name": "Midterm", "points": 80, "max": 100, "weight": 30]],
            ["kind": "assessment", "fields": ["name": "Final", "points": 85, "max": 100, "weight": 40]],
        ],
    ]

    /// Creates the default settings.
    public init() {}

    /// Describes every setting.
    public static func describe(_ form: inout SettingsForm<Self>) {
        form.integer(
            "courseLimit", \.courseLimit, in: 1...100,
            LocalizedText("Most courses", fr: "Nombre maximal de cours", zh: "课程上限"))
        form.bands(
            "bands", \.bands, hasPoints: true, LocalizedText("Letters", fr: "Lettres", zh: "等级"), judgedBy: \.total)
        form.figureRule("total", \.total, LocalizedText("Course total", fr: "Total du cours", zh: "课程总分"))
        form.figureRule("gpa", \.gpa, LocalizedText("GPA", fr: "GPA", zh: "绩点"))
        form.bands(
            "colours", \.colours, hasPoints: false, LocalizedText("Colours", fr: "Couleurs", zh: "颜色"),
            judgedBy: \.gpa)
        form.entry(
            "formDefaults", \.formDefaults,
            LocalizedText("What the form offers", fr: "Valeurs proposées", zh: "表单默认值"))
        form.preset("plus", LocalizedText("Letters with plus", fr: "Lettres avec plus", zh: "带加号的等级")) {
            $0.bands = LetterTable.plus
        }
        form.preset(
            "plus-minus", LocalizedText("Letters with plus and minus", fr: "Lettres avec plus et moins", zh: "带加减号的等级")
        ) {
            $0.bands = LetterTable.plusMinus
        }
    }
}
