/// A comparison of a stored standing with one computed now.
///
/// For a scheme in its own process, the build that computed the stored standing may no longer exist. Nothing is
/// therefore computed twice: the stored standing, which people have already seen, counts.
public struct StandingComparison: Sendable {
    private let stored: JSON

    /// Creates a comparison with a standing in its stored form.
    ///
    /// - Throws: `JSONSyntaxError` for text that is not JSON.
    public init(with stored: [UInt8]) throws(JSONSyntaxError) { self.stored = try JSON.parse(stored) }

    /// Returns the differences in `standing`: those of the record itself, then those of its entries in order.
    public func changes(in standing: Standing) -> [VerdictChange] {
        var changes: [VerdictChange] = []
        let own = Judged(
            figures: standing.figures, letter: standing.letter?.label,
            letterName: standing.lettered(at: 0), outcomes: standing.outcomes, names: standing.formerNames(at: 0))
        compare(stored, own, at: nil, &changes)
        let entries = stored["entries"]?.object ?? JSONObject()
        let known = Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first }
        var met: Set<String> = []
        for index in standing.shownEntries {
            let id = standing.record.ids[index]
            met.insert(id.text)
            let now = Judged(
                figures: standing.figures(of: index), letter: standing.letter(of: index)?.label,
                letterName: standing.lettered(at: index), outcomes: standing.outcomes(of: index),
                names: standing.formerNames(at: index))
            compare(known[id.text] ?? .null, now, at: id, &changes)
        }
        for entry in entries where !met.contains(entry.name) {
            compare(entry.value, Judged(), at: EntryID(entry.name), &changes)
        }
        return changes
    }

    /// The current standing of a record or an entry.
    private struct Judged {
        var figures: [StandingFigure] = []
        var letter: String?
        var letterName: String?
        var outcomes: [StandingOutcome] = []
        /// The former names of figures and outcomes, and those of families.
        var names: [FormerNames] = []

        /// Returns the members of a stored standing under the names of today.
        func named(_ stored: JSON?, _ own: [String], _ aliases: KeyPath<FormerNames, NameAliases>) -> JSONObject {
            var named = JSONObject()
            for member in stored?.object ?? JSONObject() {
                let later = names.lazy.compactMap {
                    $0[keyPath: aliases].own(of: member.name) ?? $0[keyPath: aliases].own(ofMember: member.name)
                }.first
                // Of two that became one, the one with the name of today is compared.
                let isFree = later.map { own.contains($0) && stored?[$0] == nil && named[$0] == nil } ?? false
                named[isFree ? later ?? member.name : member.name] = member.value
            }
            return named
        }
    }

    private func compare(_ then: JSON, _ now: Judged, at entry: EntryID?, _ changes: inout [VerdictChange]) {
        let figures = now.named(then["figures"], now.figures.map(\.name), \.figures)
        let gone = figures.filter { figure in !now.figures.contains { $0.name == figure.name } }
        for figure in now.figures { Self.compare(figures[figure.name], figure, figure.name, at: entry, &changes) }
        for figure in gone { Self.compare(figure.value, nil, figure.name, at: entry, &changes) }
        if then["letter"]?.string != now.letter {
            changes.append(
                VerdictChange(
                    .letter, of: now.letterName ?? "letter", at: entry, before: then["letter"]?.string,
                    after: now.letter))
        }
        let outcomes = now.named(then["outcomes"], now.outcomes.map(\.name), \.outcomes)
        let lost = outcomes.filter { outcome in !now.outcomes.contains { $0.name == outcome.name } }
        for outcome in now.outcomes {
            SeenOutcome.compare(
                SeenOutcome(stored: outcomes[outcome.name]), SeenOutcome(outcome.decision), outcome.name, at: entry,
                &changes)
        }
        for outcome in lost {
            SeenOutcome.compare(SeenOutcome(stored: outcome.value), nil, outcome.name, at: entry, &changes)
        }
    }

    private static func compare(
        _ then: JSON?, _ now: StandingFigure?, _ name: String, at entry: EntryID?, _ changes: inout [VerdictChange]
    ) {
        let exact = (then?["exact"]?.string.flatMap { Exact(ratio: $0) }, now.flatMap { $0.value($0.current) })
        let shown = (exact.0 == nil ? nil : then?["display"]?.string, now.flatMap { $0.text($0.current) })
        if exact.0 != exact.1 || shown.0 != shown.1 {
            changes.append(
                VerdictChange(
                    .figure, of: name, at: entry, before: shown.0, after: shown.1,
                    exactly: (before: exact.0, after: exact.1)))
        }
        let bands = (then?["band"]?.string, now?.band)
        if bands.0 != bands.1 {
            changes.append(VerdictChange(.bar, of: name, at: entry, before: bands.0, after: bands.1))
        }
    }
}

extension SeenOutcome {
    /// Reads the stored form; `nil` for anything that is not an outcome.
    fileprivate init?(stored: JSON?) {
        guard let state = stored?["state"]?.string else { return nil }
        let reasons = (stored?["reasons"]?.array ?? []).map { reason in
            Reason(code: reason["code"]?.string ?? "", entry: reason["entry"]?.string.map { EntryID($0) })
        }
        self.init(word: stored?["value"]?.string ?? state, reasons: reasons)
    }
}

extension Standing {
    /// Returns the former names of an entry's figures and outcomes, and those of the families that it shows.
    fileprivate func formerNames(at index: Int) -> [FormerNames] {
        [kind(of: index).formerNames, FormerNames(ofFamiliesIn: record.nodes[index].kind, by: rules)]
    }

    /// Returns the name of the figure that determines an entry's letter; `nil` if there is none.
    fileprivate func lettered(at index: Int) -> String? { kind(of: index).lettered?.name }
}
