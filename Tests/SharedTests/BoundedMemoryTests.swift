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
        #expect((0..<16).compactMap { memory[$0] } == (0..<16).map(String.init))
        memory.keep("16", for: 16, bytes: 10)
        #expect(memory[0] == nil)
        #expect((1...16).allSatisfy { memory[$0] != nil })
    }

    @Test func `counts what is replaced no more`() {
        var memory = memory()
        for _ in 0..<100 { memory.keep("new", for: 3, bytes: 10) }
        #expect(memory[3] == "new")
        #expect((0..<16).allSatisfy { memory[$0] != nil })
    }

    @Test func `forgets what it is told to, and takes it again`() {
        var memory = memory()
        for _ in 0..<100 {
            memory.forget(3)
            #expect(memory[3] == nil)
            memory.keep("again", for: 3, bytes: 10)
        }
        memory.forget(99)
        #expect(memory[3] == "again")
        #expect((0..<16).allSatisfy { memory[$0] != nil })
        memory.keep("16", for: 16, bytes: 10)
        #expect(memory[0] == nil)
        #expect(memory[3] == "again")
    }

    @Test func `keeps nothing that leaves hardly room for others, and loses what it replaces`() {
        var memory = memory()
        memory.keep("large", for: 3, bytes: 11)
        #expect(memory[3] == nil)
        var empty = BoundedMemory<Int, String>(capacity: 0)
        empty.keep("a", for: 1, bytes: 1)
        #expect(empty[1] == nil)
    }

    @Test func `keeps few keys of what was forgotten`() {
        var memory = memory()
        for key in 16..<10_000 {
            memory.keep("\(key)", for: key, bytes: 10)
            memory.forget(key)
        }
        #expect(memory.keyCount <= 16 + 257)
        #expect((0..<16).compactMap { memory[$0] }.count == 15, "one made room, when the first of them came")
        for key in 0..<16 { memory.keep("again", for: key, bytes: 10) }
        #expect((0..<16).allSatisfy { memory[$0] == "again" })
    }

    @Test func `stays bounded however many come`() {
        var memory = memory()
        for key in 16..<10_000 { memory.keep("\(key)", for: key, bytes: 10) }
        #expect((0..<10_000).filter { memory[$0] != nil } == Array(9_984..<10_000))
    }
}
