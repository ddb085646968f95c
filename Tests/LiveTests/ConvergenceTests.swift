import Testing

/// The guarantees of the protocol under every order of events that chance can think of, and proof that the model would
/// notice if the algorithm had one of the known mistakes.
@Suite struct ConvergenceTests {
    private static let chunk: UInt64 = 125

    private static func fault(_ seed: UInt64, _ variant: Model.Variant) -> String? {
        let model = Model(seed: seed, variant: variant)
        model.run()
        model.settle()
        return model.faults.first
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `every client converges, nothing goes back, nothing revoked is sent`(part: UInt64) {
        for seed in part * Self.chunk..<(part + 1) * Self.chunk {
            let fault = Self.fault(seed, .correct)
            #expect(fault == nil, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<2 as Range<UInt64>)
    func `without losses every client converges even without the sweep`(part: UInt64) {
        for seed in part * Self.chunk..<(part + 1) * Self.chunk {
            let fault = Self.fault(seed, .withoutSweep)
            #expect(fault == nil, "seed \(seed)")
        }
    }

    @Test(arguments: [
        (Model.Variant.lossyWithoutSweep, "4:"), (.readThenRegister, "4:"), (.withoutVersionGuard, "2:"),
        (.deafToRevocations, "7:"), (.revokedStaysInBuffer, "7:"), (.lateAsOf, "5:"),
    ])
    func `a known mistake is noticed`(variant: Model.Variant, guarantee: String) {
        let isNoticed = (0..<1_000 as Range<UInt64>).contains { seed in
            Self.fault(seed, variant)?.contains(guarantee) == true
        }
        #expect(isNoticed)
    }
}
