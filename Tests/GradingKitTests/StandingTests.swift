@testable import GradingKit
import Testing

@Suite struct StandingTests {
    private struct Graded: GradingScheme {
        struct Configuration: SchemeConfiguration {
            static func describe(_ form: inout SettingsForm<Self>) {}
        }

        static let identifier: SchemeIdentifier = "graded"
        static let title = LocalizedText(verbatim: "Graded")
        static let summary = LocalizedText(verbatim: "One letter for the record.")

        init(configuration: Configuration) {}

        var shape: RecordShape {
            RecordShape(
                fields: [
                    .number(mark, LocalizedText(verbatim: "Mark")).optional().atLeast(0).atMost(20).asGrade(best: 20)
                ], kinds: [])
        }

        private var mark: Field<Exact> { Field("mark") }

        func register(in registrar: inout SchemeRegistrar) {
            let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
            let bands = Bands([Band("A", from: 10, points: 4), Band("F", from: 0, points: 0)], judging: rule)
            let mark = mark
            registrar.calculate("mark", Presentation(LocalizedText(verbatim: "Mark"), rule).lettered(by: bands)) {
                $0[mark]
            }
        }
    }

    private func standing(_ fields: JSON) throws -> Standing {
        let rules = try InstalledScheme(Graded.self).rulebook()
        return try rules.standing(
            of: try rules.calculation(fields: fields, entries: [], newID: { EntryID("new") }))
    }

    @Test func `a figure of the record gives the record its letter`() throws {
        let standing = try standing(["mark": 12])
        #expect(standing.letter?.label == "A")
        let json = try JSON.parse(standing.json(of: nil, in: .english))
        #expect([json["letter"], json["points"]] == ["A", "4"])
    }

    @Test func `the letter of a record without a grade is null`() throws {
        let json = try JSON.parse(try standing([:]).json(of: nil, in: .english))
        #expect([json["letter"], json["points"]] == [.null, .null])
    }
}
