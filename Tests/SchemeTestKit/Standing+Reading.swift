public import GradingKit

/// Standings read the way the worked examples are written.
extension Standing {
    private func found(_ name: String, of entry: String?) -> StandingFigure? {
        guard let entry else { return figure(name) }
        return self.entry(EntryID(entry))?.figures.first { $0.name == name }
    }

    /// A figure as `577/40 → 14.43`, or its reason: `(no_grades)`.
    public func reading(_ name: String, of entry: String? = nil) -> String {
        guard let figure = found(name, of: entry) else { return "no such figure" }
        switch figure.current {
        case .value(let value): return "\(value) → \(figure.display)"
        case .undefined(let reason): return "(\(reason))"
        }
    }

    /// What a figure shows, `—` for nothing.
    public func display(_ name: String, of entry: String? = nil) -> String {
        found(name, of: entry).map { $0.display.isEmpty ? "—" : $0.display } ?? "no such figure"
    }

    /// The colour or mention of a figure.
    public func band(_ name: String, of entry: String? = nil) -> String? { found(name, of: entry)?.band }

    /// The guaranteed and the best reachable figure, as `80.80…90.80`.
    public func range(_ name: String, of entry: String? = nil) -> String {
        guard let figure = found(name, of: entry) else { return "no such figure" }
        let ends = [figure.floor, figure.ceiling].map { state in
            if case .value(let value) = state { figure.presentation.rule.display(value) } else { "—" }
        }
        return ends.joined(separator: "…")
    }

    /// The letter of an entry with its points, as `B+ 7/2`; `—` while there is none.
    public func letter(of entry: String) -> String {
        guard let letter = self.entry(EntryID(entry))?.letter else { return "—" }
        return letter.label + (letter.points.map { " \($0)" } ?? "")
    }

    /// An outcome as `met`, and `met, final` when nothing can change it any more.
    public func outcome(_ name: String, of entry: String? = nil) -> String {
        let outcomes = entry.map { self.entry(EntryID($0))?.outcomes ?? [] } ?? self.outcomes
        guard let outcome = outcomes.first(where: { $0.name == name }) else { return "no such outcome" }
        return outcome.decision.state.rawValue + (outcome.isFinal ? ", final" : "")
    }

    /// The codes of an outcome's reasons.
    public func reasons(_ name: String, of entry: String? = nil) -> [String] {
        let outcomes = entry.map { self.entry(EntryID($0))?.outcomes ?? [] } ?? self.outcomes
        return outcomes.first { $0.name == name }?.decision.reasons.map(\.code.text) ?? []
    }

    /// The warnings as `code entry`.
    public var warningLines: [String] {
        warnings.map { warning in warning.entry.map { "\(warning.code) \($0)" } ?? warning.code.text }
    }
}
