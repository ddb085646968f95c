import Testing

/// The guarantees of collections under every order of events that chance can think of, and proof that the model would
/// notice known mistakes.
@Suite struct GridConvergenceTests {
    private static let chunk: UInt64 = 250

    private static func fault(_ seed: UInt64, _ variant: GridModel.Variant = .correct, losing losses: Int) -> String? {
        let model = GridModel(seed: seed, variant: variant, losses: losses)
        model.run()
        return model.faults.first
    }

    @Test(arguments: [0, 30, 100], 0..<8 as Range<UInt64>)
    func `after one reconciliation every client shows the same rows, and none ever went back`(
        losses: Int, part: UInt64
    ) {
        for seed in part * Self.chunk..<(part + 1) * Self.chunk {
            let fault = Self.fault(seed, losing: losses)
            #expect(fault == nil, "seed \(seed)")
        }
    }

    @Test(arguments: [(GridModel.Variant.rowsBeforeVersion, 0), (.withoutReconciliation, 30)])
    func `a known mistake is noticed`(variant: GridModel.Variant, losses: Int) {
        let isNoticed = (0..<2_000 as Range<UInt64>).contains { Self.fault($0, variant, losing: losses) != nil }
        #expect(isNoticed)
    }
}
