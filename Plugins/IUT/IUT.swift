public import GradingKit

/// Units of weighted subjects on a scale of 20, and the conditions of the diploma.
public struct IUT: GradingScheme {
    /// The identifier in JSON and URLs.
    public static let identifier: SchemeIdentifier = "iut"
    /// The title for people.
    public static let title = LocalizedText("IUT", fr: "IUT", zh: "法国大学技术学院")
    /// The purpose of the scheme.
    public static let summary = LocalizedText(
        "Units and subjects out of 20, with the conditions of the diploma.",
        fr: "Unités et matières sur 20, avec les conditions du diplôme.",
        zh: "以 20 分制计的单元与科目，及文凭条件。")

    let configuration: IUTConfiguration

    /// Creates the scheme with a checked configuration.
    public init(configuration: IUTConfiguration) { self.configuration = configuration }

    /// The shape of records.
    public var shape: RecordShape {
        RecordShape(kinds: [
            KindShape(
                Unit.kind, LocalizedText("Unit", fr: "Unité d’enseignement", zh: "单元"),
                statuses: [.excused, .audit, .withdrawn, .transfer],
                fields: [
                    .text(Unit.title, LocalizedText("Title", fr: "Nom de l’unité", zh: "名称")),
                    .integer(Unit.code, LocalizedText("Code", fr: "Code", zh: "代码")).optional().atLeast(0),
                    .number(Unit.weight, LocalizedText("Weight", fr: "Coefficient", zh: "权重"))
                        .atLeast(0).initially(6).withDecimalComma(),
                    .flag(Unit.professional, LocalizedText("Professional", fr: "Professionnelle", zh: "职业类"))
                        .optional().initially(false),
                    .text(Unit.rcue, LocalizedText("Group (RCUE)", fr: "RCUE", zh: "组（RCUE）"), maxLength: 40)
                        .optional(),
                ],
                children: [subject])
        ])
    }

    private var subject: KindShape {
        KindShape(
            Subject.kind, LocalizedText("Subject", fr: "Matière", zh: "科目"),
            statuses: [.excused, .absent, .pending],
            fields: [
                .text(Subject.title, LocalizedText("Title", fr: "Nom de la matière", zh: "名称")),
                .integer(Subject.weight, LocalizedText("Weight", fr: "Coefficient", zh: "权重"))
                    .atLeast(1, orFault: .weightNotPositive).initially(1).withDecimalComma(),
                .number(Subject.grade, LocalizedText("Grade out of 20", fr: "Note sur 20", zh: "成绩（20 分制）"))
                    .optional().atLeast(0).atMost(20, orFault: .gradeOutOfRange).withDecimalComma().asGrade(best: 20),
                .choice(Subject.pole, LocalizedText("Pole", fr: "Pôle", zh: "类型"), of: Subject.poles).optional(),
            ])
    }

    /// Registers everything the scheme checks and computes.
    public func register(in registrar: inout SchemeRegistrar) {
        registrar.words(Self.words)
        registrar.counting(configuration.statuses)
        calculate(in: &registrar)
        switch configuration.preset {
        case .lp: decideLicence(in: &registrar)
        case .dut: decideDUT(in: &registrar)
        case .but: decideBUT(in: &registrar)
        }
        warnAboutPoles(in: &registrar)
        registrar.template(
            "sample", LocalizedText("Sample year", fr: "Année d’exemple", zh: "示例学年"), entries: Self.sampleYear)
    }

    private func calculate(in registrar: inout SchemeRegistrar) {
        registrar.calculate(
            Unit.average, of: Unit.kind, presentation(LocalizedText("Average", fr: "Moyenne", zh: "平均分"))
        ) { unit in
            let subjects = unit.children(Subject.kind)
                .mean(of: { $0[Subject.grade] }, weightedBy: { $0[Subject.weight] })
            return unit.orUngraded(subjects, best: 20)
        }
        registrar.calculate(
            Total.total, presentation(LocalizedText("Overall average", fr: "Moyenne totale", zh: "总平均分"))
        ) { year in
            year.children(Unit.kind).mean(of: { $0.figure(Unit.average) }, weightedBy: { $0[Unit.weight] })
        }
        registrar.calculate(
            Total.professional,
            presentation(LocalizedText("Professional average", fr: "Moyenne professionnelle", zh: "职业类平均分"))
        ) { year in
            year.children(Unit.kind).keeping { $0[Unit.professional] }
                .mean(of: { $0.figure(Unit.average) }, weightedBy: { $0[Unit.weight] })
        }
    }

    /// Returns the presentation of an average: green at the bar or above, red below it, a text if there is no grade.
    private func presentation(_ label: LocalizedText) -> Presentation {
        let (rule, bar) = (configuration.average, configuration.bar)
        return Presentation(label, rule)
            .coloured { $0.map { rule.reaches($0, bar) ? "green" : "red" } ?? "none" }
            .worded { $0 == nil ? Self.noGradeText : nil }
    }
}

enum Unit {
    static let kind: Kind = "unit"
    static let title = Field<String>("title")
    static let code = Field<Int>("code")
    static let weight = Field<Exact>("weight")
    static let professional = Field<Bool>("professional")
    static let rcue = Field<String>("rcue")

    static let average: Figure = "average"
}

enum Subject {
    static let kind: Kind = "subject"
    static let title = Field<String>("title")
    static let weight = Field<Exact>("weight")
    static let grade = Field<Exact>("grade")
    static let pole = Field<String>("pole")

    static let resources = "resources"
    static let sae = "sae"
    static let poles = [
        Choice(resources, LocalizedText("Resources", fr: "Ressources", zh: "资源课")),
        Choice(sae, LocalizedText("Projects (SAÉ)", fr: "SAÉ", zh: "项目课（SAÉ）")),
    ]
}

enum Total {
    static let total: Figure = "total"
    static let professional: Figure = "professional"
}
