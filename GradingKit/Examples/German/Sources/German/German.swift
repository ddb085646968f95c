import GradingKit
import SchemeProcess

/// German university grades: 1.0 is best, 4.0 passes, modules are weighted by their ECTS credits, and means are cut off
/// after the first decimal.
@main
struct German: GradingScheme {
    static let identifier: SchemeIdentifier = "german"
    static let version: String? = "1.0.0"
    static let title = LocalizedText("German grades", fr: "Notes allemandes", zh: "德国评分制")
    static let summary = LocalizedText(
        "Modules from 1.0 to 5.0, weighted by ECTS credits; 4.0 passes.",
        fr: "Modules de 1,0 à 5,0, pondérés par les crédits ECTS ; 4,0 suffit.",
        zh: "模块成绩 1.0 至 5.0，按 ECTS 学分加权；4.0 及格。")

    static func main() { SchemeProcess.run(Self.self) }

    let configuration: GermanConfiguration

    var shape: RecordShape {
        RecordShape(kinds: [
            KindShape(
                Module.kind, LocalizedText("Module", fr: "Module", zh: "模块"),
                statuses: [.excused, .absent, .pending],
                fields: [
                    .text(Module.title, LocalizedText("Title", fr: "Titre", zh: "名称")),
                    .number(Module.credits, LocalizedText("ECTS credits", fr: "Crédits ECTS", zh: "ECTS 学分"))
                        .above(0).atMost(60).initially(5).withDecimalComma(),
                    .number(Module.grade, LocalizedText("Grade", fr: "Note", zh: "成绩"))
                        .optional().atLeast(best).atMost(worst).withDecimalComma()
                        .asGrade(best: best, worst: worst, step: tenth),
                ])
        ])
    }

    func register(in registrar: inout SchemeRegistrar) {
        registrar.words(Self.words)
        let pass = Bar(configuration.pass, judging: rule)
        registrar.calculate(
            Module.result, of: Module.kind,
            Presentation(LocalizedText("Result", fr: "Résultat", zh: "结果"), rule).lettered(by: mentions)
        ) { module in module[Module.grade] }
        registrar.calculate(
            overall, Presentation(LocalizedText("Overall grade", fr: "Note générale", zh: "总成绩"), rule)
        ) { record in
            record.children(Module.kind).mean(of: { $0.figure(Module.result) }, weightedBy: { $0[Module.credits] })
        }
        registrar.calculate(
            "credits",
            Presentation(
                LocalizedText("ECTS credits earned", fr: "Crédits ECTS obtenus", zh: "已获 ECTS 学分"),
                FigureRule(.halfUp, scale: 4, compareOn: .exact)
            ).shortened().withoutRange()
        ) { record in
            record.children(Module.kind)
                .keeping { $0.figure(Module.result).reaches(pass).state == .met }
                .sum { $0[Module.credits] }
        }
        registrar.decide("passed", of: Module.kind, LocalizedText("Passed", fr: "Réussi", zh: "通过")) { module in
            module.figure(Module.result).reaches(pass, orReason: "above_pass")
        }
        registrar.decide("degree", LocalizedText("Degree", fr: "Diplôme", zh: "学位")) { record in
            let modules = Array(record.children(Module.kind).keeping { $0.statusRule.average != .leaves })
            guard !modules.isEmpty else { return .pending(because: [DecisionReason(.noGrades)]) }
            return .all(modules.map { $0.figure(Module.result).reaches(pass, orReason: "above_pass").at($0.id) })
        }
    }

    /// How grades are displayed and judged: cut off after the first decimal, so that 4.09 is a 4.0 and passes.
    private var rule: FigureRule { configuration.grade }

    private var mentions: Bands { Bands(configuration.mentions, judging: rule) }
}

private let best: Exact = 1
private let worst: Exact = 5
private let overall: Figure = "overall"

/// The distance between neighbouring grades.
let tenth = Exact(1, over: 10) ?? 1

private enum Module {
    static let kind: Kind = "module"
    static let title = Field<String>("title")
    static let credits = Field<Exact>("credits")
    static let grade = Field<Exact>("grade")
    static let result: Figure = "result"
}
