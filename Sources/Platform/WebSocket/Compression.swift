internal import CZlib

/// Compresses and restores the payloads of single messages (RFC 7692, section 7.2).
enum Compression {
    /// The end of every compressed payload, an empty block, which is left out on the wire.
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    /// Returns the compressed payload; `nil` if it would not be shorter, or if memory is short.
    static func deflate(_ payload: [UInt8], window: Int) -> [UInt8]? {
        guard payload.count <= Int(UInt32.max) else { return nil }
        var stream = z_stream()
        guard czlib_deflate_open(&stream, Int32(clamping: window)) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // zlib stops when the output would not be smaller than this.
        let room = payload.count + tail.count
        let compressed = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            payload.withUnsafeBufferPointer { source in
                // zlib's input is not const but is not written to; both buffers outlive the call.
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = UInt32(clamping: source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(clamping: room)
                _ = CZlib.deflate(&stream, Z_SYNC_FLUSH)
            }
            count = room - Int(stream.avail_out)
        }
        guard stream.avail_in == 0, stream.avail_out > 0, compressed.suffix(4).elementsEqual(tail) else { return nil }
        let short = Array(compressed.dropLast(tail.count))
        return short.count < payload.count ? short : nil
    }

    /// Returns the restored payload.
    ///
    /// - Throws: `Violation.compression` for what is not DEFLATE, and `Violation.messageTooLong` at the first byte
    ///   beyond the limit, however long the payload would become.
    static func inflate(_ payload: [UInt8], limit: Int) throws(Violation) -> [UInt8] {
        var stream = z_stream()
        guard czlib_inflate_open(&stream) == Z_OK else { throw .compression }
        defer { inflateEnd(&stream) }
        var restored: [UInt8] = []
        var hasEnded = false
        for input in [payload, tail] {
            guard input.count <= Int(UInt32.max) else { throw .messageTooLong(limit: limit) }
            var done = 0
            while done < input.count || stream.avail_out == 0 {
                let room = min(limit - restored.count, max(4 * input.count, 1024)) + 1
                let (used, made, code) = step(&stream, input[done...], room: room)
                done += used
                restored += made
                guard restored.count <= limit else { throw .messageTooLong(limit: limit) }
                guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw .compression }
                hasEnded = code == Z_STREAM_END
                // A block may be marked as the last, and yet more may follow.
                if hasEnded { guard inflateReset(&stream) == Z_OK else { throw .compression } }
                if used == 0, made.isEmpty { break }
            }
            guard done == input.count else { throw .compression }
        }
        guard hasEnded || czlib_is_between_blocks(&stream) != 0 else { throw .compression }
        return restored
    }

    /// Calls zlib once; returns how much it has read, what it has written, and its result code.
    private static func step(
        _ stream: inout z_stream, _ input: ArraySlice<UInt8>, room: Int
    ) -> (used: Int, made: [UInt8], code: Int32) {
        var code = Z_OK
        let made = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            input.withUnsafeBufferPointer { source in
                // zlib's input is not const but is not written to; both buffers outlive the call.
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = UInt32(clamping: source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(clamping: room)
                code = CZlib.inflate(&stream, Z_SYNC_FLUSH)
            }
            count = room - Int(stream.avail_out)
        }
        return (input.count - Int(stream.avail_in), made, code)
    }
}
