import GradingKit
import GradingLaws
import IUT
import Regulations
import RoseHulman
import SchemeTestKit
import Testing

/// The schemes that ship, written as documents, judge hundreds of random records alike.
@Suite struct ComparisonTests {
    private func rules(_ name: String) throws -> Rulebook {
        let regulation = Regulation(Array(try Document.shipped(name).utf8))
        for fault in regulation.faults where !fault.isWarning {
            Issue.record("\(fault.line):\(fault.column): \(fault.message(in: .english))")
        }
        return try #require(regulation.rulebook)
    }

    /// How many records were judged alike; tells of the first few that were not.
    private func alike(
        _ document: Rulebook, _ scheme: Rulebook, reasonsOf figures: Set<String>, seeds: ClosedRange<UInt64>
    ) throws -> Int {
        var (same, different) = (0, 0)
        for seed in seeds {
            for sample in LawSuite(document, seed: seed, records: 300).samples() where different < 3 {
                let (left, right) = (standing(sample, document), standing(sample, scheme))
                guard let left, let right else {
                    #expect((left == nil) == (right == nil), "\(sample.text)")
                    continue
                }
                let facts = Facts(left, reasonsOf: figures)
                if let difference = facts.difference(from: Facts(right, reasonsOf: figures)) {
                    different += 1
                    Issue.record("\(difference)\n\(sample.text)")
                } else {
                    same += 1
                }
            }
        }
        return same
    }

    private func standing(_ record: JSON, _ rules: Rulebook) -> Standing? {
        let tree = try? rules.calculation(
            fields: record["fields"] ?? .null, entries: record["entries"] ?? .null, newID: { EntryID("new") })
        return tree.flatMap { try? rules.standing(of: $0) }
    }

    @Test func `the licence of an IUT`() throws {
        let same = try alike(
            rules("iut"), InstalledScheme(IUT.self).rulebook(preset: "lp"),
            reasonsOf: ["average", "total", "professional"], seeds: 1...2)
        #expect(same >= 400)
    }

    @Test func `weighted categories with a cumulative GPA`() throws {
        // Why there is no GPA yet has a code of the scheme's own, which no formula can say.
        let same = try alike(
            rules("rose-hulman"), InstalledScheme(RoseHulman.self).rulebook(), reasonsOf: ["grade", "percent"],
            seeds: 1...4)
        #expect(same >= 100)
    }

}

/// What a standing says, as far as a document says it too.
private struct Facts {
    private var facts: [String: String] = [:]

    init(_ standing: Standing, reasonsOf figures: Set<String>) {
        add(standing.figures, standing.outcomes, of: "record", figures)
        for entry in standing.entries {
            add(entry.figures, entry.outcomes, of: entry.entry.text, figures)
            if entry.isLettered {
                facts["letter of \(entry.entry)"] = entry.letter.map { "\($0.label) \($0.points ?? 0)" } ?? "none"
            }
        }
    }

    private mutating func add(
        _ figures: [StandingFigure], _ outcomes: [StandingOutcome], of subject: String, _ reasons: Set<String>
    ) {
        for figure in figures {
            let states = [figure.current, figure.floor, figure.ceiling].map { state in
                switch state {
                case .value(let value): "\(value)"
                case .undefined(let reason): reasons.contains(figure.name) ? reason.text : "none"
                }
            }
            facts["\(figure.name) of \(subject)"] = "\(states) shown \(figure.display)"
        }
        for outcome in outcomes {
            // A document tells each reason once.
            let reasons = outcome.decision.reasons.reduce(into: [String]()) { told, reason in
                let text = "\(reason.code) \(reason.entry?.text ?? "")"
                if !told.contains(text) { told.append(text) }
            }
            facts["\(outcome.name) of \(subject)"] =
                "\(outcome.decision.state) final \(outcome.isFinal) \(reasons)"
        }
    }

    /// What another standing says differently of anything that this one speaks of.
    func difference(from other: Facts) -> String? {
        for name in facts.keys.sorted() where facts[name] != other.facts[name] {
            return "\(name): \(facts[name] ?? "") instead of \(other.facts[name] ?? "nothing")"
        }
        return nil
    }
}
