import Accounts
import Cryptography
import Deadlines
import GradingKit
import Institutions
import Records
import Shared

extension UseCaseError {
    /// Gives the domain's errors their codes, in this one place; `nil` for an unexpected error.
    public init?(_ error: any Error) {
        switch error {
        case let error as UseCaseError: self = error
        case let faults as FaultList: self = .invalid(faults)
        case let syntax as JSONSyntaxError: self = .malformed("\(syntax)")
        case let missing as EntryNotFound: self.init(.entryNotFound, "There is no entry \(missing.entry)")
        case let error as StoreError: self.init(store: error)
        case let error as AccountError: self.init(account: error)
        case let required as SecondFactorRequired: self.init(required)
        case let required as StepUpRequired:
            self.init("step_up_required")
            members["ways"] = .array(required.ways.map { .string($0.rawValue) })
            members["providers"] = .array(required.providers.map { .string($0.text) })
        case let required as EnrolmentRequired:
            self.init("enrolment_required")
            members["ways"] = required.enrolment.json
        case let limit as MailLimitReached: self = .rateLimited(retryAfter: limit.retryAfter)
        case is MembershipRefusal: self = .forbidden
        case let unreadable as RecordUnreadable: self = .notComputable(unreadable.reason)
        case is Undo.Nothing: self = .nothingToUndo
        case let superseded as Undo.Superseded:
            self.init("version_conflict", "It was changed again since")
            members["entry"] = .text(superseded.entry)
        case is DeadlinePassed: self = .deadlinePassed
        case is LeaseLost: self = .unavailable("The work is stopped, or goes on elsewhere")
        case is CancellationError: self = .unavailable("The request was given up")
        default: return nil
        }
    }

    private init(_ required: SecondFactorRequired) {
        self.init("second_factor_required")
        members["challenge"] = .string(required.challenge.text)
        members["ways"] = .array(required.ways.map { .string($0.rawValue) })
        members["expiresIn"] = .number(String(SignInChallenge.lifetime))
        if let page = required.returnTo { members["returnTo"] = .string(page) }
    }

    private init(store error: StoreError) {
        switch error {
        case .notFound: self = .notFound
        case .versionConflict(let current):
            self.init("version_conflict")
            members["current"] = [
                "e": .string(current.epoch.text), "v": .number(String(current.version)),
            ]
        case .moved: self = .unavailable("What the request rests on kept changing under it")
        case .idempotencyMismatch: self.init("idempotency_mismatch")
        case .taken(let field): self = .invalid(FaultList([Fault("taken", at: JSONPointer.step(field))]))
        case .full:
            self.init("storage_full")
            isRetryable = true
        // What the database says of it may hold statements and values: that is for the log.
        case .unavailable, .incompatible: self = .unavailable("The store does not answer; nothing was changed")
        }
    }

    private init(account error: AccountError) {
        switch error {
        case .refused: self.init("unauthenticated", "Login and password do not match")
        case .throttled(let seconds): self = .rateLimited(retryAfter: seconds)
        case .busy(let seconds): self = .unavailable("Too many sign-ins at once", retryAfter: seconds)
        case .providerUnavailable:
            self.init("provider_unavailable")
            isRetryable = true
            retryAfter = 5
        case .signUpClosed: self.init("forbidden", "Accounts are made by administrators here")
        }
    }
}
