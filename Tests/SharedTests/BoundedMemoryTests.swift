@testable import Shared
import Testing

@Suite struct `A bounded memory` {
    private func memory() -> BoundedMemory<Int, String> {
        var memory = BoundedMemory<Int, String>(capacity: 160)
        for key in 0..<16 { memory.keep("\(key)", for: key, bytes: 10) }
        return memory
    }

    @Test func `holds what was kept last`() {
        var memory = memory()
        #expect((0..<16).compactMap { memory.value(for: $0) } == (0..<16).map(String.init))
        memory.keep("16", for: 16, bytes: 10)
        #expect(memory.value(for: 0) == nil)
        #expect((1...16).allSatisfy { memory.value(for: $0) != nil })
    }

    @Test func `counts what is replaced no more`() {
        var memory = memory()
        for _ in 0..<100 { memory.keep("new", for: 3, bytes: 10) }
        #expect(memory.value(for: 3) == "new")
        #expect((0..<16).allSatisfy { memory.value(for: $0) != nil })
    }

    @Test func `forgets what it is told to, and takes it again`() {
        var memory = memory()
        for _ in 0..<100 {
            memory.forget(3)
            #expect(memory.value(for: 3) == nil)
            memory.keep("again", for: 3, bytes: 10)
        }
        memory.forget(99)
        #expect(memory.value(for: 3) == "again")
        #expect((0..<16).allSatisfy { memory.value(for: $0) != nil })
        memory.keep("16", for: 16, bytes: 10)
        #expect(memory.value(for: 0) == nil)
        #expect(memory.value(for: 3) == "again")
    }

    @Test func `keeps nothing that leaves hardly room for others, and loses what it replaces`() {
        var memory = memory()
        memory.keep("large", for: 3, bytes: 11)
        #expect(memory.value(for: 3) == nil)
        var empty = BoundedMemory<Int, String>(capacity: 0)
        empty.keep("a", for: 1, bytes: 1)
        #expect(empty.value(for: 1) == nil)
    }

    @Test func `keeps few keys of what was forgotten`() {
        var memory = memory()
        for key in 16..<10_000 {
            memory.keep("\(key)", for: key, bytes: 10)
            memory.forget(key)
        }
        #expect(memory.keyCount <= 16 + 257)
        #expect((0..<16).compactMap { memory.value(for: $0) }.count == 15, "one made room, when the first of them came")
        for key in 0..<16 { memory.keep("again", for: key, bytes: 10) }
        #expect((0..<16).allSatisfy { memory.value(for: $0) == "again" })
    }

    @Test func `spares what was used, once for each time it is old`() {
        var memory = memory()
        #expect(memory.value(for: 0) == "0")
        memory.keep("16", for: 16, bytes: 10)
        #expect(memory.value(for: 1) == nil, "the oldest that was not used made room")
        for key in 17..<31 { memory.keep("\(key)", for: key, bytes: 10) }
        #expect(memory.value(for: 0) == "0")
        for key in 32..<64 { memory.keep("\(key)", for: key, bytes: 10) }
        #expect(memory.value(for: 0) == nil, "it was old twice since it was used")
    }

    @Test func `spares only so many at a time`() {
        var memory = BoundedMemory<Int, Int>(capacity: 10_000)
        for key in 0..<1_000 { memory.keep(key, for: key, bytes: 10) }
        #expect((0..<1_000).allSatisfy { memory.value(for: $0) == $0 })
        memory.keep(1_000, for: 1_000, bytes: 10)
        #expect((0...1_000).filter { memory.value(for: $0) == nil } == [64])
    }

    @Test func `takes values of any size that it is made for, and lets nothing go for greater ones`() {
        var memory = BoundedMemory<Int, String>(capacity: 100, largest: 100)
        memory.keep("small", for: 1, bytes: 10)
        memory.keep("too great", for: 2, bytes: 101)
        #expect(memory.value(for: 2) == nil && memory.value(for: 1) == "small")
        memory.keep("great", for: 3, bytes: 100)
        #expect(memory.value(for: 3) == "great" && memory.value(for: 1) == nil && memory.bytes == 100)
        memory.keep("less", for: 3, bytes: 5)
        #expect(memory.value(for: 3) == "less" && memory.bytes == 5)
    }

    @Test func `holds no more than it may, whatever the order of uses`() {
        var memory = BoundedMemory<Int, Int>(capacity: 1_000, largest: 1_000)
        for number in 0..<20_000 {
            memory.keep(number, for: (number * 7) % 61, bytes: 1 + number % 97)
            _ = memory.value(for: (number * 13) % 61)
            if number % 5 == 0 { memory.forget((number * 17) % 61) }
            #expect(memory.bytes <= 1_000)
        }
        for key in 0..<61 { memory.forget(key) }
        #expect(memory.bytes == 0)
    }

    @Test func `stays bounded however many come`() {
        var memory = memory()
        for key in 16..<10_000 { memory.keep("\(key)", for: key, bytes: 10) }
        #expect((0..<10_000).filter { memory.value(for: $0) != nil } == Array(9_984..<10_000))
    }
}
