package import Cryptography

/// The authenticator's part of what it signs; the other part is the client data (WebAuthn Level 2, 6.1).
package struct AuthenticatorData: Equatable, Sendable {
    /// The flags of the authenticator data.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let hasCredential = Flags(rawValue: 0x40)
        static let hasExtensions = Flags(rawValue: 0x80)
    }

    /// A newly created credential.
    package struct Credential: Equatable, Sendable {
        /// The maximum length of its identifier in bytes.
        static let longestID = 1_023
        /// The maximum length of its public key in bytes; an RSA key of 8,192 bits takes about 1,100.
        static let longestKey = 2_048

        package let id: [UInt8]
        /// Its public key in COSE form, as received.
        package let key: [UInt8]
    }

    /// The SHA-256 of the relying party's identifier.
    let party: [UInt8]
    let flags: Flags
    package let counter: UInt32
    package let credential: Credential?

    /// Parses all of `bytes`; `nil` if they are not authenticator data.
    package init?(_ bytes: [UInt8]) {
        guard (37...CBOR.longest).contains(bytes.count) else { return nil }
        party = Array(bytes.prefix(32))
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(into: UInt32(0)) { $0 = $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        credential = flags.contains(.hasCredential) ? Self.credential(&rest) : nil
        if flags.contains(.hasCredential), credential == nil { return nil }
        if flags.contains(.hasExtensions) {
            guard case (.map, let end)? = CBOR.first(of: rest) else { return nil }
            rest = end
        }
        guard rest.isEmpty, !flags.contains(.backedUp) || flags.contains(.backupEligible) else { return nil }
    }

    private static func credential(_ rest: inout ArraySlice<UInt8>) -> Credential? {
        // The model of the authenticator, 16 bytes, which is ignored; then the length of the identifier.
        let head = rest.prefix(18)
        guard head.count == 18 else { return nil }
        let length = head.suffix(2).reduce(into: 0) { $0 = $0 << 8 | Int($1) }
        let id = Array(rest.dropFirst(18).prefix(length))
        let keyed = rest.dropFirst(18 + length)
        guard id.count == length, (1...Credential.longestID).contains(length),
            case (.map, let end)? = CBOR.first(of: keyed)
        else { return nil }
        rest = end
        guard keyed.count - end.count <= Credential.longestKey else { return nil }
        return Credential(id: id, key: Array(keyed.prefix(keyed.count - end.count)))
    }
}

/// A public key in COSE form (RFC 9053) with an algorithm that this server accepts for passkeys.
package struct COSEKey: Sendable {
    /// The accepted algorithms with their COSE numbers, the preferred one first.
    package static let algorithms: [(number: Int64, algorithm: SignatureAlgorithm)] = [
        (-7, .es256), (-8, .edDSA), (-257, .rs256),
    ]

    let key: PublicKey
    let algorithm: SignatureAlgorithm

    /// Reads a key; `nil` for another kind or algorithm, or if the key is invalid.
    package init?(_ bytes: [UInt8]) {
        guard let map = CBOR(bytes), let kind = map[1]?.integer,
            let algorithm = Self.algorithms.first(where: { $0.number == map[3]?.integer })?.algorithm
        else { return nil }
        let key: PublicKey? =
            switch (algorithm, kind) {
            case (.es256, 2):
                map[-1]?.integer == 1 ? PublicKey(p256X: map[-2]?.bytes ?? [], y: map[-3]?.bytes ?? []) : nil
            case (.edDSA, 1): map[-1]?.integer == 6 ? PublicKey(ed25519: map[-2]?.bytes ?? []) : nil
            case (.rs256, 3): PublicKey(rsaModulus: map[-1]?.bytes ?? [], exponent: map[-2]?.bytes ?? [])
            default: nil
            }
        guard let key else { return nil }
        self.key = key
        self.algorithm = algorithm
    }

    /// Returns whether the key signed the message.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, for: message, by: algorithm, encoding: .der)
    }
}
