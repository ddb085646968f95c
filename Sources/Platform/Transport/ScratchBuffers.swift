/// The two buffers that all connections of a loop share: one to receive into, one to put small frames together in.
/// No connection has a buffer of its own.
final class ScratchBuffers {
    /// 64 KiB: as much as a connection may take of one turn.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// 64 KiB.
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    deinit {
        input.deallocate()
        output.deallocate()
    }
}
