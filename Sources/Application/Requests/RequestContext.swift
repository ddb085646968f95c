public import Accounts
public import Deadlines
public import GradingKit
public import Shared

/// What a use-case knows of the request that asks for it, whichever way it came.
public struct RequestContext: Sendable {
    /// Who asks.
    public internal(set) var principal: Principal
    /// From where: what limits, throttles and the audit trail go by.
    public let client: Client
    /// The language of the answer.
    public let language: Language
    /// When it was asked.
    public let now: Timestamp
    /// The scope that a token needed for it, which must still be open when something is written; `nil` for none.
    public let scope: Scope?
    /// When the caller stops waiting; `nil` for work that outlasts the request.
    public internal(set) var deadline: Deadline?
    /// The version that the change rests on; `nil` for any.
    public var expectedVersion: Revision?
    /// The client's name for the request, so that it is carried out once.
    public var idempotencyKey: IdempotencyKey?

    /// A request without conditions.
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

    /// Who acts, for the audit trail; `reason` is in the words of the caller.
    public func audit(because reason: String? = nil) -> AuditContext {
        AuditContext(by: principal.account, from: client.source, at: now, because: reason)
    }

    /// For whom limits and turns count: the account, or the address of a guest.
    var asker: Asker { principal.account.map { .account($0) } ?? .address(client.source) }
}

/// The request of a caller with an account. A use-case that needs an account takes one of these, so that it cannot be
/// called for a guest.
public struct AccountContext: Sendable {
    /// The request.
    public private(set) var request: RequestContext
    /// The account that acts.
    public let account: AccountID

    /// Throws `unauthenticated` for a guest.
    public init(_ request: RequestContext) throws(UseCaseError) {
        guard let account = request.principal.account else { throw .unauthenticated }
        self.request = request
        self.account = account
    }

    /// Who asks.
    public var principal: Principal { request.principal }
    /// From where.
    public var client: Client { request.client }
    /// The language of the answer.
    public var language: Language { request.language }
    /// When it was asked.
    public var now: Timestamp { request.now }
    /// The version that the change rests on; `nil` for any.
    public var expectedVersion: Revision? { request.expectedVersion }
    /// The client's name for the request.
    public var idempotencyKey: IdempotencyKey? { request.idempotencyKey }

    /// Who acts, for the audit trail; `reason` is in the words of the caller.
    public func audit(because reason: String? = nil) -> AuditContext { request.audit(because: reason) }

    /// The same request by the same account, looked up again.
    func renewed(as principal: Principal) -> AccountContext {
        var renewed = self
        renewed.request.principal = principal
        return renewed
    }

    /// One piece of the work that the request orders. It may outlast the session, and the request's own conditions do
    /// not apply to it.
    ///
    /// - Parameter key: what the piece itself is known by, so that it is done once.
    func job(named key: IdempotencyKey?) -> AccountContext {
        var job = self
        if let owner = principal.acting { job.request.principal = .job(orderedBy: owner) }
        job.request.deadline = nil
        job.request.expectedVersion = nil
        job.request.idempotencyKey = key
        return job
    }
}
