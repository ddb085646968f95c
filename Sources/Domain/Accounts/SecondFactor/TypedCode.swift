package import Cryptography
import Shared

/// A code that a person typed as a second factor.
package enum TypedCode: Sendable, Equatable {
    /// A code of an authenticator app.
    case app(String)
    /// A recovery code.
    case recovery(RecoveryCode)
    /// Neither of them.
    case unreadable

    /// Reads a code, ignoring case, spaces and hyphens.
    package init(_ text: String) {
        let plain = String(text.unicodeScalars.prefix(64).filter { $0 != " " && $0 != "-" && $0 != "\u{A0}" })
        if plain.utf8.count == OneTimePassword.digits, plain.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .app(plain)
        } else if let code = RecoveryCode(plain: plain) {
            self = .recovery(code)
        } else {
            self = .unreadable
        }
    }
}

/// A recovery code, which replaces a lost authenticator app once: 80 random bits.
package struct RecoveryCode: Sendable, Equatable {
    /// The number of codes that an account gets at once.
    package static let count = 10
    private static let size = 10
    private static let length = 16

    private let bytes: [UInt8]

    package init(random: RandomSource) { bytes = random.bytes(Self.size) }

    /// Reads a code without spaces and hyphens.
    package init?(plain: String) {
        guard plain.utf8.count == Self.length, let bytes = Base32.decode(plain) else { return nil }
        self.bytes = bytes
    }

    /// The code in four groups of four letters or digits.
    package var text: String {
        let letters = Array(Base32.encode(bytes))
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
            .joined(separator: "-")
    }

    /// The digest to store: 80 random bits need no slow hash.
    package var digest: TokenDigest { TokenDigest(bytes: SHA256.hash(bytes)) }
}
