/// Where projections get their versions: documents that follow from others and are composed when they are read.
public protocol ProjectionStore: Sendable {
    /// The version for content with this digest: the stored one if the digest is unchanged, otherwise the next one, which
    /// is then stored.
    func assign(_ name: String, digest: [UInt8]) async throws -> Revision

    /// The version last assigned; `nil` before the first.
    func version(of name: String) async throws -> Version?
}
