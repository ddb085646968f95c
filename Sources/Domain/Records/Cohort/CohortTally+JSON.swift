import GradingKit
public import Shared

extension CohortTally {
    /// The size of the smallest group that is shown: a number about fewer records says something about one person.
    public static let leastGroup = 5
    /// The maximum number of figures, and of outcomes, of families and groups that are told.
    private static let mostMembers = 200
    /// The maximum number of records listed as at risk.
    public static let longestRiskList = 200

    /// Writes the cohort's document, which is the body of its GET and of the topic `cohort/{program}`.
    ///
    /// In a cohort of fewer than five records, everything but their number is suppressed. In a larger one, groups of
    /// fewer than five are hidden, together with as many others as are needed so that no hidden group follows from the
    /// rest. A hidden count is `null`; hidden bands and letters are left out, so that a reader cannot tell whether they
    /// are empty.
    public func json(of program: ProgramID) -> [UInt8] {
        let isSuppressed = members.count < Self.leastGroup
        var writer = JSONWriter(capacity: 2_048)
        writer.object { writer in
            writer.member("program", program.text)
            writer.member("records", members.count)
            writer.member("suppressed", isSuppressed)
            writer.member("figures") { writer in
                writer.object { if !isSuppressed { writeFigures(to: &$0) } }
            }
            writer.member("letters") { writer in
                writer.object { if !isSuppressed { writeLetters(to: &$0) } }
            }
            writer.member("outcomes") { writer in
                writer.object { if !isSuppressed { writeOutcomes(to: &$0) } }
            }
            writer.member("atRisk") { writer in
                writer.object { if !isSuppressed { writeRisks(to: &$0) } }
            }
        }
        return writer.bytes
    }

    /// Writes the number of entries with each letter that at least five records have: six failures of one student are
    /// not a group.
    private func writeLetters(to writer: inout JSONWriter) {
        for (name, letter) in letters.sorted(by: { $0.key < $1.key }) where letter.holders >= Self.leastGroup {
            writer.member(name, letter.entries)
        }
    }

    /// The names that are told, by how many records have them: of families and groups, whose names may be what students
    /// typed, the most frequent ones that are not about a few records.
    private static func told(_ holders: [String: Int]) -> [String] {
        let members = holders.filter { $0.key.isOfFamily && $0.value >= leastGroup }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostMembers).map(\.key)
        return (holders.keys.filter { !$0.isOfFamily } + members).sorted()
    }

    private func writeFigures(to writer: inout JSONWriter) {
        for name in Self.told(figures.mapValues { $0.defined + $0.undefined }) {
            guard let figure = figures[name] else { continue }
            let apart = members.count - figure.defined - figure.undefined
            let told = Disclosure([figure.defined, figure.undefined], apart: apart).told
            // If the number of members with the figure is hidden, those without it count as hidden too.
            let others = told[0] == nil ? apart + figure.undefined : 0
            writer.member(name) { writer in
                writer.object { writer in
                    writer.member("defined", told[0])
                    writer.member("undefined", told[1])
                    writer.member("mean", figure.mean)
                    writer.member("bands") { writer in
                        writer.object { figure.writeBands(to: &$0, apart: others) }
                    }
                    writer.member("distribution") { writer in
                        writer.array {
                            if figure.defined >= Self.leastGroup { figure.writeBins(to: &$0, apart: others) }
                        }
                    }
                }
            }
        }
    }

    private func writeOutcomes(to writer: inout JSONWriter) {
        let order = [Decision.State.met, .unmet, .pending].map(\.rawValue)
        for name in Self.told(outcomes.mapValues { $0.values.reduce(0, +) }) {
            let states = outcomes[name] ?? [:]
            let counts = order.map { states[$0] ?? 0 }
            let told = Disclosure(counts, apart: members.count - counts.reduce(0, +)).told
            writer.member(name) { writer in
                writer.object { for (state, count) in zip(order, told) { $0.member(state, count) } }
            }
        }
    }

    /// Writes the records with an unmet outcome that can still be met. They are listed, not only counted, because
    /// anyone who may read the cohort may read each record. Names are left out, so that none outlives its account here.
    private func writeRisks(to writer: inout JSONWriter) {
        writer.member("count", atRisk.count)
        writer.member("items") { writer in
            writer.array { writer in
                for record in atRisk.sorted().prefix(Self.longestRiskList) {
                    for name in members[record]?.atRisk ?? [] {
                        writer.object {
                            $0.member("record", record.text)
                            $0.member("outcome", name)
                        }
                    }
                }
            }
        }
    }
}

extension CohortTally.Figure {
    private static let mostBins = 25

    /// The mean of the exact values, rounded once to two decimals; `nil` if too few records have the figure.
    fileprivate var mean: String? {
        guard defined >= CohortTally.leastGroup else { return nil }
        var parts = sums.compactMap { denominator, numerator in Exact(ratio: denominator).flatMap { numerator / $0 } }
        // Add in pairs, so that long denominators meet only at the end.
        while parts.count > 1 {
            parts = stride(from: 0, to: parts.count, by: 2).map { index in
                index + 1 < parts.count ? parts[index] + parts[index + 1] : parts[index]
            }
        }
        let total = parts.first ?? .zero
        return (total / Exact(defined)).map { Rounding.halfUp.text($0, scale: 2) }
    }

    /// Writes the bands that may be shown.
    fileprivate func writeBands(to writer: inout JSONWriter, apart: Int) {
        let order = bands.sorted { $0.key < $1.key }
        let banded = order.reduce(0) { $0 + $1.value }
        let told = Disclosure(order.map(\.value), apart: apart + defined - banded).told
        for (band, count) in zip(order, told) { if let count { writer.member(band.key, count) } }
    }

    /// Writes the distribution: at most 25 bins with a width of 1/2, 1, 2, 4 … units, merged from the lowest upwards
    /// until each holds five. The first and the last are open, so that their ends are not the grade of one person.
    fileprivate func writeBins(to writer: inout JSONWriter, apart: Int) {
        guard defined >= CohortTally.leastGroup, let lowest = bins.keys.min(), let highest = bins.keys.max() else {
            return
        }
        var width = 0
        // An arithmetic shift rounds down, also below zero.
        while (highest >> width) - (lowest >> width) >= Self.mostBins { width += 1 }
        var counts = [Int](repeating: 0, count: (highest >> width) - (lowest >> width) + 1)
        for (bin, count) in bins { counts[(bin >> width) - (lowest >> width)] += count }
        var (ends, groups, open) = ([Int](), [Int](), 0)
        for (place, count) in counts.enumerated() {
            open += count
            guard open >= CohortTally.leastGroup else { continue }
            ends.append(((lowest >> width) + place + 1) << width)
            groups.append(open)
            open = 0
        }
        // The rest is too small for a bin of its own. A bin precedes it, since there are at least five values.
        if !groups.isEmpty { groups[groups.count - 1] += open }
        let told = Disclosure(groups, apart: apart).told
        for (place, count) in told.enumerated() {
            writer.object {
                $0.member("from", place == 0 ? nil : Self.text(ends[place - 1]))
                $0.member("to", place == told.count - 1 ? nil : Self.text(ends[place]))
                $0.member("count", count)
            }
        }
    }

    private static func text(_ halves: Int) -> String { (Exact(halves) * .half).decimalText ?? "" }
}
