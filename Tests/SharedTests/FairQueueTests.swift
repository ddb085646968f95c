import Testing

import Shared

@Suite struct FairQueueTests {
    private typealias Queue = FairQueue<String, String>

    /// A queue of pieces such as `a3`: of caller `a`, at a cost of 3, in the order in which they come.
    private func queue(_ pieces: String..., capacity: Int = 1_000) -> Queue {
        var queue = Queue(capacity: capacity, capacityOfLine: capacity)
        push(pieces, to: &queue)
        return queue
    }

    private func push(_ pieces: [String], to queue: inout Queue, from number: Int = 0) {
        for (place, piece) in pieces.enumerated() {
            #expect(push(piece, to: &queue, number: number + place) == [])
        }
    }

    /// What gives way to a piece; `nil` if it is refused because of everybody's work.
    private func push(_ piece: String, to queue: inout Queue, number: Int) -> [String]? {
        let cost = Int(piece.dropFirst()) ?? 0
        switch queue.push(piece, number: number, cost: cost, of: String(piece.prefix(1))) {
        case .accepted(let displaced): return displaced
        case .full: return nil
        case .lineFull: return ["line"]
        }
    }

    private func takeAll(_ queue: inout Queue) -> [String] {
        var taken: [String] = []
        while let work = queue.pop() { taken.append(work) }
        return taken
    }

    @Test func `the work of one caller is done in order`() {
        var queue = queue("a3", "a1", "a2")
        #expect(takeAll(&queue) == ["a3", "a1", "a2"])
    }

    @Test func `a caller with a hundred requests keeps nobody else waiting`() {
        var queue = Queue(capacity: 1_000, capacityOfLine: 1_000)
        push(Array(repeating: "a1", count: 100), to: &queue)
        #expect(queue.pop() == "a1")
        push(["b1"], to: &queue, from: 100)
        #expect(queue.pop() == "b1")
    }

    @Test func `turns go by cost and not by number`() {
        var queue = queue("a9", "a9", "b3", "b3", "b3", "b3")
        #expect(takeAll(&queue) == ["a9", "b3", "b3", "b3", "a9", "b3"])
    }

    @Test func `a caller who comes one at a time has no more turns than one who comes at once`() {
        var queue = queue("a5", "b5", "b5", "b5")
        #expect(queue.pop() == "a5")
        push(["a5"], to: &queue, from: 10)
        #expect([queue.pop(), queue.pop(), queue.pop()] == ["b5", "b5", "a5"])
        push(["a5"], to: &queue, from: 11)
        #expect(takeAll(&queue) == ["b5", "a5"])
    }

    @Test func `what does not fit is refused, and alone everything fits`() {
        var queue = Queue(capacity: 10, capacityOfLine: 6)
        push(["a7"], to: &queue)
        #expect(push("a1", to: &queue, number: 1) == ["line"])
        #expect(push("b8", to: &queue, number: 2) == nil)
        #expect(push("b3", to: &queue, number: 3) == [])
        #expect(queue.cost == 10)
        #expect(takeAll(&queue) == ["a7", "b3"])
        #expect(push("a100", to: &queue, number: 4) == [])
        #expect(takeAll(&queue) == ["a100"])
    }

    @Test func `a few callers who fill the queue keep nobody else out`() {
        var queue = Queue(capacity: 16, capacityOfLine: 4)
        push(["a2", "a2", "b2", "b2", "c2", "c2", "d2", "d2"], to: &queue)
        #expect(push("e3", to: &queue, number: 8)?.count == 2)
        #expect(queue.cost == 15)
        // Nobody has less than the one who comes next would have.
        #expect(push("f6", to: &queue, number: 9) == nil)
        #expect(takeAll(&queue).contains("e3"))
    }

    @Test func `the newest work of the caller with the most gives way`() {
        var queue = Queue(capacity: 10, capacityOfLine: 10)
        push(["a3", "a3", "b2", "b2"], to: &queue)
        #expect(push("c1", to: &queue, number: 4) == ["a3"])
        #expect(queue.cost == 8)
        #expect(push("b3", to: &queue, number: 5) == nil)
        #expect(takeAll(&queue) == ["a3", "b2", "c1", "b2"])
    }

    @Test func `work that is taken back is not done and leaves its place`() {
        var queue = Queue(capacity: 6, capacityOfLine: 6)
        push(["a3", "a2", "b1"], to: &queue)
        #expect(queue.remove(number: 1, of: "b") == nil)
        #expect(queue.remove(number: 0, of: "a") == "a3")
        #expect(queue.remove(number: 0, of: "a") == nil)
        #expect(queue.cost == 3)
        push(["b3"], to: &queue, from: 3)
        #expect(takeAll(&queue) == ["a2", "b1", "b3"])
    }
}
