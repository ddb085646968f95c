/// Verifies the hash chain of one trail, row by row.
public struct ChainWalk: Sendable {
    private let trail: String
    /// The number of the last row visited.
    public private(set) var number = 0
    /// The number of rows visited.
    public private(set) var lines = 0
    /// The faults found.
    public private(set) var faults: [TrailFault] = []
    private var link = AuditChain.origin

    /// Begins before the first row of the trail with that name.
    public init(trail: String) { self.trail = trail }

    /// Verifies the next row as it is stored; returns whether it has the next number.
    ///
    /// - Parameter isErased: Whether its particulars were erased, so that only their digest is left.
    @discardableResult
    public mutating func visit(
        _ number: Int, isErased: Bool, particulars: AuditChain.Part, metadata: AuditChain.Part, digest: [UInt8],
        link: [UInt8]
    ) -> Bool {
        let isNext = number == self.number &+ 1
        if !isNext { fault(.gap, at: number) }
        if !isErased, AuditChain.digest(particulars) != digest { fault(.alteredParticulars, at: number) }
        if AuditChain.link(after: self.link, digest: digest, metadata) != link { fault(.brokenLink, at: number) }
        // Continue from the stored link, so that one alteration gives one fault.
        self.link = link
        self.number = number
        lines += 1
        return isNext
    }

    /// Compares the end with the stored one; returns whether they are the same.
    @discardableResult
    public mutating func finish(number: Int, link: [UInt8]) -> Bool {
        let isEnd = number == self.number && link == self.link
        if !isEnd { fault(.wrongEnd, at: number) }
        return isEnd
    }

    /// Adds a fault that was found in another way.
    public mutating func fault(_ kind: TrailFault.Kind, at number: Int) {
        faults.append(TrailFault(trail: trail, number: number, kind: kind))
    }
}
