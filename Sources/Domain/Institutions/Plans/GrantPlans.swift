import GradingKit
public import Shared

/// Plans the writes of grants from rules, from the rows that the store found. It never changes what people gave.
public enum GrantPlans {
    /// The rows that the store found for an account.
    public struct Rows: Sendable {
        /// The account.
        public let account: AccountID
        /// Whether the account exists.
        public let isThere: Bool
        /// All its grants, from people and from rules, including lapsed ones.
        public let grants: [InstitutionID: [Grant]]
        /// Its student numbers, by institution.
        public let studentNumbers: [InstitutionID: String]
        /// The institutions in which another member has the student number in question.
        public let taken: Set<InstitutionID>

        /// Creates the rows that were found.
        public init(
            account: AccountID, isThere: Bool, grants: [InstitutionID: [Grant]],
            studentNumbers: [InstitutionID: String] = [:], taken: Set<InstitutionID> = []
        ) {
            self.account = account
            self.isThere = isThere
            self.grants = grants
            self.studentNumbers = studentNumbers
            self.taken = taken
        }
    }

    /// Plans the effect of a sign-in on an issuer's grants: renews the grants of the rules that the claims meet and
    /// ends the others. A rule keeps its grant if the issuer only refers to its claim (``AssertedClaims/elsewhere``).
    public static func renewal(
        of rows: Rows, by rules: [GrantRule], of issuer: String, for claims: AssertedClaims, as act: AuditContext
    ) -> InstitutionPlan<Void> {
        let wanted = rules.grants(for: claims, by: issuer, at: act.at)
        var changes = Changes(rows, act)
        for institution in Set(rows.grants.keys).union(wanted.keys).sorted() {
            changes.endLapsed(in: institution)
            let found = changes.rules(in: institution).filter { $0.key.issuer == issuer }
            let granted = wanted[institution] ?? [:]
            for (name, grant) in found.inOrder
            where granted[name] == nil && !claims.elsewhere.contains(name.claim) {
                changes.end(grant, of: name, in: institution, as: "member.revoked")
            }
            for (name, grant) in granted.inOrder { changes.set(grant, of: name, in: institution) }
        }
        for (institution, number) in rules.studentNumbers(for: claims).sorted(by: { $0.key < $1.key }) {
            changes.number(number, in: institution)
        }
        return changes.plan
    }

    /// Plans to end all grants from an issuer that no longer vouches for the account.
    public static func revocation(of rows: Rows, by issuer: String, as act: AuditContext) -> InstitutionPlan<Void> {
        guard rows.grants.values.contains(where: { $0.contains { $0.rule?.issuer == issuer } }) else {
            return InstitutionPlan([])
        }
        return renewal(of: rows, by: [], of: issuer, for: AssertedClaims(), as: act)
    }

    /// Plans to end the grants whose time is over.
    public static func lapse(of rows: Rows, as act: AuditContext) -> InstitutionPlan<Void> {
        var changes = Changes(rows, act)
        for institution in rows.grants.keys.sorted() { changes.endLapsed(in: institution) }
        return changes.plan
    }
}

/// The changes of an account's grants, collected one by one.
private struct Changes {
    private let rows: GrantPlans.Rows
    private let act: AuditContext
    private var grants: [InstitutionID: [Grant]]
    private var changes: [InstitutionRowChange] = []
    private var audit: [AuditEntry] = []

    init(_ rows: GrantPlans.Rows, _ act: AuditContext) {
        self.rows = rows
        self.act = act
        grants = rows.grants
    }

    /// Returns the grants from rules in an institution.
    func rules(in institution: InstitutionID) -> [RuleName: Grant] {
        var rules: [RuleName: Grant] = [:]
        for grant in grants[institution] ?? [] { if let name = grant.rule { rules[name] = grant } }
        return rules
    }

    mutating func endLapsed(in institution: InstitutionID) {
        for (name, grant) in rules(in: institution).inOrder where !grant.holds(at: act.at) {
            end(grant, of: name, in: institution, as: "member.lapsed")
        }
    }

    mutating func end(_ grant: Grant, of name: RuleName, in institution: InstitutionID, as action: String) {
        changes.append(.member(.removeGrant(name, of: rows.account, in: institution)))
        grants[institution]?.removeAll { $0.origin == grant.origin }
        note(action, name, before: grant, after: nil, in: institution)
    }

