import HTTP
import Observability
import Synchronization
import WebServer

/// The metrics of HTTP: responses by class of status, and how long requests take by route.
struct Traffic: Sendable {
    private let metrics: Metrics
    private let classes: [Counter]

    init(_ metrics: Metrics) {
        self.metrics = metrics
        classes = (2...5).map { digit in
            metrics.counter(
                "gradecast_http_responses_total", "HTTP responses by class of status, pages and refusals included",
                labels: ["class": "\(digit)xx"])
        }
    }

    /// Counts a response, whether or not it belongs to a route.
    func count(_ status: Status) {
        let index = status.code / 100 - 2
        if classes.indices.contains(index) { classes[index].add() }
    }

    /// Returns the metrics of a route. They appear in the report with the first request.
    func of(_ route: Route) -> RouteTraffic {
        RouteTraffic(method: route.method.description, route: route.pattern, metrics)
    }
}

/// How long the requests of one route take, by what they wait for and by status.
final class RouteTraffic: Sendable {
    /// What a request's time consists of.
    enum Form: CaseIterable {
        /// The work for its answer.
        case request
        /// Waiting for a change.
        case longPoll
        /// Opening a stream or a WebSocket, which then stays open.
        case stream
    }

    private struct Series {
        let form: Form
        let code: Int
        let durations: Histogram
    }

    private let method: String
    private let route: String
    private let metrics: Metrics
    // A route has few forms and statuses, so looking through a list is quickest.
    private let series = Mutex<[Series]>([])

    init(method: String, route: String, _ metrics: Metrics) {
        self.method = method
        self.route = route
        self.metrics = metrics
    }

    /// Counts an answered request.
    func observe(_ form: Form, _ status: Status, _ duration: Duration) {
        let durations = series.withLock { series in
            for index in series.indices where series[index].code == status.code && series[index].form == form {
                return series[index].durations
            }
            let new = metrics.histogram(
                form.name, form.help, labels: ["method": method, "route": route, "code": "\(status.code)"],
                bounds: form.bounds)
            series.append(Series(form: form, code: status.code, durations: new))
            return new
        }
        durations.observe(duration)
    }
}

extension RouteTraffic.Form {
    fileprivate var name: String {
        switch self {
        case .request: "http_request_duration_seconds"
        case .longPoll: "http_long_poll_duration_seconds"
        case .stream: "http_stream_opening_duration_seconds"
        }
    }

    fileprivate var help: String {
        switch self {
        case .request: "Time from a whole request to its answer, without long polls, streams and WebSockets"
        case .longPoll: "Time from a long poll to its answer, most of which it waits for a change"
        case .stream: "Time from a request to the head of the stream, or to the WebSocket, that answers it"
        }
    }

    fileprivate var bounds: [Duration] {
        switch self {
        case .request, .stream:
            [
                .microseconds(250), .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100),
                .milliseconds(500), .milliseconds(2_500), .seconds(10),
            ]
        case .longPoll: [.seconds(1), .seconds(10), .seconds(30), .seconds(60)]
        }
    }
}

extension Reply {
    /// The status with which the reply begins; `nil` while work decides on it.
    var status: Status? {
        switch self {
        case .response(let response), .stream(let response, _): response.status
        case .webSocket: Status(101)
        case .later, .waiting: nil
        }
    }
}
