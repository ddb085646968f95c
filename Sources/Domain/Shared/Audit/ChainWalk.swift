/// Recomputes one chain, line by line.
public struct ChainWalk: Sendable {
    private let trail: String
    /// The last line's number.
    public private(set) var number = 0
    /// The lines visited.
    public private(set) var lines = 0
    /// Where the trail contradicts itself.
    public private(set) var faults: [TrailFault] = []
    private var link = AuditChain.origin

    /// Before the first line of the trail of that name.
    public init(trail: String) { self.trail = trail }

    /// The next line as it is stored. Answers whether it has the next number.
    ///
    /// - Parameter isErased: whether its particulars are gone, of which the digest alone tells.
    @discardableResult
    public mutating func visit(
        _ number: Int, isErased: Bool, particulars: AuditChain.Part, metadata: AuditChain.Part, digest: [UInt8],
        link: [UInt8]
    ) -> Bool {
        let isNext = number == self.number &+ 1
        if !isNext { fault(.gap, at: number) }
        if !isErased, AuditChain.digest(particulars) != digest { fault(.alteredParticulars, at: number) }
        if AuditChain.link(after: self.link, digest: digest, metadata) != link { fault(.brokenLink, at: number) }
        // Goes on from what is stored, so that one alteration is one fault.
        self.link = link
        self.number = number
        lines += 1
        return isNext
    }

    /// The end as the head names it; answers whether the trail ends there.
    @discardableResult
    public mutating func finish(number: Int, link: [UInt8]) -> Bool {
        let isEnd = number == self.number && link == self.link
        if !isEnd { fault(.wrongEnd, at: number) }
        return isEnd
    }

    /// Adds a fault that was found elsewhere.
    public mutating func fault(_ kind: TrailFault.Kind, at number: Int) {
        faults.append(TrailFault(trail: trail, number: number, kind: kind))
    }
}
