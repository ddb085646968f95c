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

    private static func moment(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

    @Test func `a provider that fails is asked again after five seconds only`() async throws {
        let source = Source()
        let document = FetchedDocument { () throws(ProviderError) in try source.fetch() }
        for second in [0, 0, 1, 4] as [Int64] {
            await #expect(throws: ProviderError.unavailable("down")) {
                try await document.value(noOlderThan: 60, at: Self.moment(second))
            }
        }
        #expect(source.asked == 1)
        source.rise()
        await #expect(throws: ProviderError.unavailable("down")) {
            try await document.value(noOlderThan: 60, at: Self.moment(4))
        }
        #expect(try await document.value(noOlderThan: 60, at: Self.moment(5)) == 2)
        #expect(try await document.value(noOlderThan: 60, at: Self.moment(64)) == 2)
        #expect(try await document.value(noOlderThan: 60, at: Self.moment(65)) == 3)
    }

    @Test func `what is kept serves on while a provider fails`() async throws {
        let source = Source()
        source.rise()
        let document = FetchedDocument { () throws(ProviderError) in
            guard source.asked == 0 else { throw .unavailable("down") }
            return try source.fetch()
        }
        #expect(try await document.value(noOlderThan: 3_600, at: Self.moment(0)) == 1)
        await #expect(throws: ProviderError.self) { try await document.value(noOlderThan: 60, at: Self.moment(60)) }
        #expect(try await document.value(noOlderThan: 3_600, at: Self.moment(61)) == 1)
    }
}
