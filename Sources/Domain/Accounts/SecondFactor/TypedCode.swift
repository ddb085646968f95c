import Cryptography
import Shared

/// What a person typed as a second factor.
enum TypedCode: Sendable, Equatable {
    /// A code that an app shows.
    case app(String)
    /// A recovery code.
    case recovery(RecoveryCode)
    /// Neither.
    case unreadable

    /// Reads what was typed, in capital or small letters, with or without spaces and hyphens.
    init(_ text: String) {
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

/// What lets an owner in who has lost the authenticator app: 80 random bits, good for once.
struct RecoveryCode: Sendable, Equatable {
    /// How many an account gets at once.
    static let count = 10
    private static let size = 10
    private static let length = 16

    private let bytes: [UInt8]

    init(random: RandomSource) { bytes = random.bytes(Self.size) }

    /// Reads a code without spaces and hyphens.
    init?(plain: String) {
        guard plain.utf8.count == Self.length, let bytes = Base32.decode(plain) else { return nil }
        self.bytes = bytes
    }

    /// The code in four groups of four letters and digits.
    var text: String {
        let letters = Array(Base32.encode(bytes))
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
            .joined(separator: "-")
    }

    /// What is stored: 80 random bits need no slow hash.
    var digest: TokenDigest { TokenDigest(bytes: SHA256.hash(bytes)) }
}
