import Accounts
import GradingKit
import Shared
import Testing

@testable import Application

@Suite struct WriteRateTests {
    private let caller: AccountContext
    /// Ten changes a second, and three at once.
    private let rate = WriteRate(perSecond: 10, burst: 3)

    init() async throws { caller = try await ProgramHarness().caller("ada") }

    private func context(isLimited: Bool = true, milliseconds: Int64 = 0) throws -> AccountContext {
        try AccountContext(
            RequestContext(
                principal: caller.principal, client: Client(source: "192.0.2.1", isLimited: isLimited),
                language: .english, now: Timestamp(microseconds: milliseconds * 1_000)))
    }

    /// How many changes of a size are let through at one moment, of ten.
    private func passed(_ context: AccountContext, size: Int = 100) -> Int {
        (0..<10).prefix { _ in (try? rate.check(context, size: size)) != nil }.count
    }

    @Test func `so many changes pass at once, then one in each tenth of a second`() async throws {
        #expect(try passed(context()) == 3)
        #expect(try passed(context(milliseconds: 99)) == 0)
        #expect(try passed(context(milliseconds: 100)) == 1)
        let error = #expect(throws: UseCaseError.self) { try rate.check(context(milliseconds: 100), size: 100) }
        #expect(error?.code == "rate_limited" && error?.retryAfter == 1)
    }

    @Test func `long changes count for more`() throws {
        #expect(try passed(context(), size: 2 * 16_384) == 1)
    }

    @Test func `what a change turned out to cost delays the next`() throws {
        try rate.charge(context(), standing: 65_535)
        try rate.charge(context(), standing: 2 * 65_536)
        #expect(try passed(context()) == 1)
    }

    @Test func `a client that is not limited writes at any rate`() throws {
        try rate.charge(context(isLimited: false), standing: 1 << 24)
        #expect(try passed(context(isLimited: false), size: 1 << 20) == 10)
        #expect(try passed(context()) == 3)
    }
}
