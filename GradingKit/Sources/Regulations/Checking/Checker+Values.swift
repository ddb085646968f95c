import GradingKit

/// Checks named values of outcomes.
extension Checker {
    /// The values of an outcome, best first: those that are met, in the order in which lines name them, then the
    /// others.
    func values(of outcome: RegulationDocument.Outcome) throws(Stop) -> [OutcomeValue] {
        var found: [(value: OutcomeValue, isLabelled: Bool)] = []
        for clause in outcome.clauses {
            guard let verdict = clause.verdict, let word = verdict.value else { continue }
            let value = OutcomeValue(
                word.text, verdict.label ?? LocalizedText(verbatim: word.text), verdict.state,
                isByHand: clause.isByHand)
            guard let place = found.firstIndex(where: { $0.value.name == word.text }) else {
                if found.count == OutcomeValue.most {
                    throw stop(.tooMany, word.range, ["limit": .number(String(OutcomeValue.most))])
                }
                found.append((value, verdict.label != nil))
                continue
            }
            let known = found[place]
            let arguments: JSONObject = ["name": .string(word.text)]
            if known.value.state != value.state { throw stop(.valueOfTwoStates, word.range, arguments) }
            if known.value.isByHand != value.isByHand || value.isByHand {
                throw stop(.valueByHand, word.range, arguments)
            }
            if known.isLabelled, verdict.label != nil { throw stop(.duplicateLabel, word.range, arguments) }
            if verdict.label != nil { found[place] = (value, true) }
        }
        let values = found.map(\.value)
        return values.filter { $0.state == .met } + values.filter { $0.state == .unmet }
    }

    /// `result is ADM`: whether an outcome has this value; unknown while it is pending.
    func condition(
        _ outcome: OutcomeReading, is word: String, at range: Range<Int>
    ) throws(Stop) -> ConditionValue {
        if let state = Decision.State(rawValue: word) {
            return Self.condition(outcome, outcome.isTaken ? .still : state == .unmet ? .falls : .rises) {
                $0.state == state
            }
        }
        guard outcome.values.contains(where: { $0.name == word }) else {
            if outcome.values.isEmpty { throw stop(.notComparable, range) }
            faults.add(
                .unknownChoice, guessing: .unknownChoiceGuess, word, among: outcome.values.map(\.name), range,
                ["field": .string(outcome.name)])
            throw Stop()
        }
        return Self.condition(outcome, outcome.trends[word]) { $0.value == word }
    }

    /// Whether a decision has the given value or state. Unknown while it is pending, for its reasons.
    private static func condition(
        _ outcome: OutcomeReading, _ trend: Trend, _ isAsked: @escaping @Sendable (Decision) -> Bool
    ) -> ConditionValue {
        ConditionValue(
            outcome.code.map { isAsked($0) ? .yes : $0.state == .pending ? .unknown : .no },
            why: outcome.code.map { !isAsked($0) && $0.state == .pending ? $0.reasons : [] }, trend)
    }
}

/// How better grades change whether an outcome has one of its values.
///
/// The first line that holds decides. So a value can only come with better grades if these end none of its own lines
/// and start no earlier line that decides otherwise. If they can only do the opposite, it can only go.
struct ValueTrends: Sendable {
    /// A line that decides; for `needs`, what it decides when it fails.
    struct Verdict: Sendable {
        /// The value that the line names, if any.
        let value: String?
        /// How better grades change whether the line holds.
        let trend: Trend
    }

    private let verdicts: [Verdict]

    /// Creates the trends of the values that the lines decide, in the order of the lines.
    init(of verdicts: [Verdict]) { self.verdicts = verdicts }

    /// The trend of one value. A value that no line decides comes from people alone.
    subscript(value: String) -> Trend {
        guard let last = verdicts.lastIndex(where: { $0.value == value }) else { return .still }
        return verdicts[...last].reduce(.still) { trend, verdict in
            trend + (verdict.value == value ? verdict.trend : verdict.trend.reversed)
        }
    }
}

/// An outcome as a formula reads it.
struct OutcomeReading: Sendable {
    let code: Code<Decision>
    let values: [OutcomeValue]
    let trends: ValueTrends
    let name: String
    /// Whether it is in a copy of an earlier record, where no grade can change it.
    var isTaken = false
}

extension RegulationDocument.Outcome.Clause {
    /// What the line decides.
    var verdict: RegulationDocument.Outcome.Verdict? {
        switch self {
        case .awaits, .needs: nil
        case .when(_, let verdict, _), .byHand(let verdict), .otherwise(let verdict, _): verdict
        }
    }

    fileprivate var isByHand: Bool { if case .byHand = self { true } else { false } }
}
