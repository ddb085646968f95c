/// Dropping entries so that a ratio becomes best or worst.
extension GradedEntries {
    /// Drops entries from Σ `top` / Σ `bottom`: the `lowest` entries, chosen to make the ratio highest, and the
    /// `highest` entries, chosen to make it lowest. With both, the ratio is the highest of the lowest ratios.
    ///
    /// Keeps spared entries, entries with an undefined part, and extra credit (a `bottom` of 0), which does not count
    /// among the candidates for dropping. Always keeps one candidate: while few entries are graded, dropping all of
    /// them would drop work that counts in the end. Of equal entries, the one with the greater id ranks higher.
    ///
    /// A better `top` never lowers the ratio. While every `top` lies between 0 and its `bottom`, taking an undefined
    /// `top` as 0 never raises the ratio, and taking it as `bottom` never lowers it.
    ///
    /// - Parameter bottom: never below 0.
    public func dropping(
        lowest: Int, highest: Int, ofRatio top: (GradedEntry) -> Quantity, to bottom: (GradedEntry) -> Quantity,
        sparing isSpared: (GradedEntry) -> Bool = { _ in false }
    ) -> GradedEntries {
        guard lowest > 0 || highest > 0 else { return self }
        let trim = RatioTrim(self, top, bottom, sparing: isSpared, lowest: lowest, highest: highest)
        guard let kept = trim.kept(spend) else { return self }
        return keeping { kept.contains($0.index) || !trim.mayGo($0.index) }
    }

    /// Whether ``dropping(lowest:highest:ofRatio:to:sparing:)`` keeps an entry, found from the resulting ratio without
    /// choosing again.
    public func keeps(
        _ entry: GradedEntry, at ratio: Exact, lowest: Int, highest: Int, ofRatio top: (GradedEntry) -> Quantity,
        to bottom: (GradedEntry) -> Quantity, sparing isSpared: (GradedEntry) -> Bool = { _ in false }
    ) -> Bool {
        let trim = RatioTrim(self, top, bottom, sparing: isSpared, lowest: lowest, highest: highest)
        return trim.keeps(entry.index, at: ratio)
    }
}

/// Finds which entries stay when some are dropped from a ratio.
///
/// For a given ratio r, sort the entries by a − r · b and keep those in the middle. The sum of their a − r · b falls as
/// r rises, and is 0 only where r is the ratio of the kept entries. Newton's method finds that r, usually after a few
/// steps (with drops at one end only, it is Dinkelbach's method). Bounds on both sides keep it from cycling.
private struct RatioTrim {
    struct Candidate {
        let index: Int
        let id: EntryID
        let top: Exact
        let bottom: Exact

        func key(at ratio: Exact) -> Exact {
            let share: Exact = ratio * bottom
            return top - share
        }
    }

    private static let mostSteps = 64

    /// The entries that may be dropped, with their numbers.
    private let candidates: [Candidate]
    private let numbers: Set<Int>
    /// The spared entries and extra credit.
    private let others: [Candidate]
    private let lowest: Int
    private let highest: Int

    init(
        _ entries: GradedEntries, _ top: (GradedEntry) -> Quantity, _ bottom: (GradedEntry) -> Quantity,
        sparing isSpared: (GradedEntry) -> Bool, lowest: Int, highest: Int
    ) {
        var (candidates, others) = ([Candidate](), [Candidate]())
        for entry in entries {
            guard let above = top(entry).value, let below = bottom(entry).value else { continue }
            let candidate = Candidate(index: entry.index, id: entry.id, top: above, bottom: below)
            if below.isZero || isSpared(entry) { others.append(candidate) } else { candidates.append(candidate) }
        }
        (self.candidates, self.others) = (candidates, others)
        numbers = Set(candidates.map(\.index))
        let most = Swift.max(0, candidates.count - 1)
        self.lowest = Swift.min(Swift.max(0, lowest), most)
        self.highest = Swift.min(Swift.max(0, highest), most - self.lowest)
    }

    func mayGo(_ index: Int) -> Bool { numbers.contains(index) }

    /// Whether an entry stays if the ratio is `ratio`.
    func keeps(_ index: Int, at ratio: Exact) -> Bool {
        guard let own = candidates.first(where: { $0.index == index }) else { return true }
        let key = own.key(at: ratio)
        let place = candidates.count { other in
            let others = other.key(at: ratio)
            return others == key ? other.id < own.id : others < key
        }
        return place >= lowest && place < candidates.count - highest
    }

    /// The numbers of the candidates that stay; `nil` if all stay, or if finding them takes too much work.
    func kept(_ spend: (Int) -> Bool) -> Set<Int>? {
        guard lowest + highest > 0, var ratio = ratio(of: candidates, spend) else { return nil }
        var (staying, below, above) = (candidates[...], Exact?.none, Exact?.none)
        for _ in 0..<Self.mostSteps {
            // Sorting compares each entry several times, and comparing numbers beyond machine words takes a
            // subtraction.
            guard spend((candidates.count + others.count) * (4 + 16 * ratio.work)) else { return nil }
            staying = self.staying(at: ratio)
            guard let next = self.ratio(of: staying, spend), next != ratio else { break }
            if next > ratio { below = ratio } else { above = ratio }
            if let below, let above, next <= below || next >= above {
                ratio = (below + above) * .half
            } else {
                ratio = next
            }
        }
        return Set(staying.map(\.index))
    }

    /// The candidates that stay if the ratio is `ratio`.
    func staying(at ratio: Exact) -> ArraySlice<Candidate> {
        guard lowest + highest > 0 else { return candidates[...] }
        var ranked: [(candidate: Candidate, key: Exact)] = []
        ranked.reserveCapacity(candidates.count)
        for candidate in candidates { ranked.append((candidate: candidate, key: candidate.key(at: ratio))) }
        ranked.sort { left, right -> Bool in
            left.key == right.key ? left.candidate.id < right.candidate.id : left.key < right.key
        }
        let order = ranked.map(\.candidate)
        return order[lowest..<(order.count - highest)]
    }

    /// The ratio of some candidates and all others, without an explanation; `nil` if it is undefined, or longer than
    /// any ratio of grades.
    private func ratio(of some: some Sequence<Candidate>, _ spend: (Int) -> Bool) -> Exact? {
        var (dividend, divisor) = (ExactSum(), ExactSum())
        func add(_ candidate: Candidate) {
            dividend.add(candidate.top)
            divisor.add(candidate.bottom)
        }
        for candidate in some { add(candidate) }
        for candidate in others { add(candidate) }
        guard !dividend.isEndless, !divisor.isEndless, spend(dividend.work + divisor.work),
            let ratio = dividend.divided(by: divisor), ratio.bitWidth <= 4_096
        else { return nil }
        return ratio
    }
}