    /// Creates or renews a grant; a mere renewal leaves no audit row.
    mutating func set(_ wanted: Grant, of name: RuleName, in institution: InstitutionID) {
        let before = rules(in: institution)[name]
        let grant = Grant(
            wanted.origin, role: wanted.role, programs: wanted.programs, since: before?.since ?? wanted.since,
            until: wanted.until)
        changes.append(.member(.setGrant(grant, name, of: rows.account, in: institution)))
        grants[institution, default: []].removeAll { $0.origin == grant.origin }
        grants[institution, default: []].append(grant)
        if let before, (before.role, before.programs) == (grant.role, grant.programs) { return }
        note("member.granted", name, before: before, after: grant, in: institution)
    }

    /// Sets the member's student number, unless the member has one or another member has this one.
    mutating func number(_ number: String, in institution: InstitutionID) {
        guard rows.studentNumbers[institution] == nil, !rows.taken.contains(institution) else { return }
        changes.append(.member(.setStudentNumber(number, of: rows.account, in: institution)))
        let detail: JSON = ["before": ["studentNumber": .null], "after": ["studentNumber": .string(number)]]
        audit.append(act.entry("member.changed", of: rows.account.text, in: institution, detail: detail.bytes))
    }

    private mutating func note(
        _ action: String, _ name: RuleName, before: Grant?, after: Grant?, in institution: InstitutionID
    ) {
        let detail = JSON.object([
            "rule": ["issuer": .string(name.issuer), "claim": .string(name.claim), "equals": .string(name.value)],
            "before": before?.auditJSON ?? .null, "after": after?.auditJSON ?? .null,
        ])
        audit.append(act.entry(action, of: rows.account.text, in: institution, detail: detail.bytes))
    }

    var plan: InstitutionPlan<Void> {
        // The account may have been deleted while its provider was being asked.
        guard rows.isThere, !changes.isEmpty else { return InstitutionPlan([]) }
        let (before, after) = (memberships(of: rows.grants), memberships(of: grants))
        let isOther = before.mapValues(\.rights) != after.mapValues(\.rights) || !audit.isEmpty
        var changes = changes
        for institution in rows.studentNumbers.keys.sorted() where after[institution] == nil {
            changes.append(.member(.setStudentNumber(nil, of: rows.account, in: institution)))
        }
        for (institution, grants) in rows.grants.sorted(by: { $0.key < $1.key }) {
            // Of a grant that has lapsed, too: this is when its end is noticed.
            changes += MembershipPlans.fall(
                from: grants.map(\.role).max(), to: after[institution]?.role, of: rows.account, in: institution)
        }
        if after.values.contains(where: \.role.isStaff), !before.values.contains(where: \.role.isStaff) {
            changes.append(.member(.tightenSessions(of: rows.account, at: act.at)))
        }
        let subject = AccessSubject.account(rows.account)
        return InstitutionPlan(
            changes, audit: audit, voided: isOther ? [subject] : [], altered: [subject],
            events: isOther ? [.accessChanged(rows.account)] : [])
    }

    private func memberships(of grants: [InstitutionID: [Grant]]) -> [InstitutionID: Membership] {
        var memberships: [InstitutionID: Membership] = [:]
        for (institution, grants) in grants {
            memberships[institution] = Membership(
                institution: institution, account: rows.account, grants: grants, at: act.at)
        }
        return memberships
    }
}

extension Membership {
    /// The values that permissions depend on.
    fileprivate var rights: [String] { [role.rawValue] + programs.map(\.text) }
}

extension Grant {
    fileprivate var auditJSON: JSON {
        [
            "role": .string(role.rawValue), "programs": .array(programs.map { .string($0.text) }),
            "until": until.map { .string($0.description) } ?? .null,
        ]
    }
}

extension [RuleName: Grant] {
    /// The grants in a fixed order.
    fileprivate var inOrder: [(key: RuleName, value: Grant)] {
        sorted { ($0.key.issuer, $0.key.claim, $0.key.value) < ($1.key.issuer, $1.key.claim, $1.key.value) }
    }
}
