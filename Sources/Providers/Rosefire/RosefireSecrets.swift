public import Cryptography

/// The secrets that Rosefire and this server share: the current one and, while it is being replaced, the previous one.
public struct RosefireSecrets: Sendable {
    /// What is wrong with a key file.
    public enum Fault: Error, Sendable, Equatable {
        /// It has no secret, or more than two.
        case count(Int)
        /// A secret of fewer than 32 bytes (256 bit), or of more than 512.
        case length(Int)
        /// A secret with anything but visible ASCII characters.
        case characters
    }

    let keys: [HMACSHA256]

    /// Reads a key file: one secret per line, the current one first.
    public init(file: [UInt8]) throws(Fault) {
        let lines = file.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard (1...2).contains(lines.count) else { throw .count(lines.count) }
        var keys: [HMACSHA256] = []
        for line in lines {
            guard (32...512).contains(line.count) else { throw .length(line.count) }
            guard line.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .characters }
            keys.append(HMACSHA256(key: Array(line)))
        }
        self.keys = keys
    }

    /// Returns a new secret as a line of a key file.
    public static func newFile(random: RandomSource = .system) -> [UInt8] {
        Array((Base64.url.encode(random.bytes(32)) + "\n").utf8)
    }
}
