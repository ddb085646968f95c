@testable import GradingKit
import Testing

/// A run's variables are not checked for exclusive access. Formulas re-enter the run that evaluates them, so these tests
/// do it in every way there is and look at what each level sees.
@Suite struct RunTests {
    private struct Chain: GradingScheme {
        struct Configuration: SchemeConfiguration {
            static func describe(_ form: inout SettingsForm<Self>) {}
        }

        static let identifier: SchemeIdentifier = "chain"
        static let title = LocalizedText(verbatim: "Chain")
        static let summary = LocalizedText(verbatim: "Each link adds its size to those behind it.")
        static let link: Kind = "link"
        static let size = Field<Exact>("size")
        static let total: Figure = "total"

        init(configuration: Configuration) {}

        var shape: RecordShape {
            let size: FieldShape = .number(Self.size, LocalizedText(verbatim: "Size")).optional().atLeast(0).atMost(9)
                .asGrade(best: 9)
            return RecordShape(kinds: [KindShape(Self.link, LocalizedText(verbatim: "Link"), fields: [size])])
        }

        func register(in registrar: inout SchemeRegistrar) {
            let shown = Presentation(
                LocalizedText(verbatim: "Total"), FigureRule(.halfUp, scale: 0, compareOn: .exact))
            // Re-enters the run at the next link, before and after it reads its own field.
            registrar.calculate(Self.total, of: Self.link, shown) { link in
                let own = link[Self.size]
                guard let next = link.parent.children(Self.link).first(where: { $0.id.text > link.id.text }) else {
                    return own
                }
                return next.figure(Self.total) + own + link[Self.size] - own
            }
            registrar.calculate("first", shown) { $0.figure("second") + 1 }
            registrar.calculate("second", shown) { $0.figure("first") + 1 }
            // Re-enters the run for another figure while it goes through the links.
            registrar.calculate("all", shown) { record in
                record.children(Self.link).keeping { $0.figure(Self.total).isDefined }.sum { $0.figure(Self.total) }
            }
        }
    }

    private func standing(_ sizes: [JSON]) throws -> Standing {
        let rules = try InstalledScheme(Chain.self).rulebook()
        let links = sizes.enumerated().map { place, size -> JSON in
            ["id": .string(String(1_000 + place)), "kind": "link", "fields": ["size": size]]
        }
        let tree = try rules.calculation(fields: .null, entries: .array(links), newID: { EntryID("new") })
        return try rules.standing(of: tree)
    }

    @Test func `every level of a nested evaluation sees its own values`() throws {
        let standing = try standing((1...200).map { .number(String($0 % 9)) })
        let sizes = (1...200).map { Exact($0 % 9) }
        for (place, entry) in standing.entries.enumerated() {
            #expect(entry.figures.first?.current == .value(sizes[place...].reduce(0, +)))
        }
    }

    @Test func `nested evaluations under all three assumptions keep apart`() throws {
        let standing = try standing([1, .null, 2])
        let first = try #require(standing.entries.first?.figures.first)
        #expect([first.floor, first.ceiling] == [.value(3), .value(12)])
        #expect(standing.figure("all")?.floor == .value(3 + 2 + 2))
    }

    @Test func `figures that need each other are undefined`() throws {
        let standing = try standing([1])
        #expect(standing.figure("first")?.current == .undefined(.circular))
        #expect(standing.figure("second")?.current == .undefined(.circular))
    }

    /// Items whose points are of maxima without a common factor: their mean has thousands of digits.
    private struct Pile: GradingScheme {
        struct Configuration: SchemeConfiguration {
            static func describe(_ form: inout SettingsForm<Self>) {}
        }

        static let identifier: SchemeIdentifier = "pile"
        static let title = LocalizedText(verbatim: "Pile")
        static let summary = LocalizedText(verbatim: "Means and sums of shares.")
        static let item: Kind = "item"
        static let max = Field<Exact>("max")

        init(configuration: Configuration) {}

        var shape: RecordShape {
            let max: FieldShape = .number(Self.max, LocalizedText(verbatim: "Maximum")).above(0)
            return RecordShape(kinds: [KindShape(Self.item, LocalizedText(verbatim: "Item"), fields: [max])])
        }

        func register(in registrar: inout SchemeRegistrar) {
            let shown = Presentation(
                LocalizedText(verbatim: "Shares"), FigureRule(.halfUp, scale: 0, compareOn: .exact))
            registrar.calculate("mean", shown) { $0.children(Self.item).mean { 1 / $0[Self.max] } }
            registrar.calculate("sum", shown) { $0.children(Self.item).sum { 1 / $0[Self.max] } }
            registrar.calculate("weighted", shown) { record in
                record.children(Self.item).mean(of: { $0[Self.max] }, weightedBy: { 1 / $0[Self.max] })
            }
        }
    }

    @Test(arguments: 0..<3) func `what is longer than any grade is not computed to its end`(figure: Int) throws {
        let rules = try InstalledScheme(Pile.self).rulebook()
        let items = (0..<999).map { place -> JSON in
            let max = JSON.number(String(999_999_937 - 2 * place))
            return ["id": .string("i\(place)"), "kind": "item", "fields": ["max": max]]
        }
        let tree = try rules.calculation(fields: .null, entries: .array(items), newID: { EntryID("new") })
        #expect(throws: FaultList([Fault(.tooPrecise)])) { try rules.standing(of: tree) }
        let run = Run(tree.body, by: rules.compiled, under: .current)
        #expect(run.figure(figure, of: 0).reason == .tooPrecise)
        // To its end it would take hundreds of millions: what beyond machine words costs is counted.
        #expect(run.steps < 10_000_000)
    }
}
