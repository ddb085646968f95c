import Testing

@testable import Live

@Suite struct SubscriberTests {
    @Test func `a name is never used twice`() {
        var table = SubscriberTable<SubscriberID>()
        let first = table.reserve()
        table[first] = first
        table.remove(first)
        let second = table.reserve()
        #expect(table[second] == nil)
        table[second] = second
        table[first] = first
        #expect(first != second)
        #expect(table[first] == nil)
        #expect(table[second] == second)
        table.remove(first)
        #expect(table.count == 1)
    }

    @Test func `a list is a sorted set`() {
        var table = SubscriberTable<SubscriberID>()
        let ids = (0..<50).map { _ in table.reserve() }
        var list = SubscriberList.none
        for index in (0..<50).map({ $0 * 7 % 50 }) { list.insert(ids[index]) }
        for id in ids { list.insert(id) }
        #expect(list.elements == ids)
        for index in stride(from: 0, to: 50, by: 2) { list.remove(ids[index]) }
        list.remove(ids[0])
        #expect(list.elements == stride(from: 1, to: 50, by: 2).map { ids[$0] })
        for id in ids { list.remove(id) }
        #expect(list.isEmpty)
        #expect(list.element(at: 0) == nil)
    }

    @Test func `a queue keeps its order over many turns`() {
        var queue = Queue<Int>()
        var next = 0
        for number in 0..<10_000 {
            queue.append(number)
            if number % 3 != 0 {
                #expect(queue.popFirst() == next)
                next += 1
            }
        }
        #expect(queue.count == 10_000 - next)
        while let number = queue.popFirst() {
            #expect(number == next)
            next += 1
        }
        #expect(next == 10_000 && queue.isEmpty && queue.first == nil)
    }
}
