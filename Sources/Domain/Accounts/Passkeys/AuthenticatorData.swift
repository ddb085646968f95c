import Cryptography

/// What an authenticator signs, besides what the browser was told (WebAuthn Level 2, 6.1).
struct AuthenticatorData: Equatable, Sendable {
    /// What the authenticator says of the moment.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let hasCredential = Flags(rawValue: 0x40)
        static let hasExtensions = Flags(rawValue: 0x80)
    }

    /// A credential that was just made.
    struct Credential: Equatable, Sendable {
        /// The most bytes of its name.
        static let longestID = 1_023
        /// The most bytes of its public key; an RSA key of 8,192 bits has some 1,100.
        static let longestKey = 2_048

        let id: [UInt8]
        /// Its public key in COSE form, as it came.
        let key: [UInt8]
    }

    /// The SHA-256 of the relying party's name.
    let party: [UInt8]
    let flags: Flags
    let counter: UInt32
    let credential: Credential?

    /// Reads the whole of `bytes`; `nil` for anything but authenticator data.
    init?(_ bytes: [UInt8]) {
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
        // The model of the authenticator, 16 bytes, which is not asked for; then the length of the name.
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

/// A public key in COSE form (RFC 9053), of one of the algorithms that passkeys may use here.
struct COSEKey: Sendable {
    /// The algorithms that are asked for, the most wanted first, by their numbers at COSE.
    static let algorithms: [(number: Int64, algorithm: SignatureAlgorithm)] = [
        (-7, .es256), (-8, .edDSA), (-257, .rs256),
    ]

    let key: PublicKey
    let algorithm: SignatureAlgorithm

    /// Reads a key; `nil` for another kind or algorithm, and for what is no sound key.
    init?(_ bytes: [UInt8]) {
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

    /// Whether it has signed the message.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, for: message, by: algorithm, encoding: .der)
    }
}
