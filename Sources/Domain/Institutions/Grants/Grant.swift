public import Shared

/// One reason why an account is a member of an institution, and the rights it gives.
public struct Grant: Sendable, Equatable {
    /// The origin of a grant.
    public enum Origin: Sendable, Hashable {
        /// A person who manages members, or the server's configuration.
        case hand
        /// An invitation that the member accepted.
        case invitation
        /// A rule over a provider's claims.
        case rule(RuleName)
    }

    /// The origin of the grant.
    public let origin: Origin
    /// The role it gives.
    public let role: MemberRole
    /// The programs whose records a teacher keeps, sorted; empty for other roles.
    public let programs: [ProgramID]
    /// When it was first given.
    public let since: Timestamp
    /// When it lapses unless it is renewed; `nil` for a grant from people.
    public let until: Timestamp?

    /// Creates a grant; `programs` is ignored unless the role is teacher.
    public init(
        _ origin: Origin, role: MemberRole, programs: [ProgramID] = [], since: Timestamp, until: Timestamp? = nil
    ) {
        self.origin = origin
        self.role = role
        self.programs = role == .teacher ? Array(Set(programs)).sorted() : []
        self.since = since
        self.until = until
    }

    /// Returns whether it gives its rights at a moment.
    public func holds(at moment: Timestamp) -> Bool { until.map { moment < $0 } ?? true }

    /// The rule that gave it; `nil` for a grant from people.
    public var rule: RuleName? {
        if case .rule(let name) = origin { name } else { nil }
    }
}

/// The condition of a rule. All rules of an institution with the same condition make one grant.
public struct RuleName: Sendable, Hashable {
    /// The issuer of the claims.
    public let issuer: String
    /// The name of the claim.
    public let claim: String
    /// The text that the claim equals, or that its list contains.
    public let value: String

    /// Creates a name.
    public init(issuer: String, claim: String, value: String) {
        self.issuer = issuer
        self.claim = claim
        self.value = value
    }
}
