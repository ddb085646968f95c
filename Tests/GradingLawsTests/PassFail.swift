import GradingKit

/// A course is passed when half of its tests are.
struct PassFail: GradingScheme {
    struct Configuration: SchemeConfiguration {
        var bar: Exact = 50
        var percent = FigureRule(.halfUp, scale: 1, compareOn: .displayed)

        static func describe(_ form: inout SettingsForm<Self>) {
            form.number(
                "bar", \.bar, in: 0...100, LocalizedText("Bar", fr: "Barre", zh: "及格线"), judgedBy: \.percent)
            form.figureRule("percent", \.percent, LocalizedText("Percent", fr: "Pourcentage", zh: "百分比"))
        }
    }

    static let identifier: SchemeIdentifier = "pass-fail"
    static let title = LocalizedText("Pass or fail", fr: "Admis ou refusé", zh: "通过制")
    static let summary = LocalizedText(
        "Tests with points; half of them pass.", fr: "Des tests notés ; la moitié suffit.", zh: "按测验得分，过半即通过。")

    let configuration: Configuration

    var shape: RecordShape {
        RecordShape(kinds: [
            KindShape(
                Test.kind, LocalizedText("Test", fr: "Test", zh: "测验"), statuses: [.excused, .absent],
                fields: [
                    .text(Test.title, LocalizedText("Title", fr: "Titre", zh: "名称")),
                    .number(Test.points, LocalizedText("Points", fr: "Points", zh: "得分"))
                        .optional().atLeast(0).atMost(Test.max).asGrade(best: Test.max),
                    .number(Test.max, LocalizedText("Maximum", fr: "Maximum", zh: "满分")).above(0),
                ])
        ])
    }

    func register(in registrar: inout SchemeRegistrar) {
        registrar.validate(.record) { record, faults in
            faults.refuseDuplicates(
                among: record.children(Test.kind), by: { $0[Test.title].map(comparableName) }, on: Test.title,
                as: "duplicate_title")
        }
        let shown = Presentation(LocalizedText("Result", fr: "Résultat", zh: "成绩"), configuration.percent)
        registrar.calculate(Self.result, shown) { record in
            record.children(Test.kind).mean { $0[Test.points] / $0[Test.max] * 100 }
        }
        let bar = Bar(configuration.bar, judging: configuration.percent)
        registrar.decide("passed", LocalizedText("Passed", fr: "Admis", zh: "通过")) { record in
            record.figure(Self.result).reaches(bar, orReason: "below_bar")
        }
        registrar.words([
            "duplicate_title": LocalizedText("This test is there already", fr: "Ce test existe déjà", zh: "该测验已存在"),
            "below_bar": LocalizedText("Below the bar", fr: "Sous la barre", zh: "未达及格线"),
        ])
    }

    static let result: Figure = "result"
}

enum Test {
    static let kind: Kind = "test"
    static let title = Field<String>("title")
    static let points = Field<Exact>("points")
    static let max = Field<Exact>("max")
}
