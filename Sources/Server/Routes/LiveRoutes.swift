import GradingKit
import HTTP

/// Where live connections come in, as the API's description names them. The live endpoint answers before these do.
struct LiveRoutes: RouteGroup {
    var routes: [Route] {
        [
            .open(
                .get, "/v1/live", "Live updates over a WebSocket, subprotocol gradecast.live.v1", answers: 101,
                refuses: [.upgradeRequired, .forbidden, .tooManyConnections]
            ) { _ in
                throw Problem(.upgradeRequired, "malformed", "This address speaks WebSocket")
            },
            .open(
                .get, "/v1/live/events", "Live updates as server-sent events",
                reads: [LiveEndpoint.topic, LiveEndpoint.last, LiveEndpoint.lastEventID],
                media: ["text/event-stream"], refuses: [.notFound, .tooManyConnections]
            ) { _ in
                throw Problem.unavailable("No events here now")
            },
        ]
    }
}
