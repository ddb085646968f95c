import Glibc
import Observability
import Outbound

/// Shows the activity of a running server, from its metrics, once a second.
enum TopCommand: Command {
    static let name = "top"
    static let summary = "show what a running server does, live"
    static let usage = """
        gradecast top [ADDRESS:]PORT [--once]

        Reads the metrics at the management address of a server on this machine, which the server prints at its start, and
        shows once a second its readers, changes, delays, slowest routes, and what waits. ADDRESS is 127.0.0.1 unless given.

          --once   show one second, and end

        Ctrl+C ends it.
        """

    /// The time between two reports.
    private static let second = Duration.seconds(1)

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let isOnce = arguments.flag("--once")
        guard let place = arguments.word() else {
            throw UsageError("The management address of the server is missing.", of: name)
        }
        try arguments.finish()
        let address = try ManagementAddress(place, of: name)
        // The reader may close the output, and neither a request nor a slow terminal may delay a signal: there is
        // nothing to finish. The client's threads go on meanwhile, so libraries must not clean up after themselves.
        signal(SIGPIPE, SIG_DFL)
        Task {
            await stop.wait()
            _exit(0)
        }
        var before = try await report(of: address)
        repeat {
            try await Task.sleep(for: second)
            let now = try await report(of: address)
            let page = ServerPage(
                now.metrics, since: before.metrics, over: before.at.duration(to: now.at) / .seconds(1))
            let clear = !isOnce && isatty(STDOUT_FILENO) == 1 ? "\u{1B}[H\u{1B}[2J" : ""
            Console.say(clear + page.lines.joined(separator: "\n"))
            before = now
        } while !isOnce
        _exit(0)
    }

    private static func report(
        of address: ManagementAddress
    ) async throws -> (metrics: MetricReport, at: ContinuousClock.Instant) {
        let answer = try await address.get("/metrics")
        guard answer.status == 200 else { throw Failure("\(address.url(of: "/metrics")) answers \(answer.status).") }
        return (MetricReport(String(decoding: answer.body, as: UTF8.self)), .now)
    }
}

/// What a server did in the time between two reports, as lines of text.
struct ServerPage {
    private let now: MetricReport
    private let before: MetricReport
    private let seconds: Double

    /// Compares two reports that were taken `seconds` apart.
    init(_ now: MetricReport, since before: MetricReport, over seconds: Double) {
        self.now = now
        self.before = before
        self.seconds = max(seconds, 0.001)
    }

    var lines: [String] {
        let version = now.samples(of: "gradecast_build_info").first?.labels["version"] ?? "?"
        let forms = ["websocket", "stream", "poll"].map { form in
            "\(Self.number(now.total("gradecast_live_readers") { $0["form"] == form } ?? 0)) \(form)"
        }
        return [
            "Gradecast \(version.printable)",
            "readers    \(forms.joined(separator: ", "))",
            "changes    \(rate("gradecast_store_changes_total"))/s, commit \(times("gradecast_store_commit_seconds"))",
            "push       \(times("gradecast_push_lag_seconds"))",
            "requests   \(rate("http_request_duration_seconds_count"))/s, \(times("http_request_duration_seconds")), \(refusals)",
            "waiting    \(waiting)",
            "processor  \(rate("process_cpu_seconds_total")) cores, memory \(size("process_resident_memory_bytes"))",
            "disk       database \(size("gradecast_store_bytes")), free \(size("gradecast_store_free_bytes"))",
        ] + slowest
    }

    /// The routes whose requests took longest in that time, with the number of requests.
    private var slowest: [String] {
        let name = "http_request_duration_seconds"
        func route(_ labels: [String: String]) -> String { "\(labels["method"] ?? "") \(labels["route"] ?? "")" }
        let (new, old) = (now.split(by: route), before.split(by: route))
        let found = new.compactMap { route, report -> (route: String, time: Double, count: Double)? in
            let earlier = old[route] ?? MetricReport("")
            guard let time = report.bound(of: 0.99, in: name, since: earlier) else { return nil }
            return (route, time, report.rise(name + "_count", since: earlier))
        }
        let worst = found.sorted { ($0.time, $0.count, $1.route) > ($1.time, $1.count, $0.route) }.prefix(8)
        if worst.isEmpty { return [] }
        return ["", "slowest routes (99 % within)"]
            + worst.map {
                "  \(Self.time($0.time).padded(to: 9))\(Self.number($0.count / seconds))/s  \($0.route.printable)"
            }
    }

    private var refusals: String {
        let kinds = [("conflicts", ["409", "412"]), ("throttled", ["429"]), ("errors", ["500", "503", "507"])]
        return kinds.map { name, codes in
            let count = ["request", "long_poll", "stream_opening"].reduce(0) { sum, form in
                sum
                    + now.rise("http_\(form)_duration_seconds_count", since: before) { labels in
                        labels["code"].map(codes.contains) ?? false
                    }
            }
            return "\(name) \(Self.number(count))"
        }.joined(separator: ", ")
    }

    private var waiting: String {
        let kinds = [
            ("changes", "gradecast_store_waiting_writes"), ("calculations", "gradecast_calculations_waiting"),
            ("mails", "gradecast_mails_waiting"),
        ]
        return kinds.compactMap { name, metric in now.total(metric).map { "\(Self.number($0)) \(name)" } }
            .joined(separator: ", ")
    }

    private func rate(_ name: String) -> String { Self.number(now.rise(name, since: before) / seconds) }

    private func times(_ name: String) -> String {
        let found = [0.5, 0.99].map { now.bound(of: $0, in: name, since: before) }
        guard let half = found[0], let most = found[1] else { return "–" }
        return "half within \(Self.time(half)), 99 % within \(Self.time(most))"
    }

    private func size(_ name: String) -> String {
        guard var bytes = now.total(name), bytes.isFinite else { return "–" }
        var units = ["B", "kB", "MB", "GB", "TB"][...]
        while bytes >= 1_000, units.count > 1 {
            bytes /= 1_000
            units.removeFirst()
        }
        return "\(Self.number(bytes)) \(units.first ?? "")"
    }

    private static func number(_ value: Double) -> String {
        if value < 100, value != value.rounded() { return "\((value * 10).rounded() / 10)" }
        return Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)"
    }

    private static func time(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "longer" }
        return seconds < 1 ? "\(number(seconds * 1_000)) ms" : "\(number(seconds)) s"
    }
}
