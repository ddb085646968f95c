import SQLite
public import Shared

extension SQLiteStore: ProjectionStore {
    /// Returns the version of a projection whose content has that digest; raises the version if the digest is new.
    public func assign(_ name: String, digest: [UInt8]) async throws -> Revision {
        if let version = try await stored(name, digest: digest) { return Revision(epoch: epoch, version: version) }
        return try await write { transaction in
            let connection = transaction.connection
            try connection.run(
                """
                INSERT INTO projections (name, version, digest) VALUES (?1, 1, ?2)
                ON CONFLICT (name) DO UPDATE SET version = version + 1, digest = ?2 WHERE digest <> ?2
                """, .text(name), .blob(digest))
            let version = try connection.first(
                "SELECT version FROM projections WHERE name = ?", .text(name)
            ) { row in Int(row.integer(0)) }
            return Revision(epoch: transaction.epoch, version: version ?? 1)
        }
    }

    private func stored(_ name: String, digest: [UInt8]) async throws -> Version? {
        try await read { connection in
            try connection.first(
                "SELECT version FROM projections WHERE name = ? AND digest = ?", .text(name), .blob(digest)
            ) { row in Int(row.integer(0)) }
        }
    }

    /// Returns the latest version assigned; `nil` before the first.
    public func version(of name: String) async throws -> Version? {
        try await read { connection in
            try connection.first("SELECT version FROM projections WHERE name = ?", .text(name)) { row in
                Int(row.integer(0))
            }
        }
    }
}
