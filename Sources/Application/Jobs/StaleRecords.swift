public import GradingKit
public import Institutions
public import Observability
public import Records
import Shared
import Synchronization

/// A counter of stale records: those computed by another executable of their scheme than the one that runs now.
public final class StaleRecords: Sendable {
    private let browser: any RecordBrowser
    private let schemes: SchemeRegistry
    private let log: Log
    /// The latest counts by scheme.
    private let counts = Mutex<[SchemeIdentifier: Int]>([:])

    /// Creates a counter that publishes the latest counts as metrics.
    public init(browser: any RecordBrowser, schemes: SchemeRegistry, metrics: Metrics, log: Log) {
        self.browser = browser
        self.schemes = schemes
        self.log = log
        for scheme in schemes.schemes where scheme.executable != nil {
            metrics.gauge(
                "gradecast_stale_records",
                "Records computed by another executable of their scheme than the one that runs",
                labels: ["scheme": scheme.identifier.text]
            ) { [self] in Double(counts.withLock { $0[scheme.identifier] } ?? 0) }
        }
    }

    /// Returns the number in one program; `nil` if its scheme is built into the server.
    public func count(in program: Program) async throws -> Int? {
        guard let executable = schemes[SchemeIdentifier(program.scheme)]?.executable else { return nil }
        return try await browser.stale(in: program.id, besides: executable)
    }

    /// Counts stale records every ten seconds until the task is cancelled. Logs a warning at the start if there are
    /// any.
    public func run() async {
        guard schemes.schemes.contains(where: { $0.executable != nil }) else { return }
        for (scheme, executable, count) in await counted() where count > 0 {
            log.warning(
                "records were computed by another executable",
                ["scheme": .text(scheme.text), "runs": .text(executable.text), "records": .integer(count)])
        }
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(10))
            _ = await counted()
        }
    }

    private func counted() async -> [(SchemeIdentifier, SchemeExecutable, Int)] {
        var found: [(SchemeIdentifier, SchemeExecutable, Int)] = []
        for scheme in schemes.schemes {
            // Whatever fails is retried in ten seconds.
            guard let executable = scheme.executable,
                let count = try? await browser.stale(of: scheme.identifier.text, besides: executable)
            else { continue }
            counts.withLock { $0[scheme.identifier] = count }
            found.append((scheme.identifier, executable, count))
        }
        return found
    }
}
