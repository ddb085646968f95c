import Database
public import Shared

extension RelationalStore: ProjectionStore {
    /// Returns the version of a projection whose content has that digest; raises the version if the digest is new.
    public func assign(_ name: String, digest: [UInt8]) async throws -> Revision {
        if let version = try await stored(name, digest: digest) { return Revision(epoch: epoch, version: version) }
        return try await write(within: .only([.projection(name)])) { transaction in
            let connection = transaction.connection
            try connection.run(
                """
                INSERT INTO projections (name, version, digest) VALUES (?1, 1, ?2)
                ON CONFLICT (name) DO UPDATE SET version = projections.version + 1, digest = ?2
                WHERE projections.digest <> ?2
                """, .text(name), .blob(digest))
            let version = try connection.first(
                "SELECT version FROM projections WHERE name = ?", .text(name)
            ) { row in Int(row.integer(0)) }
            return Revision(epoch: transaction.epoch, version: version ?? 1)
        }
    }

    /// The same for content that was composed after `expected` was read as the version last assigned; `nil` if another
    /// version was assigned meanwhile.
    public func assign(_ name: String, digest: [UInt8], after expected: Version?) async throws -> Revision? {
        if let version = try await stored(name, digest: digest) { return Revision(epoch: epoch, version: version) }
        return try await write(within: .only([.projection(name)])) { transaction in
            let connection = transaction.connection
            let found = try connection.first("SELECT version, digest FROM projections WHERE name = ?", .text(name)) {
                (version: $0.integer(0), digest: $0.bytes(1))
            }
            if let found, found.digest == digest { return Revision(epoch: transaction.epoch, version: found.version) }
            guard found?.version == expected else { return nil }
            let version = (expected ?? 0) + 1
            try connection.run(
                """
                INSERT INTO projections (name, version, digest) VALUES (?1, ?2, ?3)
                ON CONFLICT (name) DO UPDATE SET version = excluded.version, digest = excluded.digest
                """, .text(name), .integer(version), .blob(digest))
            return Revision(epoch: transaction.epoch, version: version)
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
