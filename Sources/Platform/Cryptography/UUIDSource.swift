private import Synchronization

/// Makes UUIDs of version 7 (RFC 9562): 48 bits of milliseconds, a 12-bit counter, 62 random bits.
///
/// Each is greater than the one before it, even within a millisecond and when the clock steps back.
public final class UUIDSource: Sendable {
    private struct Position {
        var milliseconds: UInt64 = 0
        var counter: UInt64 = 0
    }

    private let milliseconds: @Sendable () -> Int64
    private let random: RandomSource
    private let position = Mutex(Position())

    /// Creates a source from a clock, in milliseconds since 1970, and a source of randomness.
    public init(milliseconds: @escaping @Sendable () -> Int64, random: RandomSource = .system) {
        self.milliseconds = milliseconds
        self.random = random
    }

    /// Returns the next UUID, `018f…-7…-…`, 36 characters.
    public func next() -> String {
        let entropy = random.bytes(10)
        let word = entropy.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        // The counter starts in its lower half, which leaves room to count within the millisecond.
        let start = entropy.prefix(2).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) } & 0x7FF
        let now = UInt64(max(0, milliseconds()))
        let (time, counter) = position.withLock { position in
            if now > position.milliseconds {
                position = Position(milliseconds: now, counter: start)
            } else if position.counter < 0xFFF {
                position.counter += 1
            } else {
                position = Position(milliseconds: position.milliseconds &+ 1, counter: start)
            }
            return (position.milliseconds, position.counter)
        }
        return UUIDSource.text(high: time << 16 | 0x7000 | counter, low: 1 << 63 | word & (1 << 62 - 1))
    }

    private static func text(high: UInt64, low: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
            let word = index < 16 ? high : low
            text.append(digits[Int(word >> UInt64(60 - index % 16 * 4) & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
