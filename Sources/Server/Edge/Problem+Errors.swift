import Accounts
import GradingKit
import HTTP
import Institutions
import Records
import Shared
import WebServer

extension Problem {
    /// The one place where errors become answers. `nil` for one that nobody expected: it is logged and answered 500.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let faults as FaultList: self = .invalid(faults)
        case let syntax as JSONSyntaxError: self = .malformed("\(syntax)")
        case let missing as EntryNotFound:
            self.init(.notFound, "entry_not_found", "There is no entry \(missing.entry)")
        case let error as StoreError: self.init(store: error)
        case let error as AccountError: self.init(account: error)
        case is MembershipRefusal: self = .forbidden
        case let refusal as LiveRefusal: self.init(refusal)
        case let unreadable as RecordUnreadable:
            self.init(.serviceUnavailable, "not_computable", unreadable.reason)
        case let superseded as Undo.Superseded:
            self.init(.conflict, "version_conflict", "It was changed again since")
            members["entry"] = .text(superseded.entry)
        case is CancellationError: self = .unavailable("The request was given up")
        default: return nil
        }
    }

    private init(store error: StoreError) {
        switch error {
        case .notFound: self = .notFound
        case .versionConflict(let current):
            self.init(.conflict, "version_conflict")
            members["current"] = [
                "e": .string(current.epoch.text), "v": .number(String(current.version)),
            ]
        case .moved: self = .unavailable("The record kept changing under the request")
        case .idempotencyMismatch: self.init(.unprocessableContent, "idempotency_mismatch")
        case .taken(let field): self = .invalid(FaultList([Fault("taken", at: JSONPointer.step(field))]))
        case .full:
            self.init(.insufficientStorage, "storage_full")
            isRetryable = true
        case .unavailable(let why), .incompatible(let why): self = .unavailable(why)
        }
    }

    private init(account error: AccountError) {
        switch error {
        case .refused: self.init(.unauthorized, "unauthenticated", "Login and password do not match")
        case .throttled(let seconds): self = .rateLimited(retryAfter: seconds)
        case .busy(let seconds): self = .unavailable("Too many sign-ins at once", retryAfter: seconds)
        case .signUpClosed: self.init(.forbidden, "forbidden", "Accounts are made by administrators here")
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
        isRetryable = [408, 429, 503].contains(refusal.status.code)
        if refusal.status.code == 429 || refusal.status.code == 503 { retryAfter = 1 }
    }
}
