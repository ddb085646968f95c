import Chalkboard
import GradingKit
import Observability
import SQLiteStore
import Shared
import TestKit
import Testing

@testable import Application

@Suite struct StaleRecordsTests {
    @Test func `the records of a scheme that is part of the server are never stale, and nothing is counted`()
        async throws
    {
        let harness = try await ProgramHarness()
        _ = try await harness.record(total: 80)
        var schemes = SchemeRegistry()
        try schemes.install(InstalledScheme(Chalkboard.self))
        let (metrics, lines) = (Metrics(), Recorder<String>())
        let output = LogOutput(form: .json, time: { "now" }) { lines.record(String(decoding: $0, as: UTF8.self)) }
        let stale = StaleRecords(
            browser: harness.store, schemes: schemes, metrics: metrics, log: Log(level: .info, output: output))
        #expect(try await stale.count(in: harness.current()) == nil)
        // Without a scheme in a process of its own there is nothing to go on counting for.
        await stale.run()
        #expect(lines.items.isEmpty)
        #expect(metrics.text().isEmpty)
    }
}
