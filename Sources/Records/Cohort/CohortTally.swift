import GradingKit
public import Storage

/// The picture of a program's cohort, kept up by taking out what a record said before and putting in what it says now.
public struct CohortTally: Sendable {
    /// A figure over all records that have it.
    struct Figure: Sendable {
        var defined = 0
        var undefined = 0
        var sum = Exact.zero
        /// By half units of the figure.
        var bins: [Int: Int] = [:]
        var bands: [String: Int] = [:]
    }

    private(set) var members: [RecordID: CohortMember] = [:]
    private(set) var figures: [String: Figure] = [:]
    private(set) var letters: [String: Int] = [:]
    private(set) var outcomes: [String: [String: Int]] = [:]
    /// Records with an outcome that is unmet, in the order of their identifiers when written.
    private(set) var atRisk: Set<RecordID> = []

    /// A cohort of nobody.
    public init() {}

    /// Takes in how some records of the cohort stand now; those without a standing are gone, or of another cohort.
    ///
    /// Answers whether anything is known that was not known before.
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
        if member.unmet.isEmpty { atRisk.remove(record) } else { atRisk.insert(record) }
    }

    private mutating func count(_ member: CohortMember, by step: Int) {
        for (name, shown) in member.figures {
            var figure = figures[name] ?? Figure()
            if let shown {
                figure.defined += step
                figure.sum = step > 0 ? figure.sum + shown.value : figure.sum - shown.value
                Self.count(Self.bin(shown.value), by: step, in: &figure.bins)
                if let band = shown.band { Self.count(band, by: step, in: &figure.bands) }
            } else {
                figure.undefined += step
            }
            figures[name] = figure.defined + figure.undefined > 0 ? figure : nil
        }
        for (letter, number) in member.letters { Self.count(letter, by: step * number, in: &letters) }
        for (name, decided) in member.outcomes {
            Self.count(decided.state, by: step, in: &outcomes[name, default: [:]])
        }
    }

    private static func count<Key: Hashable>(_ key: Key, by step: Int, in counts: inout [Key: Int]) {
        let count = (counts[key] ?? 0) + step
        counts[key] = count > 0 ? count : nil
    }

    /// The half unit in which a value lies, counted from 0.
    private static func bin(_ value: Exact) -> Int {
        let lower = RoundingStep(.floor, scale: 0)(value * Exact(2)).integer ?? 0
        return min(max(lower, -1_000_000), 1_000_000)
    }
}
