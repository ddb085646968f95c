import Accounts
import Forms
import GradingKit
import HTTP
import Synchronization

/// Routes for machines: whether the server is alive, whether it is ready, and what its API is. The management address
/// tells why it is not ready, and how it is doing.
struct HealthRoutes: RouteGroup {
    let readiness: Readiness
    /// The routes that the OpenAPI document describes, besides these.
    let described: [Route]
    let version: String

    var routes: [Route] {
        let document = WrittenOnce {
            OpenAPI(routes: described + probes + [description { [] }], version: version).json
        }
        return probes + [description { document.bytes }]
    }

    private func description(_ document: @escaping @Sendable () -> [UInt8]) -> Route {
        .open(.get, "/openapi.json", "This API, described", scope: .any, .object) { _ in
            var response = Response.json(bytes: document())
            response.isBodyKept = true
            return response
        }.serving(.everybody)
    }

    private var probes: [Route] {
        let alive = Response.json { writer in
            writer.object { writer in
                writer.member("status", "alive")
                writer.member("version", version)
            }
        }.body
        return [
            .open(
                .get, "/healthz", "Whether the process is alive", scope: .any,
                .document("Health", ["status": .text, "version": .text])
            ) { _ in
                .json(bytes: alive)
            }.serving(.everybody),
            .open(
                .get, "/readyz", "Whether it takes requests: the store is writable and nothing drains", scope: .any,
                .document("Readiness", ["status": .text])
            ) { _ in
                guard await readiness.obstacle() == nil else { throw Problem.unavailable("The server is not ready") }
                return .json { $0.value(["status": "ready"]) }
            }.serving(.everybody),
        ]
    }
}

/// Whether the server can take requests.
public struct Readiness: Sendable {
    /// Returns what prevents the server from taking requests; `nil` if nothing does.
    public let obstacle: @Sendable () async -> String?

    /// Creates a probe.
    public init(_ obstacle: @escaping @Sendable () async -> String?) { self.obstacle = obstacle }
}

/// A document that is written when it is first asked for, so that a start does not wait for it.
private final class WrittenOnce: Sendable {
    private let written = Mutex<[UInt8]?>(nil)
    private let write: @Sendable () -> [UInt8]

    init(_ write: @escaping @Sendable () -> [UInt8]) { self.write = write }

    var bytes: [UInt8] {
        written.withLock { written in
            if let written { return written }
            let bytes = write()
            written = bytes
            return bytes
        }
    }
}
