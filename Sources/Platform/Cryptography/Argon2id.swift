private import CArgon2

/// The cost of one password hash.
public struct Argon2Cost: Hashable, Sendable {
    /// Memory in KiB, 8…1,048,576 and at least 8 per lane.
    public let memory: UInt32
    /// Passes over the memory, 1…64.
    public let passes: UInt32
    /// Lanes, 1…16; they run one after the other.
    public let lanes: UInt32

    /// Creates a cost; `nil` outside the ranges, which also limit what a damaged stored hash can demand.
    public init?(memory: UInt32, passes: UInt32, lanes: UInt32) {
        guard (1...16).contains(lanes), (1...64).contains(passes), (8 * lanes...1 << 20).contains(memory) else {
            return nil
        }
        self.init(unchecked: memory, passes, lanes)
    }

    private init(unchecked memory: UInt32, _ passes: UInt32, _ lanes: UInt32) {
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
    }

    /// 19 MiB, two passes, one lane: about 20 ms of one core.
    public static let recommended = Argon2Cost(unchecked: 19_456, 2, 1)
}

/// The reason why a password could not be hashed or compared. A wrong password is not an error.
public enum PasswordHashError: Error, Equatable, Sendable {
    /// There is not enough memory.
    case outOfMemory
    /// The hash was made with a pepper that is not available.
    case unknownPepper
    /// The library refused; `code` is its error code.
    case library(code: Int32)
}

/// Argon2id, version 1.3.
enum Argon2id {
    static let version = 0x13

    /// Returns `count` bytes derived from a password and a salt of at least 8 bytes.
    static func derive(
        _ password: [UInt8], salt: [UInt8], cost: Argon2Cost, count: Int
    ) throws(PasswordHashError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        // Every buffer is as long as the count beside it and outlives the call.
        let code = argon2id_hash_raw(
            cost.passes, cost.memory, cost.lanes, password, password.count, salt, salt.count, &output, count)
        try check(code)
        return output
    }

    private static func check(_ code: Int32) throws(PasswordHashError) {
        if code == ARGON2_OK.rawValue { return }
        throw code == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue ? .outOfMemory : .library(code: code)
    }
}
