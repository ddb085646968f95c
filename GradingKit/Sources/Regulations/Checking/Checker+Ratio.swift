import GradingKit

/// Checks ratios: the sum of one value divided by the sum of another, over entries for which both are known.
extension Checker {
    func ratio(_ fold: Formula.Fold, _ scope: Scope, at range: Range<Int>) throws(Stop) -> NumberValue {
        guard let dividend = fold.value, let divisor = fold.divisor else { throw Stop() }
        if let weight = fold.weight {
            throw stop(.leftOver, weight.range, ["found": .string(faults.source[weight.range])])
        }
        var clauses = fold.entries.clauses
        var drop: RatioDrop.Written?
        if case .withoutByRatio(let isWorst, let count, let sparing, let place)? = clauses.last {
            drop = RatioDrop.Written(isWorst: isWorst, count: count, sparing: sparing, place: place)
            clauses.removeLast()
        }
        var entries = try entries(
            Formula.Entries(kind: fold.entries.kind, owner: fold.entries.owner, clauses: clauses), scope)
        // Values are read to test whether both are known, and to add them up. Choosing entries to drop takes some more
        // rounds.
        var inner = entries.scope
        inner.visits *= 3
        if drop != nil { try countWork(10 * Self.workOfRanking * inner.visits, at: range) }
        let (top, bottom) = (try number(dividend, inner), try number(divisor, inner))
        if !bottom.range.isNonNegative { faults.add(.negativeWeight, divisor.range) }
        let parts = RatioParts(top: top.code.open, bottom: bottom.code.open)
        let dropping = try drop.map { drop throws(Stop) in
            RatioDrop(
                isWorst: drop.isWorst, count: try count(drop.count, scope, &entries),
                isSpared: try spared(drop.sparing, &entries))
        }
        let get = entries.get
        let isClosed = entries.isClosed && top.code.isClosed && bottom.code.isClosed
        let isComplete = fold.isComplete
        let compute: @Sendable (GradedEntry, GradedEntry) -> Quantity = { entry, own in
            let all = get(entry, own)
            if isComplete, all.contains(where: { $0.isAwaited && !parts.isKnown(of: $0, own) }) {
                return .undefined(.noGrades)
            }
            return entry.counted(parts.quantity(of: dropping?.apply(to: all, parts, entry, own) ?? all, own))
        }
        let trend: Trend =
            entries.trend == .still && entries.keys.isEmpty && bottom.trend == .still
            ? top.trend.times(bottom.range) : .either
        return NumberValue(
            entries.guarded(Self.code(compute, isClosed: isClosed)),
            (top.dimension ?? .plain) / (bottom.dimension ?? .plain),
            top.range.isNonNegative && bottom.range.isNonNegative ? .positive : .any,
            noting(trend, [top.trend, bottom.trend], entries.place ?? range))
    }
}

/// The parts of a ratio.
private struct RatioParts: Sendable {
    let top: @Sendable (GradedEntry, GradedEntry) -> Quantity
    let bottom: @Sendable (GradedEntry, GradedEntry) -> Quantity

    func isKnown(of entry: GradedEntry, _ own: GradedEntry) -> Bool {
        top(entry, own).isDefined && bottom(entry, own).isDefined
    }

    func quantity(of entries: GradedEntries, _ own: GradedEntry) -> Quantity {
        let known = entries.keeping { isKnown(of: $0, own) }
        // Without entries there is no ratio; the explanation still names the dropped ones.
        guard known.contains(where: { _ in true }) else {
            return entries.mean { entry in top(entry, own) / bottom(entry, own) }
        }
        return known.sum { top($0, own) } / known.sum { bottom($0, own) }
    }
}

/// Drops the entries whose removal raises or lowers the ratio most.
private struct RatioDrop: Sendable {
    /// The clause as written.
    struct Written {
        let isWorst: Bool
        let count: Formula
        let sparing: Formula.Word?
        let place: Range<Int>
    }

    let isWorst: Bool
    let count: @Sendable (GradedEntry, GradedEntry) -> Int
    let isSpared: @Sendable (GradedEntry, GradedEntry) -> Bool

    func apply(
        to entries: GradedEntries, _ parts: RatioParts, _ entry: GradedEntry, _ own: GradedEntry
    ) -> GradedEntries {
        let count = count(entry, own)
        return entries.dropping(
            lowest: isWorst ? count : 0, highest: isWorst ? 0 : count, ofRatio: { parts.top($0, own) },
            to: { parts.bottom($0, own) }, sparing: { isSpared($0, own) })
    }
}
