/// HMAC with SHA-256 (RFC 2104) under one key. It keeps the two keyed digests, so that a message costs no more than its
/// own bytes.
public struct HMACSHA256: Sendable {
    private static let blockSize = 64
    private let inner: SHA256
    private let outer: SHA256

    /// Takes a key of any length; 32 random bytes are recommended.
    public init(key: [UInt8]) {
        var block = key.count > HMACSHA256.blockSize ? SHA256.hash(key) : key
        block += repeatElement(0, count: HMACSHA256.blockSize - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        self.inner = inner
        self.outer = outer
    }

    /// Returns the code of `message`, 32 bytes.
    public func authenticate(_ message: some Sequence<UInt8>) -> [UInt8] {
        var inner = inner
        inner.update(message)
        var outer = outer
        outer.update(inner.finalize())
        return outer.finalize()
    }

    /// Returns whether `code` is the complete code of `message`, in constant time.
    public func isValid(_ code: [UInt8], for message: some Sequence<UInt8>) -> Bool {
        isEqualInConstantTime(code, authenticate(message))
    }
}
