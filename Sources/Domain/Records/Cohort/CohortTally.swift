import GradingKit
public import Shared

/// The statistics of a program's cohort, updated by subtracting a record's old contribution and adding its new one.
public struct CohortTally: Sendable {
    /// The statistics of a figure over all records.
    struct Figure: Sendable {
        var defined = 0
        var undefined = 0
        /// Sums of numerators, by denominator: adding a value costs the same however many records there are.
        var sums: [String: Exact] = [:]
        /// The number of records in each half unit of the displayed figure.
        var bins: [Int: Int] = [:]
        var bands: [String: Int] = [:]
    }

    /// The statistics of a letter over all records.
    struct Letter: Sendable {
        /// The number of entries with the letter.
        var entries = 0
        /// The number of records with such an entry.
        var holders = 0
    }

    private(set) var members: [RecordID: CohortMember] = [:]
    private(set) var figures: [String: Figure] = [:]
    private(set) var letters: [String: Letter] = [:]
    private(set) var outcomes: [String: [String: Int]] = [:]
    /// The records with an outcome at risk.
    private(set) var atRisk: Set<RecordID> = []

    /// Creates an empty cohort.
    public init() {}

    /// Updates some records to their current standings; removes those without one, which were deleted or left the
    /// cohort.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func update(_ records: [RecordID], to standings: [StoredStanding]) -> Bool {
        var isNew = false
        let present = Set(standings.map(\.record))
        for record in records where !present.contains(record) {
            if let known = members.removeValue(forKey: record) {
                count(known, by: -1)
                atRisk.remove(record)
                isNew = true
            }
        }
        for standing in standings where members[standing.record].map({ $0.version < standing.version }) ?? true {
            guard let member = CohortMember(standing) else { continue }
            put(member, for: standing.record)
            isNew = true
        }
        return isNew
    }

    private mutating func put(_ member: CohortMember, for record: RecordID) {
        if let known = members[record] { count(known, by: -1) }
        members[record] = member
        count(member, by: 1)
        if member.atRisk.isEmpty { atRisk.remove(record) } else { atRisk.insert(record) }
    }

    private mutating func count(_ member: CohortMember, by step: Int) {
        for (name, shown) in member.figures {
            var figure = figures[name] ?? Figure()
            if let shown {
                figure.defined += step
                let sum = figure.sums[shown.denominator] ?? .zero
                let changed = step > 0 ? sum + shown.numerator : sum - shown.numerator
                figure.sums[shown.denominator] = changed.isZero ? nil : changed
                Self.count(Self.bin(shown.display), by: step, in: &figure.bins)
                if let band = shown.band { Self.count(band, by: step, in: &figure.bands) }
            } else {
                figure.undefined += step
            }
            figures[name] = figure.defined + figure.undefined > 0 ? figure : nil
        }
        for (letter, number) in member.letters {
            var counted = letters[letter] ?? Letter()
            counted.entries += step * number
            counted.holders += step
            letters[letter] = counted.holders > 0 ? counted : nil
        }
        for (name, decided) in member.outcomes {
            Self.count(decided.state, by: step, in: &outcomes[name, default: [:]])
        }
    }

    private static func count<Key: Hashable>(_ key: Key, by step: Int, in counts: inout [Key: Int]) {
        let count = (counts[key] ?? 0) + step
        counts[key] = count > 0 ? count : nil
    }

    /// Returns the half unit that contains a value, counted from 0 and limited to ±1 000 000.
    private static func bin(_ value: Exact) -> Int {
        let lower = RoundingStep(.floor, scale: 0)(value * Exact(2)).integer ?? 0
        return min(max(lower, -1_000_000), 1_000_000)
    }
}
