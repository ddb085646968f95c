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
        // Whether both are known is asked before they are added up; to choose what goes takes some rounds besides.
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

    /// An entry whose parts are both known.
    private struct Candidate {
        let id: EntryID
        let top: Exact
        let bottom: Exact
        let mayGo: Bool
    }

    func apply(
        to entries: GradedEntries, _ parts: RatioParts, _ entry: GradedEntry, _ own: GradedEntry
    ) -> GradedEntries {
        var known: [Candidate] = []
        for member in entries {
            guard let top = parts.top(member, own).value, let bottom = parts.bottom(member, own).value else { continue }
            known.append(Candidate(id: member.id, top: top, bottom: bottom, mayGo: !isSpared(member, own)))
        }
        // One of those that may go stays: where little is graded yet, dropping would take what will count in the end.
        let count = min(count(entry, own), known.count { $0.mayGo } - 1)
        guard count > 0, var ratio = Self.ratio(of: known, entry) else { return entries }
        var dropped: Set<EntryID> = []
        let hasDivisor = known.contains { !$0.mayGo && !$0.bottom.isZero }
        for _ in 0..<Self.mostSteps {
            // To sort takes some comparisons for each, which beyond machine words are subtractions.
            guard entry.spend(known.count * (4 + 16 * ratio.work)) else { return entries }
            let going = going(of: order(known, by: ratio), count, hasDivisor: hasDivisor)
            dropped = Set(going.map(\.id))
            guard let next = Self.ratio(of: known.filter { !dropped.contains($0.id) }, entry), next != ratio else {
                break
            }
            ratio = next
        }
        return entries.keeping { !dropped.contains($0.id) }
    }

    /// Returns the candidates that may go, those first that would stay at a ratio.
    private func order(_ known: [Candidate], by ratio: Exact) -> [Candidate] {
        var ranked: [(candidate: Candidate, key: Exact)] = []
        for candidate in known where candidate.mayGo {
            let share: Exact = ratio * candidate.bottom
            ranked.append((candidate: candidate, key: candidate.top - share))
        }
        ranked.sort { left, right -> Bool in
            if left.key == right.key { return left.candidate.id > right.candidate.id }
            return left.key > right.key
        }
        if !isWorst { ranked.reverse() }
        return ranked.map(\.candidate)
    }

    /// Returns those that go, of candidates in the order in which they would stay.
    ///
    /// Of extra credit alone, which has no maximum, there is no ratio: unless something else is in it (`hasDivisor`), the
    /// first that has one stays in the place of the last that would.
    private func going(of candidates: [Candidate], _ count: Int, hasDivisor: Bool) -> ArraySlice<Candidate> {
        var candidates = candidates
        let staying = candidates.count - count
        let first: Int? = candidates.firstIndex { candidate in !candidate.bottom.isZero }
        if !hasDivisor, let first, first >= staying { candidates.swapAt(staying - 1, first) }
        return candidates.dropFirst(staying)
    }

    /// The ratio as a number, without an explanation; `nil` where there is none, or one that is longer than any of grades.
    private static func ratio(of entries: [Candidate], _ entry: GradedEntry) -> Exact? {
        var (dividend, divisor) = (ExactSum(), ExactSum())
        for candidate in entries {
            dividend.add(candidate.top)
            divisor.add(candidate.bottom)
            if dividend.isEndless || divisor.isEndless { return nil }
        }
        guard entry.spend(dividend.work + divisor.work), let ratio = dividend.divided(by: divisor),
            ratio.bitWidth <= 4_096
        else { return nil }
        return ratio
    }
}
