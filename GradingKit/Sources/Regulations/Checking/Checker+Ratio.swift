import GradingKit

/// Checking ratios: the sum of one value divided by the sum of another, over entries where both are known.
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
        let (top, bottom) = (try number(dividend, entries.scope), try number(divisor, entries.scope))
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
            if isComplete, all.contains(where: { !parts.isKnown(of: $0, own) }) { return .undefined(.noGrades) }
            return parts.quantity(of: dropping?.apply(to: all, parts, entry, own) ?? all, own)
        }
        let trend: Trend =
            entries.trend == .still && entries.keys.isEmpty && bottom.trend == .still
            ? top.trend.times(bottom.range) : .either
        return NumberValue(
            Self.code(compute, isClosed: isClosed), (top.dimension ?? .plain) / (bottom.dimension ?? .plain),
            top.range.isNonNegative && bottom.range.isNonNegative ? .positive : .any,
            noting(trend, [top.trend, bottom.trend], entries.place ?? range))
    }
}

/// What a ratio is made of.
private struct RatioParts: Sendable {
    let top: @Sendable (GradedEntry, GradedEntry) -> Quantity
    let bottom: @Sendable (GradedEntry, GradedEntry) -> Quantity

    func isKnown(of entry: GradedEntry, _ own: GradedEntry) -> Bool {
        top(entry, own).isDefined && bottom(entry, own).isDefined
    }

    func quantity(of entries: GradedEntries, _ own: GradedEntry) -> Quantity {
        let known = entries.keeping { isKnown(of: $0, own) }
        // Of nothing there is no ratio; the explanation still names what was dropped.
        guard known.contains(where: { _ in true }) else {
            return entries.mean { entry in top(entry, own) / bottom(entry, own) }
        }
        return known.sum { top($0, own) } / known.sum { bottom($0, own) }
    }

    /// The ratio as a number, without an explanation.
    func value(of entries: GradedEntries, _ own: GradedEntry) -> Exact? {
        var (dividend, divisor) = (Exact.zero, Exact.zero)
        for entry in entries {
            guard let upper = top(entry, own).value, let lower = bottom(entry, own).value else { continue }
            dividend = dividend + upper
            divisor = divisor + lower
        }
        return dividend / divisor
    }
}

/// Drops the entries whose going raises the ratio most, or lowers it most.
///
/// Dinkelbach's method: with a ratio r at hand, drop by a − r · b, and go on with the ratio that this gives until it
/// stays. Each step betters the ratio, so it ends, after a few steps as a rule.
private struct RatioDrop: Sendable {
    /// The clause as it is written.
    struct Written {
        let isWorst: Bool
        let count: Formula
        let sparing: Formula.Word?
        let place: Range<Int>
    }

    private static let mostSteps = 64

    let isWorst: Bool
    let count: @Sendable (GradedEntry, GradedEntry) -> Int
    let isSpared: @Sendable (GradedEntry, GradedEntry) -> Bool

    func apply(
        to entries: GradedEntries, _ parts: RatioParts, _ entry: GradedEntry, _ own: GradedEntry
    ) -> GradedEntries {
        // One of those that may go stays: where little is graded yet, dropping would take what will count in the end.
        let droppable = entries.filter { parts.isKnown(of: $0, own) && !isSpared($0, own) }.count
        let count = min(count(entry, own), droppable - 1)
        guard count > 0, var ratio = parts.value(of: entries, own) else { return entries }
        var kept = entries
        for _ in 0..<Self.mostSteps {
            let at = Quantity(ratio)
            let key = RankKey({ parts.top($0, own) - at * parts.bottom($0, own) })
            kept =
                isWorst
                ? entries.dropping(worst: count, by: [key], sparing: { isSpared($0, own) })
                : entries.dropping(best: count, by: [key], sparing: { isSpared($0, own) })
            guard let next = parts.value(of: kept, own), next != ratio else { break }
            ratio = next
        }
        return kept
    }
}
