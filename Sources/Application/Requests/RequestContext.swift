public import Accounts
public import Deadlines
public import GradingKit
public import Shared

/// What a use case knows of the request that calls it, independent of the protocol.
public struct RequestContext: Sendable {
    /// The caller.
    public internal(set) var principal: Principal
    /// The client's address, used by limits, throttles and the audit trail.
    public let client: Client
    /// The language of the answer.
    public let language: Language
    /// The time of the request.
    public let now: Timestamp
    /// The scope that a token needed for the request, which must still be granted at the time of a write; `nil` for
    /// none.
    public let scope: Scope?
    /// The time at which the caller stops waiting; `nil` for work that outlasts the request.
    public internal(set) var deadline: Deadline?
    /// The version that the change expects; `nil` for any.
    public var expectedVersion: Revision?
    /// The client's key for the request, which makes sure that it is carried out once.
    public var idempotencyKey: IdempotencyKey?

    /// Creates a request without conditions.
    public init(
        principal: Principal, client: Client, language: Language, now: Timestamp, under scope: Scope? = nil,
        deadline: Deadline? = nil
    ) {
        self.principal = principal
        self.client = client
        self.language = language
        self.now = now
        self.scope = scope
        self.deadline = deadline
    }

    /// Returns the actor for the audit trail; `reason` is in the caller's words.
    public func audit(because reason: String? = nil) -> AuditContext {
        AuditContext(by: principal.account, from: client.source, at: now, because: reason)
    }

    /// The caller to whom limits and queue turns apply: the account, or a guest's address.
    var asker: Asker { principal.account.map { .account($0) } ?? .address(client.source) }
}

/// The request of a caller with an account. A use case that needs an account takes this type and therefore cannot be
/// called for a guest.
public struct AccountContext: Sendable {
    /// The request.
    public private(set) var request: RequestContext
    /// The account that makes the request.
    public let account: AccountID

    /// Wraps a request.
    ///
    /// - Throws: `unauthenticated` for a guest.
    public init(_ request: RequestContext) throws(UseCaseError) {
        guard let account = request.principal.account else { throw .unauthenticated }
        self.request = request
        self.account = account
    }

    /// The caller.
    public var principal: Principal { request.principal }
    /// The client's address.
    public var client: Client { request.client }
    /// The language of the answer.
    public var language: Language { request.language }
    /// The time of the request.
    public var now: Timestamp { request.now }
    /// The version that the change expects; `nil` for any.
    public var expectedVersion: Revision? { request.expectedVersion }
    /// The client's key for the request.
    public var idempotencyKey: IdempotencyKey? { request.idempotencyKey }

    /// Returns the actor for the audit trail; `reason` is in the caller's words.
    public func audit(because reason: String? = nil) -> AuditContext { request.audit(because: reason) }

    /// Returns the actor under a permit: the store refuses the change if the permit's grounds have changed since.
    func audit(under permit: some Permit) -> AuditContext { audit().resting(on: permit.grounds.list) }

    /// Returns the same request with the account's current principal.
    func renewed(as principal: Principal) -> AccountContext {
        var renewed = self
        renewed.request.principal = principal
        return renewed
    }

    /// Returns the context for one piece of the work that the request orders. The piece may outlast the session, and
    /// the request's conditions do not apply to it.
    ///
    /// - Parameter key: identifies the piece, so that it is done once.
    func job(named key: IdempotencyKey?) -> AccountContext {
        var job = self
        if let owner = principal.acting { job.request.principal = .job(orderedBy: owner) }
        job.request.deadline = nil
        job.request.expectedVersion = nil
        job.request.idempotencyKey = key
        return job
    }
}
