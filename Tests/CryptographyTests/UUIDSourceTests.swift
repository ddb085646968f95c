import Cryptography
import Synchronization
import Testing

@Suite struct UUIDSourceTests {
    @Test func `the parts stand where RFC 9562 puts them`() {
        let source = UUIDSource(
            milliseconds: { 0x017F_22E2_79B0 }, random: RandomSource { Array(repeating: 0xFF, count: $0) })
        #expect(source.next() == "017f22e2-79b0-77ff-bfff-ffffffffffff")
    }

    @Test func `each is greater than the one before, also when the clock steps back`() {
        let clock = Mutex<Int64>(1_000_000)
        let source = UUIDSource(milliseconds: {
            clock.withLock {
                $0 += $0 % 3 == 0 ? -5 : 1
                return $0
            }
        })
        let made = (0..<10_000).map { _ in source.next() }
        #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `one does not tell the next, even of the same millisecond`() {
        let source = UUIDSource(milliseconds: { 1 })
        let ends = (0..<1_000).compactMap { _ in UInt64(source.next().suffix(12), radix: 16) }
        #expect(Set(ends).count == 1_000)
        #expect(Set(zip(ends, ends.dropFirst()).map { $1 &- $0 }).count > 990)
    }

    @Test func `a clock before 1970 is no trap`() {
        #expect(UUIDSource(milliseconds: { -1 }).next().hasPrefix("00000000-000"))
    }
}
