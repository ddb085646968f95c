import Cryptography
import Testing

@Suite struct OneTimePasswordTests {
    private static let seed = Array("12345678901234567890".utf8)

    @Test(
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)])
    func `the vectors of RFC 6238 hold`(seconds: Int64, code: String) {
        let password = OneTimePassword(seed: Self.seed)
        #expect(password.code(at: OneTimePassword.step(at: seconds), digits: 8) == code)
    }

    @Test func `the vectors of RFC 4226 hold`() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        let password = OneTimePassword(seed: Self.seed)
        #expect((0..<10).map { password.code(at: $0) } == codes)
    }

    @Test func `a code counts one step early and late, and no further`() {
        let password = OneTimePassword(seed: Self.seed)
        let now: Int64 = 1_111_111_111
        let step = OneTimePassword.step(at: now)
        let found = (-3...3).map { password.step(of: password.code(at: step + $0) ?? "", at: now, after: nil) }
        #expect(found == [nil, nil, step - 1, step, step + 1, nil, nil])
    }

    @Test func `no code counts up to the step of the last one`() {
        let password = OneTimePassword(seed: Self.seed)
        let now: Int64 = 1_111_111_111
        let step = OneTimePassword.step(at: now)
        let found = (-1...1).map { password.step(of: password.code(at: step + $0) ?? "", at: now, after: step) }
        #expect(found == [nil, nil, step + 1])
    }

    @Test(arguments: ["", "12345", "1234567", "abcdef", "００００００"])
    func `what is no code is none`(text: String) {
        #expect(OneTimePassword(seed: Self.seed).step(of: text, at: 59, after: nil) == nil)
    }
}
