/// A consistent copy of everything in a store. It is read once, from the beginning, and leaves no file behind.
public protocol StoreCopy: Sendable {
    /// The size in bytes.
    var size: Int { get }

    /// Reads the next piece of at most 256 KiB, and calls `done` from any thread; the piece is empty at the end. Call
    /// it again only after `done`.
    func read(_ done: @escaping @Sendable (Result<[UInt8], any Error>) -> Void)
}
