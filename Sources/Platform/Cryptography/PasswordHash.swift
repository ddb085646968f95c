/// A stored password hash: its cost, salt and digest in PHC string form,
/// `$argon2id$v=19$m=19456,t=2,p=1[,keyid=…]$salt$digest`.
public struct PasswordHash: Sendable, Equatable {
    private static let saltSize = 16
    private static let digestSize = 32

    private let cost: Argon2Cost
    private let pepper: String?
    private let salt: [UInt8]
    private let digest: [UInt8]

    /// Hashes a password with a fresh salt. Takes about 20 ms at the recommended cost, so call it from a thread that
    /// may block.
    public init(
        _ password: [UInt8], cost: Argon2Cost = .recommended, pepper: Pepper? = nil, random: RandomSource
    ) throws(PasswordHashError) {
        salt = random.bytes(PasswordHash.saltSize)
        self.cost = cost
        self.pepper = pepper?.id
        digest = try Argon2id.derive(
            pepper?.apply(to: password) ?? password, salt: salt, cost: cost, count: PasswordHash.digestSize)
    }

    /// Returns whether `password` is the hashed one. Takes as long as hashing did.
    ///
    /// - Throws: ``PasswordHashError/unknownPepper`` if the hash was made with a pepper other than this one.
    public func matches(_ password: [UInt8], pepper: Pepper? = nil) throws(PasswordHashError) -> Bool {
        guard isComparable(with: pepper) else { throw .unknownPepper }
        let input = self.pepper == nil ? password : pepper?.apply(to: password) ?? password
        return isEqualInConstantTime(
            digest, try Argon2id.derive(input, salt: salt, cost: cost, count: digest.count))
    }

    /// Returns whether passwords can be compared with the hash: it was made without a pepper, or with this one.
    public func isComparable(with pepper: Pepper?) -> Bool { self.pepper == nil || self.pepper == pepper?.id }

    /// Returns whether the hash was made with a cost or pepper other than the current one. If so, hash the password
    /// again while it is known.
    public func isOutdated(cost: Argon2Cost = .recommended, pepper: Pepper? = nil) -> Bool {
        self.cost != cost || self.pepper != pepper?.id || digest.count != PasswordHash.digestSize
    }
}

extension PasswordHash {
    /// A text that occurs in the PHC string of every hash with a pepper, and of no other.
    public static let pepperedText = ",keyid="

    /// Returns a text that occurs in the PHC string of every hash with `pepper`, and of no other.
    public static func text(of pepper: Pepper) -> String { "\(pepperedText)\(pepper.id)$" }

    /// The PHC string, which a store keeps.
    public var text: String {
        let key = pepper.map { PasswordHash.pepperedText + $0 } ?? ""
        let parameters = "m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)\(key)"
        let parts = [Base64.standard.encode(salt), Base64.standard.encode(digest)]
        return "$argon2id$v=\(Argon2id.version)$\(parameters)$\(parts.joined(separator: "$"))"
    }

    /// Reads a PHC string; `nil` for another algorithm or version, or a cost outside the ranges.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=\(Argon2id.version)",
            let salt = Base64.standard.decode(parts[4]), (8...64).contains(salt.count),
            let digest = Base64.standard.decode(parts[5]), (16...64).contains(digest.count)
        else { return nil }
        let values = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard (3...4).contains(values.count),
            let memory = PasswordHash.value("m=", values[0]).flatMap({ UInt32($0) }),
            let passes = PasswordHash.value("t=", values[1]).flatMap({ UInt32($0) }),
            let lanes = PasswordHash.value("p=", values[2]).flatMap({ UInt32($0) }),
            let cost = Argon2Cost(memory: memory, passes: passes, lanes: lanes)
        else { return nil }
        self.cost = cost
        self.salt = salt
        self.digest = digest
        pepper = values.count == 4 ? PasswordHash.value("keyid=", values[3]).map { String($0) } : nil
        if values.count == 4, pepper == nil { return nil }
    }

    private static func value<Text: StringProtocol>(_ name: String, _ text: Text) -> Text.SubSequence? {
        text.hasPrefix(name) ? text.dropFirst(name.count) : nil
    }
}
