import Observability
import Testing

@Suite struct MetricsTests {
    private func text(_ metrics: Metrics) -> String { String(decoding: metrics.text(), as: UTF8.self) }

    @Test func `members of one name stand under one head`() {
        let metrics = Metrics()
        let accepted = metrics.counter("changes_total", "Changes.", labels: ["outcome": "accepted"])
        let refused = metrics.counter("changes_total", "Changes.", labels: ["outcome": "re\"fused\\\n"])
        accepted.add(2)
        refused.add()
        refused.add(-5)
        #expect(
            text(metrics) == """
                # HELP changes_total Changes.
                # TYPE changes_total counter
                changes_total{outcome="accepted"} 2
                changes_total{outcome="re\\"fused\\\\\\n"} 1

                """)
    }

    @Test func `a gauge rises, falls and is read where it lives`() {
        let metrics = Metrics()
        let connections = metrics.gauge("connections", "Open connections.")
        metrics.gauge("queue", "Waiting.") { 2.5 }
        connections.add(3)
        connections.add(-1)
        #expect(text(metrics).contains("\nconnections 2\n"))
        #expect(text(metrics).contains("\nqueue 2.5\n"))
    }

    @Test func `a histogram counts what is at or below each bound`() {
        let metrics = Metrics()
        let push = metrics.histogram("push_seconds", "Push.", bounds: [.milliseconds(1), .milliseconds(10)])
        for duration in [Duration.microseconds(1_000), .microseconds(1_001), .seconds(-1), .seconds(2)] {
            push.observe(duration)
        }
        #expect(
            text(metrics).hasSuffix(
                """
                push_seconds_bucket{le="0.001"} 2
                push_seconds_bucket{le="0.01"} 3
                push_seconds_bucket{le="+Inf"} 4
                push_seconds_sum 2.002001
                push_seconds_count 4

                """))
    }

    @Test func `counting from many tasks loses nothing`() async {
        let counter = Metrics().counter("n_total", "N.")
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { counter.add() } } }
        }
        #expect(counter.value == 8_000)
    }

    @Test func `the process shows memory, time and descriptors`() {
        let metrics = Metrics()
        metrics.registerProcess()
        for name in ["process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"] {
            #expect(!text(metrics).contains("\n\(name) 0\n"))
            #expect(text(metrics).contains("\n\(name) "))
        }
    }

    @Test func `a report is read as it was written`() throws {
        let metrics = Metrics()
        metrics.counter("changes_total", "Changes.", labels: ["who": "a \"b\" \\ c\nd", "how": "x"]).add(7)
        let pushes = metrics.histogram("push_seconds", "Push.", bounds: [.milliseconds(1), .milliseconds(10)])
        let before = MetricReport(text(metrics))
        for duration in [Duration.microseconds(1), .milliseconds(2), .milliseconds(3), .seconds(1)] {
            pushes.observe(duration)
        }
        let now = MetricReport(text(metrics) + "no sample\nnor{this\nodd{x} 1\nodd{y=} 2\n\n")
        let changes = try #require(now.samples(of: "changes_total").first)
        #expect(changes.labels == ["who": "a \"b\" \\ c\nd", "how": "x"])
        #expect(now.total("changes_total") { $0["how"] == "x" } == 7)
        #expect(now.total("changes_total") { $0["how"] == "y" } == nil)
        #expect(now.rise("push_seconds_count", since: before) == 4)
        #expect(before.rise("push_seconds_count", since: now) == 0)
        #expect(now.bound(of: 0.25, in: "push_seconds", since: before) == 0.001)
        #expect(now.bound(of: 0.75, in: "push_seconds", since: before) == 0.01)
        #expect(now.bound(of: 0.99, in: "push_seconds", since: before) == .infinity)
        #expect(now.bound(of: 0.5, in: "push_seconds", since: now) == nil)
    }
}
