import Accounts
import Shared
import Synchronization
import Testing

@testable import OpenIDConnect

@Suite struct FetchedDocumentTests {
    /// A provider that answers, or does not, and counts how often it was asked.
    private final class Source: Sendable {
        private let state = Mutex((asked: 0, isUp: false))

        var asked: Int { state.withLock { $0.asked } }
        func rise() { state.withLock { $0.isUp = true } }

        func fetch() throws(ProviderError) -> Int {
            let (asked, isUp) = state.withLock { state in
                state.asked += 1
                return state
            }
            guard isUp else { throw .unavailable("down") }
            return asked
        }
    }

    /// A clock that tests set, in seconds.
    private final class Clock: Sendable {
        private let seconds = Mutex<Int64>(0)

        func set(_ value: Int64) { seconds.withLock { $0 = value } }
        var clock: WallClock { WallClock { Timestamp(microseconds: self.seconds.withLock { $0 } * 1_000_000) } }
    }

    @Test func `a provider that fails is asked again after five seconds only`() async throws {
        let (source, time) = (Source(), Clock())
        let document = FetchedDocument(clock: time.clock) { () throws(ProviderError) in try source.fetch() }
        for second in [0, 0, 1, 4] as [Int64] {
            time.set(second)
            await #expect(throws: ProviderError.unavailable("down")) { try await document.value(noOlderThan: 60) }
        }
        #expect(source.asked == 1)
        source.rise()
        await #expect(throws: ProviderError.unavailable("down")) { try await document.value(noOlderThan: 60) }
        for (second, wanted) in [(5, 2), (64, 2), (65, 3)] as [(Int64, Int)] {
            time.set(second)
            #expect(try await document.value(noOlderThan: 60) == wanted)
        }
    }

    @Test func `the pause begins when the attempt has failed, however long it took`() async throws {
        let (source, time) = (Source(), Clock())
        let document = FetchedDocument(clock: time.clock) { () throws(ProviderError) in
            time.set(8)
            return try source.fetch()
        }
        await #expect(throws: ProviderError.unavailable("down")) { try await document.value(noOlderThan: 60) }
        source.rise()
        time.set(12)
        await #expect(throws: ProviderError.unavailable("down")) { try await document.value(noOlderThan: 60) }
        #expect(source.asked == 1)
        time.set(13)
        #expect(try await document.value(noOlderThan: 60) == 2)
    }

    @Test func `what is kept serves on while a provider fails`() async throws {
        let (source, time) = (Source(), Clock())
        source.rise()
        let document = FetchedDocument(clock: time.clock) { () throws(ProviderError) in
            guard source.asked == 0 else { throw .unavailable("down") }
            return try source.fetch()
        }
        #expect(try await document.value(noOlderThan: 3_600) == 1)
        time.set(60)
        await #expect(throws: ProviderError.self) { try await document.value(noOlderThan: 60) }
        time.set(61)
        #expect(try await document.value(noOlderThan: 3_600) == 1)
    }
}
