import HTTP
import Observability
import WebServer

/// The route by which an administrator's program reads the server's metrics where it cannot reach the management
/// address.
struct MetricsRoutes: RouteGroup {
    let metrics: Metrics

    var routes: [Route] {
        [
            .download(
                "/v1/metrics", .administrator, "The server's metrics, in the text format of Prometheus",
                scope: .metrics, media: ["text/plain"]
            ) { _ in .response(Self.response(metrics)) }
        ]
    }

    /// Returns all metrics as a response.
    static func response(_ metrics: Metrics) -> Response {
        Response(.ok, type: "text/plain; version=0.0.4; charset=utf-8", body: metrics.text())
    }
}
