import Cryptography
import Shared
import Testing

@testable import Accounts

@Suite struct ServiceTokenPlansTests {
    private let now = Timestamp(microseconds: 1_700_000_000_000_000)
    private let institution = InstitutionID("school")

    private func account(_ scopes: Set<Scope>?, isDisabled: Bool = false) -> Account {
        Account(
            id: AccountID("a"), createdAt: now, login: Login(stored: "a"), profile: Profile(displayName: "A"),
            isDisabled: isDisabled, service: scopes.map { Account.Service(institution: institution, scopes: $0) })
    }

    private func secret(_ id: String = "s", until seconds: Int64 = 86_400) -> APIToken {
        APIToken(
            id: APITokenID(id), account: AccountID("a"), kind: .secret, name: "Rack", scopes: [],
            networks: ["192.0.2.0/24"], createdAt: now, expiresAt: now.adding(seconds: seconds))
    }

    private func access(_ number: Int, until seconds: Int64 = 3_600, for secret: String = "s") -> APIToken {
        APIToken(
            id: APITokenID("t\(number)"), account: AccountID("a"), kind: .access, name: "Rack",
            scopes: [.recordsRead], granter: APITokenID(secret), createdAt: now.adding(seconds: Int64(number)),
            expiresAt: now.adding(seconds: seconds))
    }

    private func situation(_ account: Account, _ tokens: [APIToken]) -> TokenSituation {
        TokenSituation(account: account, tokens: tokens, sessions: [])
    }

    private func given(
        _ scopes: Set<Scope>?, to account: Account, _ tokens: [APIToken]
    ) throws -> APIToken {
        try TokenPlans.accessToken(
            APITokenID("new"), scopes, for: APITokenID("s"), in: situation(account, tokens), at: now)
    }

    @Test func `an access token has what is asked for, from where the secret works`() throws {
        let owner = account([.recordsRead, .programsRead])
        #expect(try given(nil, to: owner, [secret()]).scopes == [.recordsRead, .programsRead])
        let narrow = try given([.recordsRead], to: owner, [secret()])
        #expect(narrow.scopes == [.recordsRead] && narrow.networks == ["192.0.2.0/24"])
        #expect(narrow.granter == APITokenID("s") && narrow.expiresAt == now.adding(seconds: 3_600))
        #expect(throws: ScopeExceeded.self) { try given([.rosterRead], to: owner, [secret()]) }
    }

    @Test func `an access token ends with its secret at the latest`() throws {
        let owner = account([.recordsRead])
        #expect(try given(nil, to: owner, [secret(until: 60)]).expiresAt == now.adding(seconds: 60))
        #expect(throws: StoreError.notFound) { try given(nil, to: owner, [secret(until: 0)]) }
    }

    @Test func `neither a person, an ended account nor another kind of token gets an access token`() {
        #expect(throws: StoreError.notFound) { try given(nil, to: account(nil), [secret()]) }
        #expect(throws: StoreError.notFound) {
            try given(nil, to: account([.recordsRead], isDisabled: true), [secret()])
        }
        #expect(throws: StoreError.notFound) { try given(nil, to: account([.recordsRead]), []) }
        #expect(throws: StoreError.notFound) { try given(nil, to: account([.recordsRead]), [secret("other")]) }
    }

    @Test func `one access token too many ends the oldest of its secret, and those that have expired go`() {
        let tokens =
            [secret(), access(-1, for: "other")] + (0..<APIToken.accessCapacity).map { access($0) }
            + [access(500, until: -1)]
        let act = AuditContext(by: AccountID("a"), from: "test", at: now)
        let plan = TokenPlans.grant(
            of: access(600), digest: TokenDigest(bytes: []), in: situation(account([.recordsRead]), tokens), by: act)
        let removed = plan.changes.compactMap { change in
            if case .apiToken(.remove(let id)) = change { id.text } else { nil }
        }
        #expect(removed == ["t500", "t0"])
        #expect(plan.events == [.tokenEnded(APITokenID("t0"))] && plan.voided == [.account(AccountID("a"))])
    }

    @Test func `the end of a secret ends the access tokens that it gave, and no others`() throws {
        let tokens = [secret(), secret("other"), access(1), access(2, for: "other")]
        let act = AuditContext(by: AccountID("r"), from: "test", at: now)
        let plan = try TokenPlans.removal(
            of: APITokenID("s"), .secret, in: situation(account([.recordsRead]), tokens), by: act)
        #expect(plan.events == [.tokenEnded(APITokenID("s")), .tokenEnded(APITokenID("t1"))])
        #expect(plan.audit.map(\.action) == ["secret.ended"] && plan.audit.first?.institution == institution)
        #expect(throws: StoreError.notFound) {
            try TokenPlans.removal(of: APITokenID("s"), in: situation(account([.recordsRead]), tokens), by: act)
        }
    }

    @Test func `a provider's word counts as long as the operator believes it and the account is linked`() {
        let duty = SecondFactorDuty(administrators: true)
        let linked = FactorStanding(isWanted: true, vouchers: ["https://issuer.example"])
        let shown = ShownFactors.vouched(by: "https://issuer.example")
        #expect(duty.enrolment(of: account(nil), showing: shown, having: linked) == Enrolment(ways: []))
        let app = FactorStanding(hasApp: true, isWanted: true, vouchers: ["https://issuer.example"])
        #expect(duty.enrolment(of: account(nil), showing: shown, having: app) == Enrolment(ways: [.totp]))
    }

    @Test func `a service account has no second factor to show`() {
        let duty = SecondFactorDuty(administrators: true)
        let wanted = FactorStanding(isWanted: true)
        #expect(duty.enrolment(of: account([.recordsRead]), showing: .one, having: wanted) == nil)
        #expect(duty.enrolment(of: account(nil), showing: .one, having: wanted) == Enrolment(ways: []))
    }
}
