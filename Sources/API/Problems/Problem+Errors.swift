import Application
import GradingKit
import HTTP
import WebServer

extension Problem {
    /// The one place where errors become answers. `nil` for one that was not expected: it is logged and answered 500.
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

    /// What the server itself refuses before any route is asked.
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
