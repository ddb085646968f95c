import GradingKit

/// The values around which a scheme decides otherwise: the bounds of its bands and the numbers among its settings, bars
/// among them. Chance alone hardly ever meets them.
struct Thresholds {
    /// In ascending order, each once.
    let values: [Exact]

    init(of rules: Rulebook) {
        let bounds = rules.shownBands.flatMap { $0.list.map(\.from) }
        values = Set(bounds + Self.numbers(in: rules.configuration)).sorted()
    }

    /// The numbers of a configuration, at any depth.
    private static func numbers(in settings: JSON) -> [Exact] {
        switch settings {
        case .array(let elements): elements.flatMap { numbers(in: $0) }
        case .object(let object): object.flatMap { numbers(in: $0.value) }
        default: settings.exact.map { [$0] } ?? []
        }
    }

    /// The thresholds that a grade between two values can meet: as they are, and read as percent of the best.
    func reachable(from worst: Exact, to best: Exact) -> [Exact] {
        let range = min(worst, best)...max(worst, best)
        let shares = values.compactMap { share in ((best - worst) * share / 100).map { worst + $0 } }
        return (values + shares).filter(range.contains)
    }
}
