import GradingKit

/// The values at which a scheme's decisions change: the bounds of its bands, and the numbers in its settings such as
/// bars. Chance alone hardly ever hits them.
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

    /// The thresholds between two grades: as they are, and as percentages of the best grade.
    func reachable(from worst: Exact, to best: Exact) -> [Exact] {
        let range = min(worst, best)...max(worst, best)
        let shares = values.compactMap { share in ((best - worst) * share / 100).map { worst + $0 } }
        return (values + shares).filter(range.contains)
    }
}
