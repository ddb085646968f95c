import GradingKit

/// A second year that looks at a copy of the first one.
struct Yearly: GradingScheme {
    struct Configuration: SchemeConfiguration {
        static func describe(_ form: inout SettingsForm<Self>) {}
    }

    static let identifier: SchemeIdentifier = "yearly"
    static let title = LocalizedText(verbatim: "Yearly")
    static let summary = LocalizedText(verbatim: "The mean of two years, of which the first is a copy.")

    private static let first: Kind = "first"
    private static let unit: Kind = "first_unit"
    private static let mark: Kind = "mark"
    private static let grade = Field<Exact>("grade")
    private static let code = Field<String>("code")

    init(configuration: Configuration) {}

    var shape: RecordShape {
        let unit = KindShape(
            Self.unit, LocalizedText(verbatim: "Unit"),
            fields: [.text(Self.code, LocalizedText(verbatim: "Code")).optional()]
        ).copying("unit")
        return RecordShape(kinds: [
            KindShape(Self.first, LocalizedText(verbatim: "First year"), count: 0...1, fields: [], children: [unit])
                .copying(),
            KindShape(
                Self.mark, LocalizedText(verbatim: "Mark"),
                fields: [
                    .number(Self.grade, LocalizedText(verbatim: "Grade")).optional().atLeast(0).atMost(20)
                        .asGrade(best: 20)
                ]),
        ])
    }

    func register(in registrar: inout SchemeRegistrar) {
        let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
        let total = Presentation(LocalizedText(verbatim: "Total"), rule)
        let result = LocalizedText(verbatim: "Result")
        registrar.calculate("total", of: Self.first, total.withoutRange()) { _ in .undefined(.notInEarlier) }
        registrar.decide(
            "result", of: Self.unit, result,
            values: [OutcomeValue("ADM", result, .met), OutcomeValue("AJ", result, .unmet)]
        ) { _ in .pending(because: DecisionReason(.notInEarlier)) }
        registrar.calculate("total", total) { record in record.children(Self.mark).mean(of: { $0[Self.grade] }) }
        registrar.calculate("both", Presentation(LocalizedText(verbatim: "Both years"), rule)) { record in
            guard let first = record.earlier(Self.first) else { return .undefined(.noEarlier) }
            return (first.figure("total") + record.figure("total")) / 2
        }
        registrar.calculate(
            "failed", Presentation(LocalizedText(verbatim: "Failed"), rule).withoutRange()
        ) { record in
            guard let first = record.earlier(Self.first) else { return .undefined(.noEarlier) }
            return first.children(Self.unit).keeping { $0.decision("result").value == "AJ" }.sum { _ in 1 }
        }
    }
}
