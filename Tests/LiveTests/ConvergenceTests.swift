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

    /// The mistakes that show in an encoding: a long poll ends with its first document, and nothing waits behind it.
    @Test(arguments: [
        (Model.Variant.lossyWithoutSweep, "4:", Model.Form.allCases), (.readThenRegister, "4:", [.socket, .stream]),
        (.withoutVersionGuard, "2:", [.socket, .stream]), (.deafToRevocations, "7:", Model.Form.allCases),
        (.revokedStaysInBuffer, "7:", [.socket, .stream]), (.lateAsOf, "5:", [.socket, .stream]),
    ])
    func `a known mistake is noticed in every encoding that it touches`(
        variant: Model.Variant, guarantee: String, forms: [Model.Form]
    ) {
        for form in forms {
            let isNoticed = (0..<4_000 as Range<UInt64>).contains { seed in
                Self.fault(seed, variant, [form])?.contains(guarantee) == true
            }
            #expect(isNoticed, "\(form)")
        }
    }
}
