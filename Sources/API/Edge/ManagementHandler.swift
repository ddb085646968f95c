import GradingKit
import HTTP
import Observability
import Transport
import WebServer

/// What operators and their tools see, on an address of its own: metrics, and readiness in detail. Who can reach that
/// address may see them.
struct ManagementHandler: Responder {
    let door: FrontDoor
    let metrics: Metrics
    let readiness: Readiness
    let version: String
    /// What else is worth knowing: members of the readiness document.
    let details: @Sendable () async -> JSONObject

    func bodyLimit(for head: RequestHead) -> Int { 0 }

    func respond(to request: Request, on loop: EventLoop) -> Reply {
        do {
            _ = try door.arrival(of: request)
        } catch {
            return refuse(Problem(error) ?? .forbidden)
        }
        guard request.method == .get || request.method == .head else {
            var problem = Problem(.methodNotAllowed, "method_not_allowed")
            problem.headers.set("Allow", "GET, HEAD")
            return refuse(problem)
        }
        switch request.target.segments {
        case ["healthz"]: return .response(finished(.json { $0.value(["status": "alive"]) }))
        case ["readyz"]: return .later { .response(finished(await ready())) }
        case ["metrics"]:
            let type = "text/plain; version=0.0.4; charset=utf-8"
            return .later { .response(finished(Response(.ok, type: type, body: metrics.text()))) }
        default: return refuse(.notFound)
        }
    }

    func response(to refusal: Refusal) -> Response { Problem(refusal).response(in: .english) }

    private func ready() async -> Response {
        let obstacle = await readiness.obstacle()
        var members = await details()
        members["status"] = obstacle == nil ? "ready" : "unready"
        members["obstacle"] = obstacle.map { .string($0) } ?? .null
        members["version"] = .string(version)
        return .json(obstacle == nil ? .ok : .serviceUnavailable) { $0.value(.object(members)) }
    }

    private func refuse(_ problem: Problem) -> Reply { .response(finished(problem.response(in: .english))) }

    private func finished(_ response: Response) -> Response {
        var response = response
        response.headers.set("X-Content-Type-Options", "nosniff")
        response.headers.set("Cache-Control", "no-store")
        response.headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        return response
    }
}
