/// The two buffers that all connections of a loop share: one to receive into, one to combine small frames in. No
/// connection has a buffer of its own.
final class ScratchBuffers {
    /// 64 KiB: as much as a connection may receive at a time.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// 64 KiB for combining frames.
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    deinit {
        input.deallocate()
        output.deallocate()
    }
}
