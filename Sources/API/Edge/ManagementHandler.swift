import GradingKit
import HTTP
import Observability
import Profiling
import Transport
import WebServer

/// The responder of the management address: metrics, readiness in detail and profiles, for everyone who can reach that
/// address.
struct ManagementHandler: Responder {
    let door: FrontDoor
    let metrics: Metrics
    let readiness: Readiness
    let version: String
    /// Returns further members of the readiness document.
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
        case ["metrics"]: return .later { .response(finished(MetricsRoutes.response(metrics))) }
        case ["profile"]: return .later { .response(finished(await profile(request.target.query("seconds") ?? "10"))) }
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

    /// Returns a profile of the processor time of the next seconds.
    private func profile(_ seconds: String) async -> Response {
        guard let seconds = Int(seconds), (1...60).contains(seconds) else {
            return Problem.malformed("seconds is a number from 1 to 60").response(in: .english)
        }
        do throws(CPUProfiler.Failure) {
            let profile = try await CPUProfiler.profile(lasting: .seconds(seconds))
            return Response(.ok, type: "application/octet-stream", body: profile)
        } catch {
            let obstacle = error == .isBusy ? "Another profile is being taken" : "The system allows no profile"
            return Problem.unavailable(obstacle, retryAfter: 60).response(in: .english)
        }
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
