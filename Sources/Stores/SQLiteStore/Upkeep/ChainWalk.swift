/// Recomputes one chain, line by line.
struct ChainWalk {
    let trail: String
    let chain: AuditChain
    /// The last line's number.
    private(set) var number = 0
    private(set) var lines = 0
    private(set) var faults: [TrailFault] = []
    private var link = AuditChain.origin

    init(trail: String, chain: AuditChain) {
        self.trail = trail
        self.chain = chain
    }

    /// The next line as it is stored; erased particulars are `nil`. Answers whether it has the next number.
    @discardableResult
    mutating func visit(
        _ number: Int, particulars: HashedText?, metadata: HashedText, digest: [UInt8], link: [UInt8]
    ) -> Bool {
        let isNext = number == self.number &+ 1
        if !isNext { fault(.gap, at: number) }
        if let particulars, chain.digest(particulars) != digest { fault(.alteredParticulars, at: number) }
        if chain.link(after: self.link, digest: digest, metadata) != link { fault(.brokenLink, at: number) }
        // Goes on from what is stored, so that one alteration is one fault.
        self.link = link
        self.number = number
        lines += 1
        return isNext
    }

    /// The end as the head names it; answers whether the trail ends there.
    @discardableResult
    mutating func finish(number: Int, link: [UInt8]) -> Bool {
        let isEnd = number == self.number && link == self.link
        if !isEnd { fault(.wrongEnd, at: number) }
        return isEnd
    }

    mutating func fault(_ kind: TrailFault.Kind, at number: Int) {
        faults.append(TrailFault(trail: trail, number: number, kind: kind))
    }
}
