public import GradingKit

/// A record in which a value that a person gives does not count as it should.
public struct GivingCounterexample: Error, Sendable, CustomStringConvertible {
    /// The observation, in English.
    public let detail: String
    /// The record, as the body of a stateless calculation.
    public let record: JSON

    /// The observation.
    public var description: String { "what people give does not count as it should: \(detail)" }
}

/// The law of given values: a figure or outcome that a person gives has that value under every assumption; the computed
/// value stands beside it; floor ≤ current ≤ ceiling holds for every other figure; traces re-evaluate; and taking the
/// value back restores the standing.
extension LawSuite {
    /// Returns a record that breaks the law; `nil` if none was found.
    public func counterexampleToGiving() -> GivingCounterexample? {
        var generator = RecordGenerator(for: rules, seed: seed)
        let mender = mender
        for number in 0..<records where hasTime {
            guard let (record, tree) = mender.mended(generator.record(exceeding: false), using: &generator),
                let standing = try? rules.standing(of: tree)
            else { continue }
            var dice = SeededGenerator(seed: seed &+ UInt64(number))
            var found = LawFindings()
            if let detail = wrong(givingIn: tree, standing, record, &dice, &found)
                ?? found.violations.first.map({ "\($0)" })
            {
                return GivingCounterexample(detail: detail, record: record.json)
            }
        }
        return nil
    }

    private static let note = GivenNote(author: "A", time: "2026-07-03T10:00:00Z", reason: "Jury")

    /// Gives one figure and one outcome of a record, each by itself.
    private func wrong(
        givingIn tree: RecordTree, _ before: Standing, _ record: GeneratedRecord, _ dice: inout SeededGenerator,
        _ found: inout LawFindings
    ) -> String? {
        // Figures and outcomes of families and groups cannot be given.
        let figures = subjects(before, \.figures, \.figures).filter { !$0.part.name.contains(":") }
        if let (entry, figure) = dice.pick(figures),
            let value = dice.pick([figure.floor, figure.current, figure.ceiling].compactMap(\.value))
        {
            let given = tree.giving(
                GivenValues(figures: [figure.name: GivenValue(value, note: Self.note)]), to: entry)
            guard let standing = try? rules.standing(of: given, explaining: .all) else {
                return "with \(figure.name) there is no standing"
            }
            let own = entry.map { standing.entry($0)?.figures ?? [] } ?? standing.figures
            guard let now = own.first(where: { $0.name == figure.name }) else { return "\(figure.name) is gone" }
            let states = [now.current, now.floor, now.ceiling]
            if states.contains(where: { $0 != .value(value) }) { return "\(figure.name) is \(states), not \(value)" }
            if now.computed?.current != figure.current {
                return "what is computed of \(figure.name) is \(String(describing: now.computed))"
            }
            checkRange(of: standing, isBeyond: false, record, &found)
            checkTraces(of: standing, record, &found)
            if let detail = difference(from: before, takingBack: given, to: entry, record) { return detail }
        }
        let outcomes = subjects(before, \.outcomes, \.outcomes).filter { !$0.part.name.contains(":") }
        guard let (entry, outcome) = dice.pick(outcomes) else { return nil }
        let other = dice.pick(outcome.values.filter { $0.name != outcome.decision.value }).map {
            GivenOutcome($0.state, $0.name)
        }
        let value = other ?? GivenOutcome(outcome.decision.state == .met ? .unmet : .met)
        let given = tree.giving(GivenValues(outcomes: [outcome.name: GivenValue(value, note: Self.note)]), to: entry)
        guard let standing = try? rules.standing(of: given) else { return "with \(outcome.name) there is no standing" }
        let own = entry.map { standing.entry($0)?.outcomes ?? [] } ?? standing.outcomes
        let now = own.first { $0.name == outcome.name }
        let (state, name) = (now?.decision.state, now?.decision.value)
        if state != value.state || name != value.name || now?.isFinal != true || now?.computed != outcome.decision {
            return "\(outcome.name) is \(String(describing: now))"
        }
        checkRange(of: standing, isBeyond: false, record, &found)
        return difference(from: before, takingBack: given, to: entry, record)
    }

    /// Parts of a standing with the entries that show them.
    private func subjects<Part>(
        _ standing: Standing, _ own: (Standing) -> [Part], _ ofEntry: (EntryStanding) -> [Part]
    ) -> [(entry: EntryID?, part: Part)] {
        own(standing).map { (nil, $0) }
            + standing.entries.flatMap { entry in ofEntry(entry).map { (entry.entry, $0) } }
    }

    private func difference(
        from before: Standing, takingBack given: RecordTree, to entry: EntryID?, _ record: GeneratedRecord
    ) -> String? {
        guard let after = try? rules.standing(of: given.giving(nil, to: entry)) else { return "nothing after all" }
        return Snapshot(after).difference(from: Snapshot(before))
            .map { "taken back: \(words(of: $0, in: record).english)" }
    }
}

extension Quantity.State {
    fileprivate var value: Exact? { if case .value(let value) = self { value } else { nil } }
}
