/// A public key for checking signatures. It is a plain value: OpenSSL accepted it when it was made, and it holds no
/// memory of OpenSSL's.
public struct PublicKey: Sendable, Equatable {
    /// How many bits an RSA key may have. Checking signatures of a larger key costs too much.
    public static let rsaBits = 2_048...8_192

    enum Material: Sendable, Equatable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case p256(point: [UInt8])
        case ed25519([UInt8])
    }

    let material: Material

    /// Takes an RSA key; `nil` unless its size is within ``rsaBits``, both numbers are odd, and the exponent is at
    /// least 3 and has at most four bytes.
    public init?(rsaModulus: [UInt8], exponent: [UInt8]) {
        let modulus = Array(rsaModulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let first = modulus.first, let last = modulus.last, let lastOfExponent = exponent.last else { return nil }
        guard Self.rsaBits.contains(modulus.count * 8 - first.leadingZeroBitCount), last & 1 == 1 else { return nil }
        guard exponent.count <= 4, lastOfExponent & 1 == 1, exponent != [1] else { return nil }
        self.init(.rsa(modulus: modulus, exponent: exponent))
    }

    /// Takes a point on P-256 by its coordinates of 32 bytes each; `nil` for a point that is not on the curve.
    public init?(p256X: [UInt8], y: [UInt8]) {
        guard p256X.count == 32, y.count == 32 else { return nil }
        self.init(.p256(point: [4] + p256X + y))
    }

    /// Takes an Ed25519 key; `nil` unless it has 32 bytes.
    public init?(ed25519 bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(.ed25519(bytes))
    }

    private init?(_ material: Material) {
        guard VerificationKey(material) != nil else { return nil }
        self.material = material
    }

    /// Returns whether `signature` is this key's signature of `message` by `algorithm`; `false` if the algorithm does
    /// not fit the key.
    public func isValid(
        _ signature: [UInt8], for message: [UInt8], by algorithm: SignatureAlgorithm,
        encoding: ECDSAEncoding = .fixed
    ) -> Bool {
        guard let key = VerificationKey(material) else { return false }
        switch (algorithm, material, encoding) {
        case (.rs256, .rsa, _), (.ps256, .rsa, _), (.edDSA, .ed25519, _), (.es256, .p256, .der):
            return key.isValid(signature, for: message, by: algorithm)
        case (.es256, .p256, .fixed):
            return ECDSASignature.der(of: signature).map { key.isValid($0, for: message, by: algorithm) } ?? false
        case (.rs256, _, _), (.ps256, _, _), (.es256, _, _), (.edDSA, _, _):
            return false
        }
    }
}

/// Converts ECDSA signatures from one of their two forms to the other.
enum ECDSASignature {
    /// Returns the DER form of 64 bytes, `r` and `s`; `nil` for any other length.
    static func der(of fixed: [UInt8]) -> [UInt8]? {
        guard fixed.count == 64 else { return nil }
        let content = integer(fixed[..<32]) + integer(fixed[32...])
        // At most twice 35 bytes, so the length takes one byte.
        return [0x30, UInt8(content.count)] + content
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
