import SQLite
import Shared

/// What a store knows of itself: one row.
struct StoreIdentity: Sendable {
    let epoch: Epoch
    let accessVersion: Int

    /// Reads it, or makes it in a new file.
    static func establish(on connection: Connection) throws -> StoreIdentity {
        if let identity = try read(from: connection) { return identity }
        try connection.run("INSERT INTO store (epoch, access_version) VALUES (?, 1)", .text(newEpoch().text))
        guard let identity = try read(from: connection) else { throw StoreError.incompatible("no identity") }
        return identity
    }

    static func read(from connection: Connection) throws -> StoreIdentity? {
        try connection.first("SELECT epoch, access_version FROM store") { row in
            StoreIdentity(epoch: Epoch(row.text(0)), accessVersion: row.integer(1))
        }
    }

    /// Begins a new history: versions of before are never compared with those of after.
    static func rotateEpoch(on connection: Connection) throws {
        let sql = "UPDATE store SET epoch = ?, access_version = access_version + 1"
        try connection.run(sql, .text(newEpoch().text))
    }

    /// 64 random bits in base 36.
    private static func newEpoch() -> Epoch { Epoch(String(UInt64.random(in: .min ... .max), radix: 36)) }
}
