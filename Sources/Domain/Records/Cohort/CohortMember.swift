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

    /// The most figures and outcomes of families and groups that count of one record: their names may be free text.
    private static let mostMembers = 64

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
        figures = Self.counted(standing["figures"]).map { ($0.name, Shown($0.value)) }
        var letters: [String: Int] = [:]
        for entry in standing["entries"]?.object ?? JSONObject() {
            if let letter = entry.value["letter"]?.string { letters[letter, default: 0] += 1 }
        }
        self.letters = letters
        outcomes = Self.counted(standing["outcomes"]).map { member in
            let state = member.value["state"]?.string ?? Decision.State.pending.rawValue
            return (member.name, Decided(state: state, isFinal: member.value["final"]?.bool ?? false))
        }
    }

    private static func counted(_ json: JSON?) -> [JSONObject.Member] {
        let members = Array(json?.object ?? JSONObject())
        return members.filter { !$0.name.isOfFamily } + members.filter(\.name.isOfFamily).prefix(mostMembers)
    }

    /// The names of the outcomes at risk: unmet at present, but still possible to meet.
    var atRisk: [String] {
        outcomes.filter { $0.decided.state == Decision.State.unmet.rawValue && !$0.decided.isFinal }.map(\.name)
    }
}

extension String {
    /// Whether a figure or an outcome belongs to a family or a group: `term:2027.1`.
    var isOfFamily: Bool { utf8.contains(UInt8(ascii: ":")) }
}
