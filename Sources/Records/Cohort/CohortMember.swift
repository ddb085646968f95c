import GradingKit
import Storage

/// What one record adds to its cohort's picture.
public struct CohortMember: Sendable {
    /// A figure as it is shown.
    struct Shown: Sendable {
        let value: Exact
        let band: String?
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
        figures = (standing["figures"]?.object ?? JSONObject()).map { member in
            let shown = member.value["display"]?.string.flatMap { DecimalText($0)?.value }
            return (member.name, shown.map { Shown(value: $0, band: member.value["band"]?.string) })
        }
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

    /// The outcomes that the record does not reach as it stands.
    var unmet: [(name: String, decided: Decided)] {
        outcomes.filter { $0.decided.state == Decision.State.unmet.rawValue }
    }
}
