import Testing

/// The guarantees of the protocol under every order of events that chance can think of, and proof that the model would
/// notice if the algorithm had one of the known mistakes.
@Suite struct ConvergenceTests {
    private static let chunk: UInt64 = 125

    private static func fault(
        _ seed: UInt64, _ variant: Model.Variant, _ forms: [Model.Form] = Model.Form.allCases
    ) -> String? {
        let model = Model(seed: seed, variant: variant, forms: forms)
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

    /// The mistakes with the encodings in which each shows, and where: some need thousands of orders of events. A long poll
    /// ends with its first document, and nothing waits behind it.
    @Test(
        arguments: [
            (Model.Variant.lossyWithoutSweep, "4:", [Model.Form.socket: 9, .stream: 21, .poll: 576]),
            (.readThenRegister, "4:", [.socket: 859, .stream: 473]),
            (.withoutVersionGuard, "2:", [.socket: 0, .stream: 1]),
            (.deafToRevocations, "7:", [.socket: 1, .stream: 1, .poll: 2]),
            (.revokedStaysInBuffer, "7:", [.socket: 8, .stream: 5]),
            (.lateAsOf, "5:", [.socket: 3_395, .stream: 195]),
        ] as [(Model.Variant, String, [Model.Form: UInt64])])
    func `a known mistake is noticed in every encoding that it touches`(
        variant: Model.Variant, guarantee: String, seeds: [Model.Form: UInt64]
    ) {
        for (form, seed) in seeds {
            // Where the model has changed since, another order shows it.
            let isNoticed = ([seed] + Array(0..<4_000 as Range<UInt64>)).contains { seed in
                Self.fault(seed, variant, [form])?.contains(guarantee) == true
            }
            #expect(isNoticed, "\(form)")
        }
    }
}
