public import GradingKit

/// Answers a goal by trying every grade of small grids, one after the other: slow and certain.
public struct BruteForce {
    /// What a grade may be: from 0 to `best`, in steps.
    public struct Grades: Sendable {
        let best: Exact
        let step: Exact

        /// The grades from 0 to `best`, in steps.
        public init(to best: Exact, by step: Exact) {
            self.best = best
            self.step = step
        }

        fileprivate func at(_ fraction: Exact) -> Exact {
            min(best, Rounding.ceiling(best * fraction, to: .step(step)))
        }

        fileprivate var fractions: [Exact] {
            var grades = [best]
            var grade = Exact.zero
            while grade < best {
                grades.append(grade)
                grade = grade + step
            }
            return grades.compactMap { $0 / best }
        }
    }

    private let unknowns: [Grades]

    /// Tries these grades.
    public init(_ unknowns: [Grades]) { self.unknowns = unknowns }

    /// What a goal's answer should say, as `reachable 123 4.5`, `already_secured` or `out_of_reach`.
    public func reading(_ holds: ([Exact]) throws -> Bool) rethrows -> String {
        let fractions = Set(unknowns.flatMap(\.fractions)).sorted()
        for fraction in fractions where try holds(unknowns.map { $0.at(fraction) }) {
            guard fraction > .zero else { return "already_secured" }
            return (["reachable"] + unknowns.map { $0.at(fraction).description }).joined(separator: " ")
        }
        return "out_of_reach"
    }
}

extension GoalAnswer {
    /// The answer as `reachable 123 4.5`, `already_secured` or `out_of_reach`.
    public var reading: String {
        ([status.rawValue] + inputs.map { $0.value.description }).joined(separator: " ")
    }

    /// What is reached and what is reachable, as `90.00 of 95.78`.
    public var outlook: String { "\(reached.reading) of \(ceiling.reading)" }
}

extension GoalAnswer.Outlook {
    /// The figure as it is shown, or the outcome's state.
    public var reading: String {
        switch self {
        case .figure(let figure): figure.display
        case .outcome(let decision): decision.state.rawValue
        }
    }
}
