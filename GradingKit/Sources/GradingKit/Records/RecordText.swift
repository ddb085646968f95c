/// The text in which a record was last stored, and the place of each entry in it. When the record is stored again,
/// unchanged entries are copied, because a change usually concerns one entry of many.
struct RecordText: Sendable {
    /// The whole text.
    let bytes: [UInt8]
    /// By number of the entry, the range of its subtree in the text; empty if anything in the subtree has changed.
    private(set) var places: [Range<Int>]

    init(_ bytes: [UInt8], places: [Range<Int>]) {
        self.bytes = bytes
        self.places = places
    }

    /// Marks an entry and its ancestors as changed.
    mutating func forget(_ index: Int, of nodes: [RecordNode]) {
        var index = index
        while index > 0 {
            places[index] = 0..<0
            index = nodes[index].parent
        }
    }
}
