private import COpenSSL

/// A SHA-256 digest under way. A value: a copy goes its own way, as HMAC does with a keyed beginning.
public struct SHA256: Sendable {
    /// The bytes of a digest.
    public static let byteCount = 32

    private var context: SHA256_CTX

    /// A digest of nothing yet.
    public init() {
        context = SHA256_CTX()
        SHA256_Init(&context)
    }

    /// Appends bytes to what is digested.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { update(buffer: $0) }
        if isContiguous == nil { Array(bytes).withUnsafeBufferPointer { update(buffer: $0) } }
    }

    /// Appends bytes in memory to what is digested.
    public mutating func update(buffer: UnsafeBufferPointer<UInt8>) {
        // The pointer is only read during the call; for an empty buffer it may be nil, with a count of zero.
        SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }

    /// The digest of everything so far, 32 bytes; more may follow afterwards.
    public func finalize() -> [UInt8] {
        var context = context
        return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            // The capacity asked for is what SHA256_Final writes.
            SHA256_Final(buffer.baseAddress, &context)
            count = SHA256.byteCount
        }
    }

    /// The digest of `bytes`, 32 bytes.
    public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finalize()
    }
}
