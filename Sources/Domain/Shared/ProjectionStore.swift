/// Where projections get their versions: documents that follow from others and are composed when they are read.
public protocol ProjectionStore: Sendable {
    /// The version of a projection whose content has that digest: the stored one while the digest is the stored one,
    /// else one more, durably.
    func assign(_ name: String, digest: [UInt8]) async throws -> Revision

    /// The version last assigned; `nil` before the first.
    func version(of name: String) async throws -> Version?
}
