/// Four rounds of FNV-1a, 32 bytes: enough to tell texts apart in tests that have no cryptography at hand.
@Sendable public func toyDigest(_ bytes: [UInt8]) -> [UInt8] {
    (UInt64(0)..<4).flatMap { round in
        var hash = 0xcbf2_9ce4_8422_2325 &+ round
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return (UInt64(0)..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }
}
