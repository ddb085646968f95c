public import GradingKit

/// Courses by quarter, graded in weighted categories of items, with a cumulative GPA.
public struct RoseHulman: GradingScheme {
    /// The identifier in JSON and URLs.
    public static let identifier: SchemeIdentifier = "rose-hulman"
    /// The title for people.
    public static let title = LocalizedText("Rose-Hulman", fr: "Rose-Hulman", zh: "罗斯-霍尔曼")
    /// The purpose of the scheme.
    public static let summary = LocalizedText(
        "Weighted categories of items, letter grades by quarter, cumulative GPA.",
        fr: "Catégories pondérées, notes en lettres par trimestre, GPA cumulé.",
        zh: "加权分类计分，按学期的等级成绩与累计绩点。")

    let configuration: RoseHulmanConfiguration

    /// Creates the scheme with a checked configuration.
    public init(configuration: RoseHulmanConfiguration) { self.configuration = configuration }

    var bands: Bands { Bands(configuration.bands, judging: configuration.grade) }

    /// Registers everything the scheme checks and computes.
    public func register(in registrar: inout SchemeRegistrar) {
        registrar.words(Self.words)
        registrar.counting(configuration.statuses)
        validate(in: &registrar)
        calculateGrades(in: &registrar)
        calculateCumulative(in: &registrar)
        calculateCredits(in: &registrar)
        warn(in: &registrar)
    }
}

enum Course {
    static let kind: Kind = "course"
    static let title = Field<String>("title")
    static let number = Field<String>("number")
    static let section = Field<Int>("section")
    static let quarter = Field<Int>("quarter")
    static let year = Field<Int>("year")
    static let credits = Field<Exact>("credits")

    static let grade: Figure = "grade"
    /// The sum of the weights of the categories that count.
    static let countingWeight: Figure = "countingWeight"
}

enum Category {
    static let kind: Kind = "category"
    static let category = Field<String>("category")
    static let weight = Field<Exact>("weight")
    static let grade = Field<Exact>("grade")
    /// How many of the lowest and of the highest results do not count.
    static let dropLowest = Field<Int>("dropLowest")
    static let dropHighest = Field<Int>("dropHighest")

    static let percent: Figure = "percent"
    /// The mean of the category's items that count, without extra credit.
    static let mean: Figure = "mean"
    /// The sum of the weights of the category's graded items that count.
    static let gradedWeight: Figure = "gradedWeight"
    /// The sum of the weights of all items that are not extra credit.
    static let wholeWeight: Figure = "wholeWeight"
    static let effectiveWeight: Figure = "effectiveWeight"

    static let participation = "participation"
    static let names = [
        Choice("assignments", LocalizedText("Assignments", fr: "Devoirs", zh: "作业")),
        Choice("exams", LocalizedText("Exams", fr: "Examens", zh: "考试")),
        Choice("labs", LocalizedText("Labs", fr: "Travaux pratiques", zh: "实验")),
        Choice("quizzes", LocalizedText("Quizzes", fr: "Interrogations", zh: "测验")),
        Choice(participation, LocalizedText("Participation", fr: "Participation", zh: "课堂表现")),
    ]
}

enum Item {
    static let kind: Kind = "item"
    static let title = Field<String>("title")
    static let score = Field<Exact>("score")
    static let max = Field<Exact>("max")
    static let grade = Field<Exact>("grade")
    static let weight = Field<Exact>("weight")
    /// Whether it is extra credit: its points add to the category, its maximum does not.
    static let bonus = Field<Bool>("bonus")

    static let effectiveWeight: Figure = "effectiveWeight"
}

enum Prior {
    static let gpa = Field<Exact>("priorGPA")
    static let credits = Field<Exact>("priorCredits")
}
