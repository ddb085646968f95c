private import COpenSSL

/// One-time codes from a seed and a counter or the time (RFC 4226 and RFC 6238), with HMAC-SHA-1, which every
/// authenticator app supports.
public struct OneTimePassword: Sendable {
    /// Seconds for which a time-based code is valid.
    public static let period: Int64 = 30
    /// Digits of a code.
    public static let digits = 6
    /// Bytes of a new seed: as many as a SHA-1 digest has.
    public static let seedSize = 20

    private let seed: [UInt8]

    /// Creates the codes of a seed.
    public init(seed: [UInt8]) { self.seed = seed }

    /// Returns the step that a moment belongs to.
    ///
    /// - Parameter seconds: the moment, in seconds since 1970.
    public static func step(at seconds: Int64) -> Int64 { max(0, seconds) / period }

    /// Returns the code of a counter; `nil` if the library fails because memory is short.
    ///
    /// - Parameter digits: the number of digits, 6…8.
    public func code(at counter: Int64, digits: Int = OneTimePassword.digits) -> String? {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * Int64($0))) }
        let code = authenticate(message)
        guard let last = code.last, code.count == Self.seedSize else { return nil }
        let word =
            code.dropFirst(Int(last & 0x0F)).prefix(4).reduce(into: UInt32(0)) { $0 = $0 << 8 | UInt32($1) }
            & 0x7FFF_FFFF
        let modulus = (0..<min(max(digits, 6), 8)).reduce(into: UInt32(1)) { value, _ in value *= 10 }
        let text = String(word % modulus)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Returns the step whose code was typed: the current one or an adjacent one, because clocks are inaccurate and
    /// people type slowly; `nil` if the code belongs to none of them.
    ///
    /// - Parameters:
    ///   - seconds: the current time, in seconds since 1970.
    ///   - last: the step of the last code that was used; codes up to that step no longer count. `nil` for none.
    public func step(of code: String, at seconds: Int64, after last: Int64?) -> Int64? {
        let now = OneTimePassword.step(at: seconds)
        let typed = Array(code.utf8)
        // Every step is compared, so that the time reveals nothing.
        let matching = (now - 1...now + 1).filter { step in
            self.code(at: step).map { isEqualInConstantTime(typed, Array($0.utf8)) } ?? false
        }
        return matching.last { step in last.map { $0 < step } ?? true }
    }

    /// Returns the HMAC of a message, 20 bytes.
    private func authenticate(_ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var length: UInt32 = 0
            // Every buffer is as long as the count beside it, and the output has room for the longest digest.
            HMAC(
                EVP_sha1(), seed, Int32(clamping: seed.count), message, message.count, buffer.baseAddress, &length)
            count = Int(length)
        }
    }
}
