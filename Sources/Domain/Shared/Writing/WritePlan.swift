/// The effect of one write, decided by the domain from the rows that the store found. The store applies all of it in
/// one transaction, or nothing.
///
/// `Change` is a change of the rows of one part of the domain. The other properties are common to all parts.
public struct WritePlan<Change: Sendable, Value: Sendable>: Sendable {
    /// The access versions that the permission for the write depends on. The transaction compares them with the stored
    /// ones, and stores nothing if one has changed.
    public var grounds: [AccessGround]
    /// The unique values that this write claims.
    public var claims: [UniqueClaim]
    /// The changes of rows, in order.
    public var changes: [Change]
    /// The rows of the audit trails, in order.
    public var audit: [AuditEntry]
    /// The subjects that may give fewer permissions than before: permissions that depend on them become void.
    public var voided: [AccessSubject]
    /// The subjects whose displayed data changes, such as a title, so that caches read them again.
    public var altered: [AccessSubject]
    /// The events to publish after the commit.
    public var events: [StoreEvent]
    /// The mails that report the change, to be queued with it.
    public var mails: [Mail]
    /// The answer to store under the client's key; ``KeptAnswer/admitted(besides:)`` decides whether it may be stored.
    public var kept: KeptAnswer?
    /// The result for the caller.
    public let value: Value

    /// Creates a plan.
    public init(
        under grounds: [AccessGround] = [], claims: [UniqueClaim] = [], _ changes: [Change], audit: [AuditEntry] = [],
        voided: [AccessSubject] = [],
        altered: [AccessSubject] = [], events: [StoreEvent] = [], mails: [Mail] = [], kept: KeptAnswer? = nil,
        value: Value
    ) {
        self.grounds = grounds
        self.claims = claims
        self.changes = changes
        self.audit = audit
        self.voided = voided
        self.altered = altered
        self.events = events
        self.mails = mails
        self.kept = kept
        self.value = value
    }
}

extension WritePlan where Value == Void {
    /// Creates a plan without a result.
    public init(
        under grounds: [AccessGround] = [], claims: [UniqueClaim] = [], _ changes: [Change], audit: [AuditEntry] = [],
        voided: [AccessSubject] = [],
        altered: [AccessSubject] = [], events: [StoreEvent] = [], mails: [Mail] = [], kept: KeptAnswer? = nil
    ) {
        self.init(
            under: grounds, claims: claims, changes, audit: audit, voided: voided, altered: altered, events: events,
            mails: mails,
            kept: kept, value: ())
    }
}

/// A claim on a value that only one object may have. The store finds who has the value; the claim decides.
public struct UniqueClaim: Sendable, Equatable {
    /// The kind of such a value.
    public enum Kind: String, Sendable, CaseIterable {
        /// The login of an account.
        case login
        /// The slug of an institution.
        case slug
    }

    /// The kind of the value.
    public let kind: Kind
    /// The value.
    public let value: String
    /// The identifier of the object that claims it.
    public let owner: String

    /// Creates a claim.
    public init(_ kind: Kind, _ value: String, for owner: String) {
        self.kind = kind
        self.value = value
        self.owner = owner
    }

    /// Throws ``StoreError/taken(field:)`` if another object has the value.
    public func check(holder: String?) throws(StoreError) {
        if let holder, holder != owner { throw .taken(field: kind.rawValue) }
    }
}
