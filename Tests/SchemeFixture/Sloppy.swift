import GradingKit

/// Breaks two laws of grading: no grade is 0, and a reason has no words.
struct Sloppy: GradingScheme {
    struct Configuration: SchemeConfiguration {
        static func describe(_ form: inout SettingsForm<Self>) {}
    }

    static let identifier: SchemeIdentifier = "sloppy"
    static let title = LocalizedText(verbatim: "Sloppy")
    static let summary = LocalizedText(verbatim: "The mean of its marks, 0 where there is none.")

    private static let mark: Kind = "mark"
    private static let grade = Field<Exact>("grade")

    init(configuration: Configuration) {}

    var shape: RecordShape {
        RecordShape(kinds: [
            KindShape(
                Self.mark, LocalizedText(verbatim: "Mark"),
                fields: [
                    .number(Self.grade, LocalizedText(verbatim: "Grade")).optional().atLeast(0).atMost(20)
                        .asGrade(best: 20)
                ])
        ])
    }

    func register(in registrar: inout SchemeRegistrar) {
        let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
        registrar.calculate("mean", Presentation(LocalizedText(verbatim: "Mean"), rule)) { record in
            record.children(Self.mark).mean(of: { $0[Self.grade] }).or(0)
        }
        registrar.decide("passed", LocalizedText(verbatim: "Passed")) { record in
            record.figure("mean").reaches(Bar(10, judging: rule), orReason: "too_low")
        }
    }
}
