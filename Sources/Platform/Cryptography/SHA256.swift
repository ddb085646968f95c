private import COpenSSL

/// A SHA-256 digest in progress. It is a value: a copy continues independently, which HMAC needs for its keyed start.
public struct SHA256: Sendable {
    /// Bytes of a digest.
    public static let byteCount = 32

    private var context: SHA256_CTX

    /// Starts an empty digest.
    public init() {
        context = SHA256_CTX()
        SHA256_Init(&context)
    }

    /// Adds bytes to the digest.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { update(buffer: $0) }
        if isContiguous == nil { Array(bytes).withUnsafeBufferPointer { update(buffer: $0) } }
    }

    /// Adds bytes in memory to the digest.
    public mutating func update(buffer: UnsafeBufferPointer<UInt8>) {
        // The pointer is only read during the call; for an empty buffer it may be nil, with a count of zero.
        SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }

    /// Returns the digest of everything so far, 32 bytes; more bytes may follow.
    public func finalize() -> [UInt8] {
        var context = context
        return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            // The requested capacity is what SHA256_Final writes.
            SHA256_Final(buffer.baseAddress, &context)
            count = SHA256.byteCount
        }
    }

    /// Returns the digest of `bytes`, 32 bytes.
    public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finalize()
    }
}
