import Observability
import Records
import Shared

/// How much work beside requests is not finished, as metrics.
struct JobBacklog: Sendable {
    private static let interval = Duration.seconds(10)

    private let store: any LeaseStore
    private let clock: WallClock
    private let open: [WorkKind: Gauge]
    private let oldest: [WorkKind: Gauge]

    init(_ store: any LeaseStore, metrics: Metrics, clock: WallClock) {
        self.store = store
        self.clock = clock
        func gauges(_ name: String, _ help: String) -> [WorkKind: Gauge] {
            WorkKind.allCases.reduce(into: [:]) {
                $0[$1] = metrics.gauge(name, help, labels: ["kind": $1.label])
            }
        }
        open = gauges("gradecast_jobs_open", "Due work beside requests that is not finished, by its kind")
        oldest = gauges(
            "gradecast_jobs_oldest_open_seconds", "Seconds for which the oldest of the work has been due that is open")
    }

    /// Counts until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            for kind in WorkKind.allCases {
                // Whatever fails is counted at the next look.
                guard let (count, since) = try? await store.openWork(of: kind, at: clock.now) else { continue }
                open[kind]?.set(count)
                let age = since.map { (clock.now.microseconds - $0.microseconds) / 1_000_000 } ?? 0
                oldest[kind]?.set(Int(max(0, age)))
            }
            try? await Task.sleep(for: Self.interval)
        }
    }
}

extension WorkKind {
    fileprivate var label: String {
        switch self {
        case .imports: "import"
        case .rehearsals: "rehearsal"
        case .bulkChanges: "bulk_change"
        }
    }
}
