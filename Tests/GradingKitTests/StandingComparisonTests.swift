import GradingKit
import Testing

@Suite struct `A stored standing beside one computed now` {
    private func record(_ score: JSON) -> JSON {
        [
            [
                "id": "u", "kind": "unit", "fields": ["title": "A"],
                "children": [["id": "p", "kind": "part", "fields": ["score": score, "max": 10]]],
            ]
        ]
    }

    private func standing(_ score: JSON, _ configuration: JSON = .null) throws -> Standing {
        let rules = try Ledger.rules(configuration)
        return try rules.standing(of: rules.calculation(fields: .null, entries: record(score)) { EntryID("?") })
    }

    private func changes(from stored: Standing, to standing: Standing) throws -> [String] {
        let comparison = try StandingComparison(with: stored.json(of: nil, in: .english))
        return comparison.changes(in: standing).map { change in
            "\(change.aspect) \(change.entry?.text ?? "") \(change.name): \(change.before ?? "–") → \(change.after ?? "–")"
        }
    }

    @Test func `finds nothing where nothing is other`() throws {
        #expect(try changes(from: standing(7), to: standing(7)).isEmpty)
        #expect(try changes(from: standing(.null), to: standing(.null)).isEmpty)
    }

    @Test func `finds figures, letters and outcomes`() throws {
        #expect(
            try changes(from: standing(7), to: standing(4)) == [
                "figure  mean: 14.00 → 8.00", "outcome  passed: met → unmet", "figure u mark: 14.00 → 8.00",
                "letter u mark: good → bad",
            ])
    }

    @Test func `finds what came and what went`() throws {
        #expect(
            try changes(from: standing(.null), to: standing(7)).contains("figure  mean: – → 14.00"))
        let rules = try Ledger.rules()
        let empty = try rules.standing(of: rules.emptyRecord)
        #expect(
            try changes(from: standing(7), to: empty).suffix(2)
                == ["figure u mark: 14.00 → –", "letter u letter: good → –"])
    }

    @Test func `finds a figure that is shown otherwise and is the same`() throws {
        let coarse = try standing(7, ["rule": ["scale": 0]])
        #expect(try changes(from: standing(7), to: coarse).first == "figure  mean: 14.00 → 14")
    }

    @Test func `finds another reason for an outcome that stays`() throws {
        var stored = try JSON.parse(standing(4).json(of: nil, in: .english)).object ?? [:]
        stored["outcomes"] = ["passed": ["state": "unmet", "final": false, "reasons": [["code": "long_ago"]]]]
        let changes = try StandingComparison(with: JSON.object(stored).bytes).changes(in: standing(4))
        #expect(changes.map { [$0.before, $0.after] } == [["long_ago", nil], [nil, "below"]])
        #expect(changes.allSatisfy { $0.aspect == .bar && $0.name == "passed" })
    }

    @Test func `is refused where what is stored is no JSON`() {
        #expect(throws: JSONSyntaxError.self) { try StandingComparison(with: []) }
    }
}
