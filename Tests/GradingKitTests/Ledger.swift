@testable import GradingKit

/// A scheme of every kind of field and setting, for the tests of the kit.
struct Ledger: GradingScheme {
    struct Configuration: SchemeConfiguration {
        enum Mode: String, CaseIterable { case calm, strict }

        var bar: Exact = 10
        var limit = 3
        var isOpen = true
        var mode = Mode.calm
        var rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
        var bands = [Band("good", from: 10, points: 1), Band("bad", from: 0, points: 0)]
        var statuses = StatusTable.standard
        var sample: JSON = ["kind": "unit", "fields": ["title": "Sample"]]

        static func describe(_ form: inout SettingsForm<Self>) {
            func label(_ text: String) -> LocalizedText { LocalizedText(verbatim: text) }
            form.number("bar", \.bar, in: 0...20, label("Bar"), judgedBy: \.rule)
            form.integer("limit", \.limit, in: 1...9, label("Limit"))
            form.flag("isOpen", \.isOpen, label("Open"))
            form.choice("mode", \.mode, label("Mode"))
            form.figureRule("rule", \.rule, label("Rule"))
            form.bands("bands", \.bands, hasPoints: true, label("Bands"), judgedBy: \.rule)
            form.statuses("statuses", \.statuses, label("Statuses"))
            form.entry("sample", \.sample, label("Sample"))
            form.preset("strict", label("Strict")) { $0.mode = .strict }
        }

        func check(_ clashes: inout SettingClashes) {
            if limit > 5, mode == .strict { clashes.add(.outOfRange, ("limit", ["max": 5]), ("mode", [:])) }
        }
    }

    static let identifier: SchemeIdentifier = "ledger"
    static let title = LocalizedText("Ledger", fr: "Registre", zh: "账本")
    static let summary = LocalizedText(verbatim: "Units of parts.")

    let configuration: Configuration

    var shape: RecordShape {
        let part = KindShape(
            Part.kind, LocalizedText(verbatim: "Part"), count: 0...2, statuses: [.excused, .absent, .pending],
            fields: [
                .number(Part.score, LocalizedText(verbatim: "Score")).optional().atLeast(0, orFault: "score_range")
                    .atMost(Part.max).asGrade(best: Part.max).withDecimalComma(),
                .number(Part.max, LocalizedText(verbatim: "Max")).above(0),
            ])
        let unit = KindShape(
            Unit.kind, LocalizedText(verbatim: "Unit"), count: 0...configuration.limit, excess: "too_many_units",
            statuses: [.excused, .audit],
            fields: [
                .text(Unit.title, LocalizedText(verbatim: "Title"), maxLength: 10),
                .integer(Unit.weight, LocalizedText(verbatim: "Weight")).optional().atLeast(1),
                .flag(Unit.core, LocalizedText(verbatim: "Core")).optional(),
                .choice(
                    Unit.colour, LocalizedText(verbatim: "Colour"),
                    of: [
                        Choice("red", LocalizedText(verbatim: "Red")), Choice("blue", LocalizedText(verbatim: "Blue")),
                    ]
                ).optional(),
                .choice(
                    Unit.term, LocalizedText(verbatim: "Term"),
                    of: [Choice(1, LocalizedText(verbatim: "One")), Choice(2, LocalizedText(verbatim: "Two"))]
                ).optional(),
            ],
            children: [part])
        return RecordShape(
            fields: [.number(Self.prior, LocalizedText(verbatim: "Prior")).optional().atLeast(0).atMost(20)],
            kinds: [unit])
    }

    static let prior = Field<Exact>("prior")

    func register(in registrar: inout SchemeRegistrar) {
        registrar.counting(configuration.statuses)
        registrar.words([
            "score_range": LocalizedText(verbatim: "Score"), "too_many_units": LocalizedText(verbatim: "Units"),
        ])
        registrar.validate(.record) { record, faults in
            faults.refuseDuplicates(
                among: record.children(Unit.kind), by: { $0[Unit.title].map(comparableName) }, on: Unit.title,
                as: "twice")
        }
        let bands = Bands(configuration.bands, judging: configuration.rule)
        registrar.calculate(
            Unit.mark, of: Unit.kind,
            Presentation(LocalizedText(verbatim: "Mark"), configuration.rule).lettered(by: bands)
        ) { unit in
            unit.orUngraded(unit.children(Part.kind).mean { $0[Part.score] / $0[Part.max] * 20 }, best: 20)
        }
        registrar.calculate("mean", Presentation(LocalizedText(verbatim: "Mean"), configuration.rule)) { record in
            record.children(Unit.kind).mean(of: { $0.figure(Unit.mark) }, weightedBy: { $0[Unit.weight].or(1) })
        }
        let bar = Bar(configuration.bar, judging: configuration.rule)
        registrar.decide("passed", LocalizedText(verbatim: "Passed")) {
            $0.figure("mean").reaches(bar, orReason: "below")
        }
    }
}

enum Unit {
    static let kind: Kind = "unit"
    static let title = Field<String>("title")
    static let weight = Field<Exact>("weight")
    static let core = Field<Bool>("core")
    static let colour = Field<String>("colour")
    static let term = Field<Int>("term")
    static let mark: Figure = "mark"
}

enum Part {
    static let kind: Kind = "part"
    static let score = Field<Exact>("score")
    static let max = Field<Exact>("max")
}

extension Ledger {
    static func rules(_ configuration: JSON = .null, preset: String? = nil) throws(FaultList) -> Rulebook {
        try InstalledScheme(Ledger.self).rulebook(preset: preset, configuration: configuration)
    }

    /// Faults of a calculation, as `code path`.
    static func faults(_ entries: JSON, fields: JSON = .null) throws -> [String] {
        var made = 0
        let rules = try rules()
        do {
            _ = try rules.calculation(fields: fields, entries: entries) {
                made += 1
                return EntryID("e\(made)")
            }
            return []
        } catch {
            return error.faults.map { "\($0.code) \($0.path)" }
        }
    }
}
