/// A store that can be copied while it is in use.
public protocol CopyableStore: Sendable {
    /// Creates a copy of the current store beside it, without blocking writers. There is at most one copy at a time.
    ///
    /// - Throws: ``StoreError/full`` if there is no room for it, ``StoreError/unavailable(_:)`` while there is another
    ///   copy.
    func copy() async throws -> any StoreCopy
}
