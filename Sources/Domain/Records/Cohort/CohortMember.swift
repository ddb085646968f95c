import GradingKit
import Shared

/// What one record adds to its cohort's picture.
public struct CohortMember: Sendable {
    /// A figure that has a value.
    struct Shown: Sendable {
        /// As it is shown, by which it is put among the others.
        let display: Exact
        /// The exact value, a whole number over a whole number, from which means are computed.
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

    /// An outcome as it stands.
    struct Decided: Sendable {
        let state: String
        let isFinal: Bool
    }

    /// The full view's version it was taken from.
    let version: Version
    /// The record's figures; `nil` for one that is undefined.
    let figures: [(name: String, shown: Shown?)]
    /// How many entries have each letter.
    let letters: [String: Int]
    let outcomes: [(name: String, decided: Decided)]

    /// Reads a stored standing; `nil` for text that is none.
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

    /// The outcomes at risk: unmet as the record stands, and not lost yet.
    var atRisk: [String] {
        outcomes.filter { $0.decided.state == Decision.State.unmet.rawValue && !$0.decided.isFinal }.map(\.name)
    }
}
