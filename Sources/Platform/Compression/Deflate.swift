internal import CZlib

/// Pieces of compressed data as archives hold them (RFC 1951).
public enum Deflate {
    /// The longest window, in bits.
    private static let window: Int32 = 15

    /// Returns a piece compressed independently, which ends on a byte boundary, so others may follow; `nil` if memory
    /// is short or the piece has 2 GiB or more.
    public static func piece(_ piece: [UInt8]) -> [UInt8]? {
        guard piece.count <= Int(Int32.max) else { return nil }
        var stream = z_stream()
        guard czlib_deflate_open(&stream, window) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // The bound is for one block; the empty one that ends the piece takes up to six bytes more.
        let room = Int(deflateBound(&stream, UInt(piece.count))) + 16
        var code = Z_OK
        let compressed = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            code = stream.deflate(piece, into: target, Z_SYNC_FLUSH)
            count = room - Int(stream.avail_out)
        }
        // If room is left, everything was written, including the empty block.
        return code == Z_OK && stream.avail_in == 0 && stream.avail_out > 0 ? compressed : nil
    }

    /// Returns the CRC-32 of a piece, continuing the sum of the previous pieces.
    public static func sum(of piece: [UInt8], after sum: UInt32) -> UInt32 {
        piece.withUnsafeBufferPointer { source in
            UInt32(truncatingIfNeeded: crc32(UInt(sum), source.baseAddress, UInt32(clamping: source.count)))
        }
    }
}

extension z_stream {
    /// Compresses all of `source` into `target`, as far as there is room; returns zlib's code.
    mutating func deflate(
        _ source: [UInt8], into target: UnsafeMutableBufferPointer<UInt8>, _ flush: Int32
    ) -> Int32 {
        source.withUnsafeBufferPointer { source in
            // zlib's input is not const but is not written to; both buffers outlive the call.
            next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            avail_in = UInt32(clamping: source.count)
            next_out = target.baseAddress
            avail_out = UInt32(clamping: target.count)
            return CZlib.deflate(&self, flush)
        }
    }
}
