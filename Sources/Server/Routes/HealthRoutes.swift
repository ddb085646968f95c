import Accounts
import GradingKit
import HTTP
import Observability

/// What operators and machines ask: is it alive, is it ready, how is it doing, what can it do.
struct HealthRoutes: RouteGroup {
    let metrics: Metrics
    let readiness: Readiness
    /// The routes that the OpenAPI document describes, besides these.
    let described: [Route]
    let version: String

    var routes: [Route] {
        let all = described + probes + [description([])]
        return probes + [description(OpenAPI(routes: all, version: version).json)]
    }

    private func description(_ document: [UInt8]) -> Route {
        .open(.get, "/openapi.json", "This API, described") { _ in .json(bytes: document) }
    }

    private var probes: [Route] {
        [
            .open(.get, "/healthz", "Whether the process is alive") { _ in
                .json { $0.value(["status": "alive", "version": .string(version)]) }
            },
            .open(.get, "/readyz", "Whether it takes requests: the store is writable and nothing drains") { _ in
                if let obstacle = await readiness.obstacle() { throw Problem.unavailable(obstacle) }
                return .json { $0.value(["status": "ready"]) }
            },
            .open(.get, "/metrics", "Prometheus metrics, for loopback and administrators") { call in
                guard call.request.peer.isLoopback || call.principal.signedIn?.isAdministrator == true else {
                    throw Problem.notFound
                }
                return Response(.ok, type: "text/plain; version=0.0.4; charset=utf-8", body: metrics.text())
            },
        ]
    }
}

/// Whether the server can take requests.
public struct Readiness: Sendable {
    /// What stands in the way; `nil` for nothing.
    public let obstacle: @Sendable () async -> String?

    /// A probe.
    public init(_ obstacle: @escaping @Sendable () async -> String?) { self.obstacle = obstacle }
}
