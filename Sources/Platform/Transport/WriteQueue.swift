/// What a connection has yet to send: references to byte arrays that others may be sending too, never copies.
///
/// The common case, one frame at a time, needs no allocation beyond this value.
struct WriteQueue {
    private struct Frame {
        let bytes: [UInt8]
        let since: MonotonicInstant
        let isShared: Bool

        var ownBytes: Int { isShared ? 0 : bytes.count }
    }

    private var rest: [Frame] = []
    private var restStart = 0
    /// How many bytes of the first frame are sent.
    private var sent = 0
    /// Bytes that are not sent yet.
    private(set) var count = 0
    // The last property, so that what follows the queue in a stream begins right after the flag of this frame.
    private var first: Frame?

    var isEmpty: Bool { first == nil }

    /// How many bytes of memory the queue holds: whole frames, even if a part of one has been sent, but no frames that
    /// others keep as well.
    var heldBytes: Int {
        rest[restStart...].reduce(first?.ownBytes ?? 0) { $0 + $1.ownBytes }
    }

    /// When the oldest unsent byte was added.
    var oldest: MonotonicInstant? { first?.since }

    mutating func append(_ bytes: [UInt8], at now: MonotonicInstant, isShared: Bool = false) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        let frame = Frame(bytes: bytes, since: now, isShared: isShared)
        if first == nil { first = frame } else { rest.append(frame) }
    }

    /// Counts `amount` bytes as sent.
    mutating func advance(by amount: Int) {
        var amount = min(amount, count)
        count -= amount
        while amount > 0, let frame = first {
            let left = frame.bytes.count - sent
            guard amount >= left else {
                sent += amount
                return
            }
            amount -= left
            popFirst()
        }
    }

    /// Drops the frames that have not begun to be sent, except those that begin within the next `committed` bytes.
    mutating func dropUnsent(behind committed: Int = 0) {
        guard let first, sent > 0 || committed > 0 else {
            self = WriteQueue()
            return
        }
        var kept = first.bytes.count - sent
        var end = restStart
        while kept < committed, end < rest.count {
            kept += rest[end].bytes.count
            end += 1
        }
        rest = Array(rest[restStart..<end])
        restStart = 0
        count = kept
    }

    /// The unsent bytes, if all are of one frame. They stay where they are until the queue changes.
    var loneFrame: UnsafeRawBufferPointer? {
        guard let first, restStart == rest.count else { return nil }
        // An array's elements stay in one place while the array is neither changed nor released, and `first` holds it.
        // Here it has at least one element, so it has an address.
        return first.bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[sent...]) }
    }

    /// Passes the next bytes to send to `body`: the first frame itself if it is long or alone, otherwise as many whole
    /// frames as fit into `scratch`, joined. Returns `nil` if there are none.
    func withNextBytes<R>(
        scratch: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R
    ) -> R? {
        guard let first else { return nil }
        let left = first.bytes.count - sent
        guard restStart < rest.count, left + rest[restStart].bytes.count <= scratch.count else {
            return first.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        }
        var filled = copy(first.bytes[sent...], to: scratch, at: 0)
        for frame in rest[restStart...] {
            guard frame.bytes.count <= scratch.count - filled else { break }
            filled = copy(frame.bytes[...], to: scratch, at: filled)
        }
        return body(UnsafeRawBufferPointer(rebasing: scratch[..<filled]))
    }

    private func copy(_ bytes: ArraySlice<UInt8>, to target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        // The callers make sure that `bytes` fit after `offset`.
        UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyBytes(from: bytes)
        return offset + bytes.count
    }

    private mutating func popFirst() {
        sent = 0
        guard restStart < rest.count else {
            first = nil
            return
        }
        first = rest[restStart]
        restStart += 1
        if restStart == rest.count {
            rest = []
            restStart = 0
        } else if restStart >= 64, restStart > rest.count / 2 {
            rest.removeSubrange(..<restStart)
            restStart = 0
        }
    }
}
