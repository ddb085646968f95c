/// What one write does, decided by the domain from the rows that a store has found: the store applies all of it in one
/// transaction, or nothing.
///
/// `Change` is a change of the rows of one part of the domain. What every part has in common stands beside them.
public struct WritePlan<Change: Sendable, Value: Sendable>: Sendable {
    /// What the permission for the write rests on, compared with the stored access versions in the write's transaction: of
    /// a permission that was taken away nothing is stored.
    public var grounds: [AccessGround]
    /// Values that no two things may have, claimed by this write.
    public var claims: [UniqueClaim]
    /// Changes of rows, in their order.
    public var changes: [Change]
    /// Lines of the audit trails, in their order.
    public var audit: [AuditEntry]
    /// What may give fewer permissions than before: permits that rest on it become void.
    public var voided: [AccessSubject]
    /// Subjects whose displayed data changes, such as a title: caches read them again.
    public var altered: [AccessSubject]
    /// The events that follow the commit.
    public var events: [StoreEvent]
    /// Mails that tell of it, which wait to be sent from then on.
    public var mails: [Mail]
    /// The answer to keep under the client's key; what lies there already decides whether it may be, see
    /// ``KeptAnswer/admitted(besides:)``.
    public var kept: KeptAnswer?
    /// What the caller gets.
    public let value: Value

    /// A plan.
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
    /// A plan whose caller gets nothing.
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

/// A value that one thing alone may have. The store finds whose it is; the claim decides.
public struct UniqueClaim: Sendable, Equatable {
    /// The kinds of such values.
    public enum Kind: String, Sendable, CaseIterable {
        /// What an account's owner types to sign in.
        case login
        /// What names an institution in addresses.
        case slug
    }

    /// What kind of value.
    public let kind: Kind
    /// The value.
    public let value: String
    /// The identifier of what claims it.
    public let owner: String

    /// A claim.
    public init(_ kind: Kind, _ value: String, for owner: String) {
        self.kind = kind
        self.value = value
        self.owner = owner
    }

    /// Throws ``StoreError/taken(field:)`` when something else has the value.
    public func check(holder: String?) throws(StoreError) {
        if let holder, holder != owner { throw .taken(field: kind.rawValue) }
    }
}
