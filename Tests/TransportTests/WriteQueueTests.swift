import Testing

@testable import Transport

@Suite struct `The write queue` {
    private let scratch = ScratchBuffers()

    private func next(_ queue: inout WriteQueue, take: Int = .max) -> [UInt8]? {
        let bytes = queue.withNextBytes(scratch: scratch.output) { Array($0) }
        if let bytes { queue.advance(by: min(take, bytes.count)) }
        return bytes
    }

    private func moment(_ nanoseconds: UInt64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

    @Test func `joins small frames and leaves long ones alone`() {
        var queue = WriteQueue()
        let long = [UInt8](repeating: 9, count: 70_000)
        for bytes in [[1, 2], [3], [], [4, 5], long, [6]] { queue.append(bytes, at: moment(1)) }
        #expect(queue.count == 70_006)
        #expect(next(&queue) == [1, 2, 3, 4, 5])
        #expect(next(&queue) == long)
        #expect(next(&queue) == [6])
        #expect(next(&queue) == nil)
        #expect(queue.isEmpty)
    }

    @Test func `goes on where the kernel stopped, at any place`() {
        for step in 1...7 {
            var queue = WriteQueue()
            var sent: [UInt8] = []
            for start in stride(from: 0, to: 200, by: 4) {
                queue.append((start..<(start + 4)).map { UInt8($0) }, at: moment(1))
            }
            while let bytes = next(&queue, take: step) { sent += bytes.prefix(step) }
            #expect(sent == (0..<200).map { UInt8($0) })
            #expect(queue.count == 0)
        }
    }

    @Test func `knows how old its oldest byte is`() {
        var queue = WriteQueue()
        queue.append([1, 2, 3], at: moment(1))
        queue.append([4], at: moment(2))
        _ = next(&queue, take: 2)
        #expect(queue.oldest == moment(1))
        _ = next(&queue, take: 1)
        #expect(queue.oldest == moment(2))
        _ = next(&queue)
        #expect(queue.oldest == nil)
    }

    @Test func `holds whole frames, and none that others keep`() {
        var queue = WriteQueue()
        queue.append([UInt8](repeating: 1, count: 100), at: moment(1))
        queue.append([UInt8](repeating: 2, count: 1_000), at: moment(1), isShared: true)
        queue.append([UInt8](repeating: 3, count: 10), at: moment(1))
        #expect(queue.heldBytes == 110)
        queue.advance(by: 99)
        #expect(queue.heldBytes == 110)
        queue.advance(by: 1)
        #expect(queue.heldBytes == 10)
        queue.advance(by: 1_000 + 10)
        #expect(queue.heldBytes == 0)
    }

    @Test func `drops what was not begun`() {
        var queue = WriteQueue()
        queue.append([1, 2, 3], at: moment(1))
        queue.append([4], at: moment(1))
        _ = next(&queue, take: 1)
        queue.dropUnsent()
        #expect(queue.count == 2)
        #expect(next(&queue) == [2, 3])
        queue.append([5], at: moment(1))
        queue.dropUnsent()
        #expect(queue.isEmpty)
    }

    @Test func `keeps what has to be offered again`() {
        for (committed, kept) in [(1, 3), (3, 3), (4, 5), (5, 5), (6, 6), (100, 6)] {
            var queue = WriteQueue()
            for bytes: [UInt8] in [[1, 2, 3], [4, 5], [6]] { queue.append(bytes, at: moment(1)) }
            queue.dropUnsent(behind: committed)
            #expect(queue.count == kept)
            #expect(next(&queue) == Array([1, 2, 3, 4, 5, 6].prefix(kept)))
        }
    }
}
