public import Shared

/// A rule that makes people members according to their provider's claims.
public struct GrantRule: Sendable, Equatable {
    /// The name of the claim to check.
    public let claim: String
    /// The text that the claim must equal, or that its list must contain.
    public let value: String
    /// The institution of the membership.
    public let institution: InstitutionID
    /// The role of the membership.
    public let role: MemberRole
    /// A teacher's programs.
    public let programs: [ProgramID]
    /// The claim with the member's student number, used if the member has none yet; `nil` if there is no such claim.
    public let studentNumber: String?

    /// Creates a rule.
    public init(
        claim: String, value: String, institution: InstitutionID, role: MemberRole, programs: [ProgramID] = [],
        studentNumber: String? = nil
    ) {
        self.claim = claim
        self.value = value
        self.institution = institution
        self.role = role
        self.programs = programs
        self.studentNumber = studentNumber
    }

    /// Whether the rule is met.
    fileprivate func isMet(by claims: AssertedClaims) -> Bool {
        // Byte by byte: Swift takes texts for equal that Unicode calls equivalent.
        claims.texts[claim]?.contains { $0.utf8.elementsEqual(value.utf8) } == true
    }
}

extension MemberRole {
    /// The time in seconds that a rule's grant lasts after a sign-in. The more rights the role has, the sooner the
    /// provider must confirm it.
    public var grantLifetime: Int64 { isStaff ? 7 * 86_400 : 400 * 86_400 }
}

extension [GrantRule] {
    /// Returns the grants that the rules make from an issuer's claims; rules of an institution with one name make one
    /// grant.
    func grants(
        for claims: AssertedClaims, by issuer: String, at now: Timestamp
    ) -> [InstitutionID: [RuleName: Grant]] {
        var granted: [InstitutionID: [RuleName: Grant]] = [:]
        for rule in self where rule.isMet(by: claims) {
            let name = RuleName(issuer: issuer, claim: rule.claim, value: rule.value)
            let before = granted[rule.institution]?[name]
            let role = Swift.max(before?.role ?? rule.role, rule.role)
            granted[rule.institution, default: [:]][name] = Grant(
                .rule(name), role: role, programs: (before?.programs ?? []) + rule.programs, since: now,
                until: now.adding(seconds: role.grantLifetime))
        }
        return granted
    }

    /// Returns the student numbers that the rules find in a person's claims. A claim with several texts gives no
    /// number.
    package func studentNumbers(for claims: AssertedClaims) -> [InstitutionID: String] {
        var numbers: [InstitutionID: String] = [:]
        for rule in self where rule.isMet(by: claims) && numbers[rule.institution] == nil {
            guard let texts = rule.studentNumber.flatMap({ claims.texts[$0] }), texts.count == 1 else { continue }
            numbers[rule.institution] = texts.first.flatMap { StudentNumber.read($0) }
        }
        return numbers
    }
}
