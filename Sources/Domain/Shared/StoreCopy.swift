/// A consistent copy of everything a store holds, which is read once from its beginning and leaves nothing behind.
public protocol StoreCopy: Sendable {
    /// Its bytes.
    var size: Int { get }

    /// Reads the next piece, a quarter of a mebibyte at most, and calls `done` from any thread; empty at the end. One
    /// read at a time.
    func read(_ done: @escaping @Sendable (Result<[UInt8], any Error>) -> Void)
}

/// A store that can be copied while it is used.
public protocol CopyableStore: Sendable {
    /// Makes a copy of the store as it stands now, beside it; writers do not wait for it. There is one at a time.
    ///
    /// - Throws: ``StoreError/full`` when there is no room for it, ``StoreError/unavailable(_:)`` while there is another.
    func copy() async throws -> any StoreCopy
}
