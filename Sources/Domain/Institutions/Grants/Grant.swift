public import Shared

/// A reason why an account is a member of an institution, with what it gives.
public struct Grant: Sendable, Equatable {
    /// Who or what gave it.
    public enum Origin: Sendable, Hashable {
        /// Someone who decides on members, or the server's configuration.
        case hand
        /// An invitation that the member accepted.
        case invitation
        /// A rule over what a provider says.
        case rule(RuleName)
    }

    /// Who or what gave it.
    public let origin: Origin
    /// As what.
    public let role: MemberRole
    /// The programs that a teacher keeps the records of, in order; empty for other roles.
    public let programs: [ProgramID]
    /// Since when.
    public let since: Timestamp
    /// From then on it gives nothing, unless it is renewed before; `nil` for one that people gave.
    public let until: Timestamp?

    /// A grant; programs count for teachers only.
    public init(
        _ origin: Origin, role: MemberRole, programs: [ProgramID] = [], since: Timestamp, until: Timestamp? = nil
    ) {
        self.origin = origin
        self.role = role
        self.programs = role == .teacher ? Array(Set(programs)).sorted() : []
        self.since = since
        self.until = until
    }

    /// Whether it gives anything at a moment.
    public func holds(at moment: Timestamp) -> Bool { until.map { moment < $0 } ?? true }

    /// The rule that gave it; `nil` for one that people gave.
    public var rule: RuleName? {
        if case .rule(let name) = origin { name } else { nil }
    }
}

/// What a rule looks at: the rules of one name in an institution make one grant.
public struct RuleName: Sendable, Hashable {
    /// Who says it.
    public let issuer: String
    /// The claim.
    public let claim: String
    /// The text that it has, or that is in its list.
    public let value: String

    /// A name.
    public init(issuer: String, claim: String, value: String) {
        self.issuer = issuer
        self.claim = claim
        self.value = value
    }
}
