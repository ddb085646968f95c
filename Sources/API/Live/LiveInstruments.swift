import Observability

/// The metrics of the live service: its readers by the form of their connection, and how soon they learn of a commit.
struct LiveInstruments: Sendable {
    /// The form of a live connection.
    enum Form: String, CaseIterable {
        case webSocket = "websocket"
        case stream
        case longPoll = "poll"
    }

    private let readers: [Form: Gauge]
    private let pushLag: Histogram

    /// Registers the metrics.
    init(_ metrics: Metrics) {
        readers = Dictionary(
            uniqueKeysWithValues: Form.allCases.map { form in
                let gauge = metrics.gauge(
                    "gradecast_live_readers", "Live readers by the form of their connection",
                    labels: ["form": form.rawValue])
                return (form, gauge)
            })
        pushLag = metrics.histogram(
            "gradecast_push_lag_seconds", "Time from a commit until an event loop with readers begins to pass it on",
            bounds: [
                .microseconds(100), .microseconds(250), .milliseconds(1), .milliseconds(5), .milliseconds(25),
                .milliseconds(100), .milliseconds(500), .seconds(2),
            ])
    }

    /// Counts a reader that comes.
    func enter(_ form: Form) { readers[form]?.add(1) }

    /// Counts a reader that goes.
    func leave(_ form: Form) { readers[form]?.add(-1) }

    /// Notes that an event loop has begun to pass on what was committed at `instant`.
    func passedOn(since instant: ContinuousClock.Instant) { pushLag.observe(instant.duration(to: .now)) }
}
