/// The chance of one loop, from an injected seed (SplitMix64). For jitter and names, not for secrets.
struct SplitMix64: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// The duration give or take a part of it, so that connections opened together do not act together.
    mutating func spread(_ duration: Duration, percent: Int64) -> Duration {
        let part = max(0, duration.microseconds) / 100 * percent
        return duration + .microseconds(Int64.random(in: -part...part, using: &self))
    }

    /// A short name for a number, in lower-case base 32.
    static func name(of number: UInt64) -> String {
        var word = number
        var text = ""
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        for _ in 0..<12 {
            text.append(digits[Int(word & 31)])
            word >>= 5
        }
        return text
    }
}
