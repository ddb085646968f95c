import Shared
import Testing

@Suite struct `Following the log of other nodes` {
    private let start = ContinuousClock.now

    @Test func `trusts for a while from the moment at which the read began`() {
        var reading = LogReading(at: 4, readAt: start)
        let outcome = reading.note([5, 7], readAt: start + .seconds(1))
        #expect(outcome.trustedUntil == start + .seconds(1) + LogReading.trust && !outcome.isLost)
        #expect(reading.place == 7)
        #expect(reading.note([], readAt: start + .seconds(2)).trustedUntil == start + .seconds(2) + LogReading.trust)
        #expect(reading.place == 7)
    }

    @Test func `trusts nothing before the end is read`() {
        var reading = LogReading(at: 0, readAt: start)
        #expect(reading.note(Array(1...LogReading.slice), readAt: start).trustedUntil == nil)
        #expect(reading.note([LogReading.slice + 1], readAt: start).trustedUntil != nil)
    }

    @Test func `is lost after a time in which entries may have been deleted`() {
        var reading = LogReading(at: 0, readAt: start)
        let away = LogReading.longestAbsence + .seconds(1)
        #expect(!reading.note([], readAt: start + LogReading.longestAbsence).isLost)
        #expect(reading.note([1], readAt: start + LogReading.longestAbsence + away).isLost)
        #expect(!reading.note([], readAt: start + LogReading.longestAbsence + away).isLost)
        #expect(.seconds(LogReading.kept) > LogReading.longestAbsence * 2)
    }
}

@Suite struct `The store's clock` {
    private func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }

    @Test func `is this machine's with the measured difference`() {
        var offset = ClockOffset()
        offset.measure(time(90_000_000), askedAt: time(30_000_000), answeredAt: time(30_002_000))
        #expect(offset.microseconds == 59_999_000)
        offset.measure(time(60_001_500), askedAt: time(0), answeredAt: time(2_000))
        #expect(offset.microseconds == 59_999_000, "within the error of the measurement")
        offset.measure(time(0), askedAt: time(60_000_000), answeredAt: time(60_000_000))
        #expect(offset.microseconds == -60_000_000)
    }

    @Test func `is left alone where both agree`() {
        var offset = ClockOffset()
        offset.measure(time(1_000_500), askedAt: time(1_000_000), answeredAt: time(1_000_400))
        #expect(offset == ClockOffset())
    }
}
