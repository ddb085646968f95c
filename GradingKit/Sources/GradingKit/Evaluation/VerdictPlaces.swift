/// The indices of the verdicts on each entry's figures among those of a run.
struct VerdictPlaces: Sendable {
    private let starts: [Int]
    /// The number of verdicts.
    let count: Int

    init(of record: RecordBody, by rules: CompiledScheme) {
        var (starts, count) = ([Int](), 0)
        starts.reserveCapacity(record.nodes.count)
        for node in record.nodes {
            starts.append(count)
            count += rules.figureCounts[node.kind]
        }
        self.starts = starts
        self.count = count
    }

    /// The index of the figure in a slot of an entry's kind.
    func callAsFunction(_ slot: Int, of index: Int) -> Int { starts[index] + slot }
}
