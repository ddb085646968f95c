import Application
import GradingKit
import HTTP
import WebServer

extension Problem {
    /// Turns an error into a problem; no other code does. `nil` for an unexpected error, which is logged and answered
    /// 500.
    init?(_ error: any Error) {
        if let problem = error as? Problem {
            self = problem
        } else if let refusal = error as? LiveRefusal {
            self.init(refusal)
        } else if let error = UseCaseError(error) {
            self.init(error)
        } else {
            return nil
        }
    }

    /// Describes a request that the web server refused before it looked for a route.
    init(_ refusal: Refusal) {
        let code: FaultCode =
            switch refusal.status.code {
            case 408: "timeout"
            case 413, 414, 431: "too_large"
            case 429: "rate_limited"
            case 503: "unavailable"
            default: "malformed"
            }
        self.init(refusal.status, code, refusal.detail)
        error.isRetryable = [408, 429, 503].contains(refusal.status.code)
        if refusal.status.code == 429 || refusal.status.code == 503 { error.retryAfter = 1 }
    }
}
