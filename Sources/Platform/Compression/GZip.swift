internal import CZlib

/// The gzip form of documents (RFC 1952).
public enum GZip {
    /// Returns the compressed document; `nil` if it would not be shorter, or if memory is short.
    ///
    /// Its cost grows with the length of the document. Cache the results for documents that clients often request.
    public static func compress(_ document: [UInt8]) -> [UInt8]? {
        guard document.count <= Int(UInt32.max) else { return nil }
        var stream = z_stream()
        guard czlib_gzip_open(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var code = Z_OK
        // zlib stops when the output would not be shorter than the document.
        let compressed = [UInt8](unsafeUninitializedCapacity: document.count) { target, count in
            code = stream.deflate(document, into: target, Z_FINISH)
            count = document.count - Int(stream.avail_out)
        }
        return code == Z_STREAM_END && compressed.count < document.count ? compressed : nil
    }
}
