import GradingKit
public import Storage

extension CohortTally {
    /// The fewest records about which anything is told: below, a number says something about a person.
    public static let leastGroup = 5
    /// The most records at risk that are listed.
    public static let longestRiskList = 200

    /// Writes the cohort's document, which is the body of its GET and of the topic `cohort/{program}`.
    ///
    /// In a cohort of fewer than five everything but the number of records is suppressed; in a larger one the groups
    /// of fewer than five, whose count is `null`.
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
                writer.object { if !isSuppressed { Self.write(letters, to: &$0) } }
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

    private static func shown(_ count: Int) -> Int? { count < leastGroup && count != 0 ? nil : count }

    private static func write(_ counts: [String: Int], to writer: inout JSONWriter) {
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { writer.member(name, shown(count)) }
    }

    private func writeFigures(to writer: inout JSONWriter) {
        for (name, figure) in figures.sorted(by: { $0.key < $1.key }) {
            writer.member(name) { writer in
                writer.object { writer in
                    writer.member("defined", Self.shown(figure.defined))
                    writer.member("undefined", Self.shown(figure.undefined))
                    writer.member("mean", figure.mean)
                    writer.member("bands") { writer in writer.object { Self.write(figure.bands, to: &$0) } }
                    writer.member("distribution") { writer in
                        writer.array { if figure.defined >= Self.leastGroup { figure.writeBins(to: &$0) } }
                    }
                }
            }
        }
    }

    private func writeOutcomes(to writer: inout JSONWriter) {
        for (name, states) in outcomes.sorted(by: { $0.key < $1.key }) {
            writer.member(name) { writer in
                writer.object { writer in
                    for state in [Decision.State.met, .unmet, .pending] {
                        writer.member(state.rawValue, Self.shown(states[state.rawValue] ?? 0))
                    }
                }
            }
        }
    }

    /// The records themselves are no statistics: whoever may read the cohort may read each of them. Whose they are is
    /// not said, so that no name outlives its account here.
    private func writeRisks(to writer: inout JSONWriter) {
        writer.member("count", atRisk.count)
        writer.member("items") { writer in
            writer.array { writer in
                for record in atRisk.sorted().prefix(Self.longestRiskList) {
                    guard let member = members[record] else { continue }
                    for (name, decided) in member.unmet {
                        writer.object {
                            $0.member("record", record.text)
                            $0.member("outcome", name)
                            $0.member("final", decided.isFinal)
                        }
                    }
                }
            }
        }
    }
}

extension CohortTally.Figure {
    private static let mostBins = 25

    /// The mean of what is shown, to two decimals.
    fileprivate var mean: String? {
        guard defined >= CohortTally.leastGroup else { return nil }
        return sum.divided(by: Exact(defined)).map { Rounding.halfUp.text($0, scale: 2) }
    }

    /// Writes the distribution in at most 25 bins of 1/2, 1, 2, 4 … units, each `[from, from + width)`.
    fileprivate func writeBins(to writer: inout JSONWriter) {
        guard let first = bins.keys.min(), let last = bins.keys.max() else { return }
        var shift = 0
        // An arithmetic shift rounds down, also below zero.
        while (last >> shift) - (first >> shift) >= Self.mostBins { shift += 1 }
        func place(_ bin: Int) -> Int { bin >> shift }
        let halves = 1 << shift
        var merged: [Int: Int] = [:]
        for (bin, count) in bins { merged[place(bin), default: 0] += count }
        for bin in place(first)...place(last) {
            writer.object {
                $0.member("from", Self.text(bin * halves))
                $0.member("to", Self.text((bin + 1) * halves))
                let count = merged[bin] ?? 0
                $0.member("count", count < CohortTally.leastGroup && count != 0 ? nil : count)
            }
        }
    }

    private static func text(_ halves: Int) -> String { (Exact(halves) * .half).decimalText ?? "" }
}
