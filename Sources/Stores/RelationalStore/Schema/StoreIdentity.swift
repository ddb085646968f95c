package import Database
package import Shared

/// The store's own data: one row.
package enum StoreIdentity {
    /// Returns the epoch, which is created in a new file.
    package static func establish(on connection: Connection) throws -> Epoch {
        if let epoch = try read(from: connection) { return epoch }
        let epoch = newEpoch()
        try connection.run("INSERT INTO store (epoch) VALUES (?)", .text(epoch.text))
        return epoch
    }

    package static func read(from connection: Connection) throws -> Epoch? {
        try connection.first("SELECT epoch FROM store") { Epoch($0.text(0)) }
    }

    /// Makes a change that means nothing, which fails where there is no room for changes.
    package static func probe(on connection: Connection) throws {
        try connection.run("UPDATE store SET probes = probes + 1")
    }

    /// Begins a new epoch, so that earlier versions are never compared with later ones.
    package static func rotateEpoch(on connection: Connection) throws {
        try connection.run("UPDATE store SET epoch = ?", .text(newEpoch().text))
    }

    /// Generates an epoch from 64 random bits, in base 36.
    private static func newEpoch() -> Epoch { Epoch(String(UInt64.random(in: .min ... .max), radix: 36)) }
}
