/// What may be told of a group that falls into parts, so that no part of fewer than five can be worked out.
///
/// The size of the whole is taken for known. A part of fewer than five is hidden; and because the hidden parts together
/// are what is missing from the whole, the smallest of the others are hidden too until together they are five. Where
/// nobody is in any hidden part, nothing is given away by saying so.
struct Disclosure {
    /// The counts of the parts in their order, `nil` for a hidden one.
    let told: [Int?]

    /// Decides which counts to show. `apart` members of the whole are in no part and are not shown either.
    init(_ counts: [Int], apart: Int = 0) {
        var hidden = counts.reduce(apart) { $1 < CohortTally.leastGroup ? $0 + $1 : $0 }
        guard hidden > 0 else {
            told = counts
            return
        }
        var told: [Int?] = counts.map { $0 < CohortTally.leastGroup ? nil : $0 }
        while hidden < CohortTally.leastGroup {
            let open = told.indices.compactMap { index in told[index].map { (index: index, count: $0) } }
            guard let smallest = open.min(by: { $0.count < $1.count }) else { break }
            hidden += smallest.count
            told[smallest.index] = nil
        }
        self.told = told
    }

    /// How many members are shown.
    var sum: Int { told.reduce(0) { $0 + ($1 ?? 0) } }
}
