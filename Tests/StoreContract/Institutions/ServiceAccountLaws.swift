import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    private static func service(_ id: String, of institution: String = "school") -> ServiceAccount {
        ServiceAccount(
            id: AccountID(id), institution: InstitutionID(institution), name: "Service \(id)",
            scopes: [.recordsRead, .programsRead], role: .teacher, programs: [ProgramID("p"), ProgramID("q")],
            createdAt: Sample.now)
    }

    private static func make(_ account: ServiceAccount, at place: any StoreUnderTest) async throws {
        try await place.data.institutions.changeServiceAccounts(of: account.institution) { _ in
            InstitutionPlan([.serviceAccount(.insert(account)), .member(.set(account.membership))])
        }
    }

    static let serviceAccounts: [StoreLaw] = [
        StoreLaw("a service account is kept whole, and found among those of its institution alone") { place in
            let (institutions, accounts) = (place.data.institutions, place.data.accounts)
            for id in ["school", "other"] { try await place.makeInstitution(id) }
            try await make(service("b"), at: place)
            try await make(service("a"), at: place)
            try await make(service("c", of: "other"), at: place)
            let found = try await institutions.serviceAccounts(of: InstitutionID("school"))
            try expect(found, is: [service("a"), service("b")], "the service accounts")
            let account = try await accounts.account(AccountID("a"))
            let limits = Account.Service(
                institution: InstitutionID("school"), scopes: [.recordsRead, .programsRead])
            try expect(account?.service, is: limits, "the account's limits")
            let places = try await institutions.places(of: AccountID("a"), at: Sample.now).memberships
            try expect(places.map(\.programs), is: [[ProgramID("p"), ProgramID("q")]], "its programs")
        },
        StoreLaw("a service account is no person: neither found in search nor a member that is listed or changed") {
            place in
            let institutions = place.data.institutions
            try await place.makeInstitution()
            try await make(service("a"), at: place)
            try expect(try await place.data.accounts.accounts(AccountQuery()), is: [], "the accounts")
            let members = try await institutions.members(
                of: InstitutionID("school"), role: nil, after: nil, limit: 9, at: Sample.now)
            try expect(members.map(\.membership.account), is: [], "the members")
            try await expect(.notFound, "a membership given to it") {
                try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            }
        },
        StoreLaw("a change of a service account holds for its tokens, and voids permits") { place in
            let (institutions, accounts) = (place.data.institutions, place.data.accounts)
            try await place.makeInstitution()
            try await make(service("a"), at: place)
            try await make(tokens("s", of: "a"), at: place)
            let before = try await place.store.access(of: AccountID("a"))
            try await institutions.changeServiceAccounts(of: InstitutionID("school")) { found in
                guard var account = found.first else { throw StoreError.notFound }
                account.name = "Other"
                account.scopes = [.rosterRead]
                account.role = .registrar
                account.programs = []
                return InstitutionPlan(
                    [.serviceAccount(.update(account)), .member(.set(account.membership))],
                    voided: [.account(AccountID("a"))], events: [.accessChanged(AccountID("a"))])
            }
            var wanted = service("a")
            (wanted.name, wanted.scopes, wanted.role, wanted.programs) = ("Other", [.rosterRead], .registrar, [])
            try expect(
                try await institutions.serviceAccounts(of: InstitutionID("school")), is: [wanted], "what stands")
            let scopes = try await accounts.apiToken(Sample.token("s1"))?.account.service?.scopes
            try expect(scopes, is: [.rosterRead], "what its tokens may do")
            let after = try await place.store.access(of: AccountID("a"))
            try expect(before != after, "its permits are void")
        },
        StoreLaw("a service account that has ended has neither secrets nor tokens, and keeps its name") { place in
            let (institutions, accounts) = (place.data.institutions, place.data.accounts)
            try await place.makeInstitution()
            try await make(service("a"), at: place)
            try await make(tokens("s", of: "a"), at: place)
            try await institutions.changeServiceAccounts(of: InstitutionID("school")) { _ in
                InstitutionPlan([
                    .serviceAccount(.end(AccountID("a"), at: Sample.now)),
                    .member(.remove(of: AccountID("a"), in: InstitutionID("school"))),
                ])
            }
            try expect(try await institutions.serviceAccounts(of: InstitutionID("school")), is: [], "those left")
            try expect(try await accounts.apiTokens(of: AccountID("a")), is: [], "its secrets and tokens")
            try expect(try await accounts.account(AccountID("a"))?.isDisabled, is: true, "whether it is disabled")
            let names = try await accounts.names(of: [AccountID("a")])
            try expect(names, is: [AccountID("a"): AccountNames(displayName: "Service a")], "its name")
        },
        StoreLaw("the name of a service account that has ended is kept for so long, and of so many") { place in
            let (institutions, accounts) = (place.data.institutions, place.data.accounts)
            try await place.makeInstitution()
            func end(_ ids: [String], at moment: Timestamp) async throws {
                try await institutions.changeServiceAccounts(of: InstitutionID("school")) { _ in
                    InstitutionPlan(
                        ids.flatMap { id -> [InstitutionRowChange] in
                            [.serviceAccount(.insert(service(id))), .serviceAccount(.end(AccountID(id), at: moment))]
                        })
                }
            }
            func left() async throws -> [String] {
                try await accounts.names(of: ["a", "b", "c", "n1", "n2"].map { AccountID($0) })
                    .keys.map(\.text).sorted()
            }
            try await make(service("a"), at: place)
            try await end(["b"], at: Sample.now)
            try await end(["c"], at: Sample.now.adding(seconds: 1))
            let over = Sample.now.adding(seconds: ServiceAccount.memory)
            try await accounts.forgetEnded(before: over.adding(seconds: -1))
            try expect(try await left(), is: ["a", "b", "c"], "before the time is over")
            try await accounts.forgetEnded(before: over)
            try expect(try await left(), is: ["a", "c"], "when it is over for one")
            let others = (1...ServiceAccount.mostRemembered).map { "n\($0)" }
            try await end(others, at: Sample.now.adding(seconds: 2))
            try await accounts.forgetEnded(before: Sample.now)
            try expect(try await left(), is: ["a", "n1", "n2"], "once one more has ended than are kept")
        },
        StoreLaw("who made a service account or something of it is known, also once all of it has ended") { place in
            let institutions = place.data.institutions
            try await place.makeInstitution()
            func entry(_ action: String, of subject: String, by account: String?) -> AuditEntry {
                AuditContext(by: account.map { AccountID($0) }, from: "127.0.0.1", at: Sample.now)
                    .entry(action, of: subject, in: InstitutionID("school"))
            }
            let made = ["service-account.created", "secret.created", "token.created"]
            let acts =
                zip(made, ["ada", "bob", "carl"]).map { entry($0, of: "a", by: $1) } + [
                    entry("service-account.changed", of: "a", by: "dora"), entry("token.granted", of: "a", by: "a"),
                    entry("token.created", of: "b", by: "eve"), entry("token.ended", of: "a", by: "fred"),
                ]
            try await institutions.changeServiceAccounts(of: InstitutionID("school")) { _ in
                InstitutionPlan(
                    [.serviceAccount(.insert(service("a"))), .member(.set(service("a").membership))], audit: acts)
            }
            let wanted = Set(["ada", "bob", "carl"].map { AccountID($0) })
            try expect(try await institutions.makers(of: AccountID("a")), is: wanted, "the makers")
            try await institutions.changeServiceAccounts(of: InstitutionID("school")) { _ in
                InstitutionPlan([.serviceAccount(.end(AccountID("a"), at: Sample.now))])
            }
            try expect(try await institutions.makers(of: AccountID("a")), is: wanted, "the makers of what has ended")
            try expect(try await institutions.makers(of: AccountID("ada")), is: [], "the makers of a person")
        },
        StoreLaw("a secret and the access token that was given for it are kept as such") { place in
            try await place.makeInstitution()
            try await make(service("a"), at: place)
            try await make(tokens("s", of: "a"), at: place)
            try expect(
                try await place.data.accounts.apiTokens(of: AccountID("a")), is: tokens("s", of: "a"), "the tokens")
        },
    ]

    /// A secret and an access token.
    private static func tokens(_ name: String, of account: String) -> [APIToken] {
        [APIToken.Kind.secret, .access].enumerated().map { number, kind in
            APIToken(
                id: APITokenID("\(name)\(number)"), account: AccountID(account), kind: kind, name: name,
                scopes: kind == .secret ? [] : [.recordsRead], networks: ["192.0.2.0/24"],
                granter: kind == .secret ? nil : APITokenID("\(name)0"), createdAt: Sample.now,
                expiresAt: Sample.now.adding(seconds: 600))
        }
    }

    private static func make(_ tokens: [APIToken], at place: any StoreUnderTest) async throws {
        for token in tokens {
            try await place.data.accounts.changeAPITokens(of: token.account) { _ in
                AccountPlan([.apiToken(.insert(token, digest: Sample.token(token.id.text)))])
            }
        }
    }
}
