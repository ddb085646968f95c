/// The counts of a group's parts that may be shown, so that a reader cannot work out any part of fewer than five.
///
/// Readers are assumed to know the size of the whole group. Each part of fewer than five is hidden. Since the hidden
/// parts together are what the shown ones leave of the whole, the smallest shown parts are hidden too until the hidden
/// ones hold five. If the hidden parts are all empty, showing them gives nothing away.
struct Disclosure {
    /// The counts of the parts, in order; `nil` for a hidden one.
    let told: [Int?]

    /// Decides which counts to show. `apart` is the number of members who are in no part and are not shown either.
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

    /// The number of members in the parts shown.
    var sum: Int { told.reduce(0) { $0 + ($1 ?? 0) } }
}
