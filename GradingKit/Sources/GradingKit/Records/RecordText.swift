/// The text that a record was last written as, and where in it each entry stands: what has not changed since is copied
/// when the record is written again, for a change concerns one entry of many.
struct RecordText: Sendable {
    /// The whole text.
    let bytes: [UInt8]
    /// By the number of an entry, where it stands with all that stands in it; empty where some of that has changed.
    private(set) var places: [Range<Int>]

    init(_ bytes: [UInt8], places: [Range<Int>]) {
        self.bytes = bytes
        self.places = places
    }

    /// An entry has changed, and with it what it stands in.
    mutating func forget(_ index: Int, of nodes: [RecordNode]) {
        var index = index
        while index > 0 {
            places[index] = 0..<0
            index = nodes[index].parent
        }
    }
}
