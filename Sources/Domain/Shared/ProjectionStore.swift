private import Cryptography

/// The store of the versions of projections: documents that are composed from others when they are read.
public protocol ProjectionStore: Sendable {
    /// Whether other nodes may assign versions to the same documents.
    var hasOtherWriters: Bool { get }

    /// Returns the version for content with this digest: the stored one if the digest is the same, otherwise the next
    /// one, which is stored.
    func assign(_ name: String, digest: [UInt8]) async throws -> Revision

    /// The same for content that was composed after `version` was read as the version last assigned.
    ///
    /// - Returns: `nil` if another version was assigned meanwhile, so that the content may be older than that version's.
    func assign(_ name: String, digest: [UInt8], after version: Version?) async throws -> Revision?

    /// Returns the version last assigned; `nil` before the first.
    func version(of name: String) async throws -> Version?
}

extension ProjectionStore {
    /// Composes a document and assigns its version. An older document never gets a newer version than another node has
    /// assigned to a newer one: whoever loses that race composes again.
    ///
    /// - Throws: ``StoreError/unavailable(_:)`` if other nodes are always faster; otherwise what `compose` throws.
    public func compose(
        _ name: String, _ compose: () async throws -> [UInt8]
    ) async throws -> (revision: Revision, bytes: [UInt8]) {
        guard hasOtherWriters else {
            let bytes = try await compose()
            return (try await assign(name, digest: SHA256.hash(bytes)), bytes)
        }
        for _ in 1...ProjectionRaces.most {
            let before = try await version(of: name)
            let bytes = try await compose()
            if let revision = try await assign(name, digest: SHA256.hash(bytes), after: before) {
                return (revision, bytes)
            }
        }
        throw StoreError.unavailable("other nodes change \(name) all the time")
    }
}

private enum ProjectionRaces {
    /// How often a document is composed at most until it gets its version.
    static let most = 8
}
