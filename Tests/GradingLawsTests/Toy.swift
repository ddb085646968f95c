import GradingKit

/// What one toy scheme does differently from a good one.
protocol Toyness: Sendable {
    /// The record's one grade.
    static func grade(_ record: GradedEntry) -> Quantity
    /// Whatever else it registers.
    static func register(in registrar: inout SchemeRegistrar)
}

extension Toyness {
    /// The mean of points over maximum, in percent.
    static func grade(_ record: GradedEntry) -> Quantity { record.children(Item.kind).mean(of: \.percent) }
    static func register(in registrar: inout SchemeRegistrar) {}
}

/// A small scheme that keeps every law unless its toyness breaks one.
struct Toy<Difference: Toyness>: GradingScheme {
    struct Configuration: SchemeConfiguration {
        static func describe(_ form: inout SettingsForm<Self>) {}
    }

    static var identifier: SchemeIdentifier { "toy" }
    static var title: LocalizedText { LocalizedText(verbatim: "Toy") }
    static var summary: LocalizedText { LocalizedText(verbatim: "A toy.") }

    init(configuration: Configuration) {}

    var shape: RecordShape {
        RecordShape(kinds: [
            KindShape(
                Item.kind, LocalizedText(verbatim: "Item"),
                fields: [
                    .text(Item.title, LocalizedText(verbatim: "Title")),
                    .number(Item.points, LocalizedText(verbatim: "Points")).optional().atLeast(0).atMost(Item.max)
                        .asGrade(best: Item.max),
                    .number(Item.max, LocalizedText(verbatim: "Maximum")).above(0),
                    .number(Item.weight, LocalizedText(verbatim: "Weight")).atLeast(0).atMost(10),
                ])
        ])
    }

    func register(in registrar: inout SchemeRegistrar) {
        let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
        registrar.calculate("grade", Presentation(LocalizedText(verbatim: "Grade"), rule)) { Difference.grade($0) }
        Difference.register(in: &registrar)
    }
}

enum Item {
    static let kind: Kind = "item"
    static let title = Field<String>("title")
    static let points = Field<Exact>("points")
    static let max = Field<Exact>("max")
    static let weight = Field<Exact>("weight")
}

extension GradedEntry {
    var percent: Quantity { self[Item.points] / self[Item.max] * 100 }
}
