/// Where the verdicts on the figures of each entry stand among those of a run.
struct VerdictPlaces: Sendable {
    private let starts: [Int]
    /// How many there are.
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

    /// The place of the figure that an entry's kind has in a slot.
    func callAsFunction(_ slot: Int, of index: Int) -> Int { starts[index] + slot }
}
