public import Shared

/// Makes people members by what their provider says of them.
public struct GrantRule: Sendable, Equatable {
    /// The claim that is looked at.
    public let claim: String
    /// The text that it must have, or that must be in its list.
    public let value: String
    /// Where it makes members.
    public let institution: InstitutionID
    /// As what.
    public let role: MemberRole
    /// A teacher's programs.
    public let programs: [ProgramID]
    /// The claim that is the member's student number, unless the member has one; `nil` for none.
    public let studentNumber: String?

    /// A rule.
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
    /// Seconds for which a rule's grant holds after a sign-in: the more it gives, the sooner the provider has to say it
    /// again.
    public var grantLifetime: Int64 { isStaff ? 7 * 86_400 : 400 * 86_400 }
}

extension [GrantRule] {
    /// What the rules grant to a person of whom an issuer says this; those of one name in an institution make one grant.
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

    /// The student numbers that the rules find in what an issuer says of a person; each number has one text.
    func studentNumbers(for claims: AssertedClaims) -> [InstitutionID: String] {
        var numbers: [InstitutionID: String] = [:]
        for rule in self where rule.isMet(by: claims) && numbers[rule.institution] == nil {
            guard let texts = rule.studentNumber.flatMap({ claims.texts[$0] }), texts.count == 1 else { continue }
            numbers[rule.institution] = texts.first.flatMap { StudentNumber.read($0) }
        }
        return numbers
    }
}
