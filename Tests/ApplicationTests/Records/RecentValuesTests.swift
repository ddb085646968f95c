import Testing

@testable import Application

@Suite struct RecentValuesTests {
    @Test func `those that were not used for longest go first`() {
        var values = RecentValues<Int, String>(capacity: 100)
        for key in 0..<10 { values.insert("value \(key)", for: key, size: 10) }
        #expect(values.size == 100 && values.count == 10)
        #expect(values.value(for: 0) == "value 0")
        values.insert("new", for: 10, size: 10)
        #expect(values.value(for: 0) == "value 0")
        #expect(values.value(for: 1) == nil && values.value(for: 10) == "new")
        #expect(values.size <= 100)
    }

    @Test func `a value that is kept again counts once`() {
        var values = RecentValues<Int, String>(capacity: 100)
        for _ in 0..<50 { values.insert("same", for: 1, size: 40) }
        #expect(values.size == 40 && values.count == 1)
        values.insert("less", for: 1, size: 5)
        #expect(values.size == 5 && values.value(for: 1) == "less")
    }

    @Test func `what is greater than all of the memory is not kept, and nothing goes for it`() {
        var values = RecentValues<Int, String>(capacity: 100)
        values.insert("small", for: 1, size: 10)
        values.insert("great", for: 2, size: 101)
        #expect(values.value(for: 2) == nil && values.value(for: 1) == "small")
    }

    @Test func `whatever the order of uses, the memory holds no more than it may`() {
        var values = RecentValues<Int, Int>(capacity: 1_000)
        for number in 0..<2_000 {
            values.insert(number, for: (number * 7) % 61, size: 1 + number % 97)
            _ = values.value(for: (number * 13) % 61)
            #expect(values.size <= 1_000)
        }
    }
}
