public import GradingKit

/// A letter GPA over up to four courses: each has three assessments whose weights sum to exactly 100.
public struct Chalkboard: GradingScheme {
    /// The identifier in JSON and URLs.
    public static let identifier: SchemeIdentifier = "chalkboard"
    /// The title for people.
    public static let title = LocalizedText("Chalkboard", fr: "Tableau noir", zh: "黑板")
    /// The purpose of the scheme.
    public static let summary = LocalizedText(
        "Up to four courses of three assessments, letter grades and a GPA.",
        fr: "Jusqu’à quatre cours de trois évaluations, notes en lettres et moyenne GPA.",
        zh: "最多四门课程，每门三项考核，等级成绩与绩点。")

    let configuration: ChalkboardConfiguration

    /// Creates the scheme with a checked configuration.
    public init(configuration: ChalkboardConfiguration) { self.configuration = configuration }

    /// The shape of records.
    public var shape: RecordShape {
        RecordShape(kinds: [
            KindShape(
                Course.kind, LocalizedText("Course", fr: "Cours", zh: "课程"),
                count: 0...configuration.courseLimit, excess: .courseLimit,
                fields: [
                    .text(Course.title, LocalizedText("Title", fr: "Titre", zh: "名称")),
                    .number(Course.credits, LocalizedText("Credits", fr: "Crédits", zh: "学分"))
                        .above(0, orFault: .creditsNotPositive),
                ],
                children: [assessment])
        ])
    }

    private var assessment: KindShape {
        KindShape(
            Assessment.kind, LocalizedText("Assessment", fr: "Évaluation", zh: "考核"), count: 3...3,
            fields: [
                .choice(Assessment.name, LocalizedText("Name", fr: "Nom", zh: "名称"), of: Assessment.names),
                .number(Assessment.points, LocalizedText("Points", fr: "Points", zh: "得分"))
                    .atLeast(0).atMost(Assessment.max, orFault: .pointsOutOfRange).asGrade(best: Assessment.max),
                .number(Assessment.max, LocalizedText("Maximum", fr: "Maximum", zh: "满分"))
                    .above(0, orFault: .maxNotPositive),
                .number(Assessment.weight, LocalizedText("Weight", fr: "Coefficient", zh: "权重"))
                    .atLeast(0).atMost(100, orFault: .weightOutOfRange),
            ])
    }

    /// Registers everything the scheme checks and computes.
    public func register(in registrar: inout SchemeRegistrar) {
        registrar.words(Self.words)
        validate(in: &registrar)
        calculate(in: &registrar)
    }

    private func validate(in registrar: inout SchemeRegistrar) {
        registrar.validate(.record) { record, faults in
            faults.refuseDuplicates(
                among: record.children(Course.kind), by: { $0[Course.title].map(comparableName) },
                on: Course.title, as: .duplicateTitle)
        }
        registrar.validate(Course.kind) { course, faults in
            let assessments = course.children(Assessment.kind)
            faults.refuseDuplicates(
                among: assessments, by: { $0[Assessment.name] }, on: Assessment.name, as: .duplicateChild)
            let weights = assessments.compactMap { $0[Assessment.weight] }
            if weights.count == 3, weights.reduce(.zero, +) != 100 { faults.add(.weightsSum, at: course) }
        }
    }

    private func calculate(in registrar: inout SchemeRegistrar) {
        let letters = Bands(configuration.bands, judging: configuration.total)
        let colours = Bands(configuration.colours, judging: configuration.gpa)
        registrar.calculate(
            Course.total, of: Course.kind,
            Presentation(LocalizedText("Total", fr: "Total", zh: "总分"), configuration.total).lettered(by: letters)
        ) { course in
            course.children(Assessment.kind)
                .sum { $0[Assessment.points] / $0[Assessment.max] * $0[Assessment.weight] }
        }
        registrar.calculate(
            "gpa",
            Presentation(LocalizedText("GPA", fr: "GPA", zh: "绩点"), configuration.gpa)
                .coloured(by: colours, otherwise: "white")
                .worded { LocalizedText(verbatim: "GPA: " + ($0 ?? "")) }
        ) { record in
            record.children(Course.kind).mean(
                of: { letters.points(for: $0.figure(Course.total)) }, weightedBy: { $0[Course.credits] },
                orReason: "no_courses")
        }
    }
}

enum Course {
    static let kind: Kind = "course"
    static let title = Field<String>("title")
    static let credits = Field<Exact>("credits")
    static let total: Figure = "total"
}

enum Assessment {
    static let kind: Kind = "assessment"
    static let name = Field<String>("name")
    static let points = Field<Exact>("points")
    static let max = Field<Exact>("max")
    static let weight = Field<Exact>("weight")

    static let names = [
        Choice("Assignments", LocalizedText("Assignments", fr: "Devoirs", zh: "作业")),
        Choice("Midterm", LocalizedText("Midterm", fr: "Partiel", zh: "期中考试")),
        Choice("Final", LocalizedText("Final", fr: "Examen final", zh: "期末考试")),
    ]
}
