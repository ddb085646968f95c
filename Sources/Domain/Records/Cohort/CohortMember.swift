import GradingKit
import Shared

/// What one record contributes to its cohort's statistics.
public struct CohortMember: Sendable {
    /// A figure that has a value.
    struct Shown: Sendable {
        /// The displayed value, which decides the bin.
        let display: Exact
        /// The exact value, an integer over an integer, from which means are computed.
        let numerator: Exact
        let denominator: String
        let band: String?

        init?(_ figure: JSON) {
            guard let display = figure["display"]?.string.flatMap({ DecimalText($0)?.value }) else { return nil }
            let parts = figure["exact"]?.string?.split(separator: "/").map(String.init) ?? []
            guard let first = parts.first, let numerator = Exact(ratio: first) else { return nil }
            self.display = display
            self.numerator = numerator
            denominator = parts.count > 1 ? parts[1] : "1"
            band = figure["band"]?.string
        }
    }

    /// The state of an outcome.
    struct Decided: Sendable {
        let state: String
        let isFinal: Bool
    }

    /// The version of the full view that was read.
    let version: Version
    /// The record's figures; `shown` is `nil` for an undefined figure.
    let figures: [(name: String, shown: Shown?)]
    /// The number of entries with each letter.
    let letters: [String: Int]
    let outcomes: [(name: String, decided: Decided)]

    /// Reads a stored standing; `nil` if its text is not JSON.
    public init?(_ stored: StoredStanding) {
        guard let standing = try? JSON.parse(stored.standing) else { return nil }
        version = stored.version
        figures = (standing["figures"]?.object ?? JSONObject()).map { ($0.name, Shown($0.value)) }
        var letters: [String: Int] = [:]
        for entry in standing["entries"]?.object ?? JSONObject() {
            if let letter = entry.value["letter"]?.string { letters[letter, default: 0] += 1 }
        }
        self.letters = letters
        outcomes = (standing["outcomes"]?.object ?? JSONObject()).map { member in
            let state = member.value["state"]?.string ?? Decision.State.pending.rawValue
            return (member.name, Decided(state: state, isFinal: member.value["final"]?.bool ?? false))
        }
    }

    /// The names of the outcomes at risk: unmet at present, but still possible to meet.
    var atRisk: [String] {
        outcomes.filter { $0.decided.state == Decision.State.unmet.rawValue && !$0.decided.isFinal }.map(\.name)
    }
}
