import Testing

@testable import Server

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
            let refusal = queue.push(
                piece, number: number + place, cost: Int(piece.dropFirst()) ?? 0, of: String(piece.prefix(1)))
            #expect(refusal == nil)
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
        #expect(queue.push("first", number: 0, cost: 7, of: "a") == nil)
        #expect(queue.push("second", number: 1, cost: 1, of: "a") == .lineFull)
        #expect(queue.push("third", number: 2, cost: 4, of: "b") == .full)
        #expect(queue.push("fourth", number: 3, cost: 3, of: "b") == nil)
        #expect(queue.cost == 10)
        #expect([queue.pop(), queue.pop(), queue.pop()] == ["first", "fourth", nil])
        #expect(queue.push("fifth", number: 4, cost: 100, of: "a") == nil)
        #expect(queue.pop() == "fifth")
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
