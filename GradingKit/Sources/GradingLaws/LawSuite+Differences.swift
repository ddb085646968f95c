import GradingKit

/// Differences between two standings of a record, in words.
extension LawSuite {
    /// A difference by the labels that the document shows.
    func words(of difference: StandingDifference, in record: GeneratedRecord) -> LocalizedText {
        let owner = difference.key.entry.flatMap { id in record.places.first { $0.entry["id"]?.string == id } }
        let kind = owner.map { Kind($0.entry.kindName) }
        let thing = words(of: difference.key, label: difference.now?.label ?? difference.before?.label, kind)
        let now = words(of: difference.now, at: difference.key, kind)
        let before = words(of: difference.before, at: difference.key, kind)
        guard now == before else { return LawWords.difference(thing, now, before) }
        return LawWords.unlike(thing, now, isOutcome: difference.now?.isOutcome ?? false)
    }

    private func words(of key: FactKey, label: LocalizedText?, _ kind: Kind?) -> LocalizedText {
        let owner = kind.map { rules.label(of: $0) }
        switch key.part {
        case .letter: return LawWords.letter(of: owner)
        case .warnings: return LawWords.warnings
        case .value, .floor, .ceiling:
            let name = key.name.map { LawSubject(name: $0, entry: nil).plainName } ?? ""
            let thing = LawWords.thing(label ?? rules.label(of: name, in: kind ?? .record), in: owner)
            return LawWords.part(key.part, of: thing)
        }
    }

    private func words(of fact: StandingFact?, at key: FactKey, _ kind: Kind?) -> LocalizedText {
        switch fact?.content {
        case .none, .text(""): return key.part == .letter ? LawWords.noLetter : LawWords.none
        case .text(let text): return LocalizedText(verbatim: text)
        case .end(let state): return LawWords.value(state, band: nil)
        case .figure(let state, display: _, let band): return LawWords.value(state, band: band)
        case .outcome(let state, let value, let isFinal, reasons: _):
            let label = value.flatMap { value in key.name.map { rules.label(of: value, of: $0, in: kind ?? .record) } }
            let decision = label ?? LawWords.state(state)
            return isFinal ? LawWords.final(decision) : decision
        }
    }
}
