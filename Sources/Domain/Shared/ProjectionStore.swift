/// The store of the versions of projections: documents that are composed from others when they are read.
public protocol ProjectionStore: Sendable {
    /// Returns the version for content with this digest: the stored one if the digest is the same, otherwise the next
    /// one, which is stored.
    func assign(_ name: String, digest: [UInt8]) async throws -> Revision

    /// Returns the version last assigned; `nil` before the first.
    func version(of name: String) async throws -> Version?
}
