import Accounts
import DataStore
import Institutions
import Shared

extension StoreLaw {
    static let identities: [StoreLaw] = [
        StoreLaw("an assertion is believed once, however often it comes at once") { place in
            let ends = await atOnce(10) { number in
                let newcomer = NewAccount(
                    account: Sample.account("a\(number)"), audit: Sample.entry("account.created", of: "a\(number)"))
                _ = try await place.data.accounts.admit(Sample.assertion("t", of: "ada"), or: newcomer)
            }
            try expect(ends.made, is: 1, "how often it was believed")
            try expect(try await place.data.accounts.accounts(AccountQuery()).count, is: 1, "the accounts made")
        },
        StoreLaw("a person who is known comes to the same account, and nobody new is made") { place in
            let accounts = place.data.accounts
            let newcomer = NewAccount(account: Sample.account("a"), audit: Sample.entry("account.created", of: "a"))
            let nobody = try await accounts.admit(Sample.assertion("0", of: "ada"), or: nil)
            try expect(nobody, is: nil, "an unknown person without an account to make")
            let first = try await accounts.admit(Sample.assertion("1", of: "ada"), or: newcomer)
            try expect(first?.id.text, is: "a", "the account made")
            let other = NewAccount(account: Sample.account("b"), audit: Sample.entry("account.created", of: "b"))
            let again = try await accounts.admit(Sample.assertion("2", of: "ada"), or: other)
            try expect(again?.id.text, is: "a", "the account found")
            try await expect(.taken(field: "login"), "a newcomer whose login is taken") {
                let taken = NewAccount(
                    account: Sample.account("c", login: "a"), audit: Sample.entry("account.created", of: "c"))
                return try await accounts.admit(Sample.assertion("3", of: "eve"), or: taken)
            }
            let unused = NewAccount(account: Sample.account("c"), audit: Sample.entry("account.created", of: "c"))
            let later = try await accounts.admit(Sample.assertion("3", of: "eve"), or: unused)
            try expect(later?.id.text, is: "c", "what was refused used nothing up")
        },
        StoreLaw("a newcomer accepts the invitation that makes the account, and without one there is none") { place in
            let (accounts, institutions) = (place.data.accounts, place.data.institutions)
            try await place.makeInstitution()
            try await institutions.insert(
                Sample.invitation("i", to: "school"), token: Sample.token("t"),
                audit: Sample.entry("invitation.created", of: "i", in: "school"))
            @Sendable func come(_ id: String, with token: String) async throws {
                let newcomer = NewAccount(
                    account: Sample.account(id), audit: Sample.entry("account.created", of: id),
                    invitation: Sample.token(token))
                _ = try await accounts.admit(Sample.assertion(id, of: id), or: newcomer)
            }
            try await expect(.notFound, "an unknown invitation") { try await come("a", with: "u") }
            let ends = await atOnce(5) { number in try await come("b\(number)", with: "t") }
            try expect(ends.made, is: 1, "how many came with the invitation")
            try expect(ends.errors.allSatisfy { $0 == .notFound }, "the others are told")
            let made = try await accounts.accounts(AccountQuery())
            try expect(made.count, is: 1, "the accounts made")
            let members = try await institutions.members(
                of: InstitutionID("school"), role: nil, after: nil, limit: 9, at: Sample.now)
            try expect(members.map(\.membership.account), is: made.map(\.id), "the members")
        },
        StoreLaw("a person has one account, and an account one person of each issuer") { place in
            let accounts = place.data.accounts
            for id in ["a", "b"] { try await place.make(id) }
            func link(_ name: String, _ subject: String, to account: String) async throws -> LinkedIdentity {
                try await accounts.link(
                    Sample.assertion(name, of: subject), to: AccountID(account), by: Sample.act(by: account))
            }
            let first = try await link("1", "ada", to: "a")
            try expect(try await link("2", "ada", to: "a"), is: first, "a link that is there")
            try await expect(.taken(field: "digest"), "an assertion that was used") {
                try await link("2", "ada", to: "a")
            }
            try await expect(.taken(field: "subject"), "another account") { try await link("3", "ada", to: "b") }
            try await expect(.taken(field: "issuer"), "another person") { try await link("4", "eve", to: "a") }
            try expect(try await accounts.identities(of: AccountID("a")), is: [first], "the links")
        },
        StoreLaw("a provider's notice ends the sessions that it means, tells of each, and counts once") { place in
            let accounts = place.data.accounts
            for (id, subject) in [("a", "ada"), ("b", "bob")] {
                try await place.make(id)
                _ = try await accounts.link(
                    Sample.assertion("link \(id)", of: subject, issuer: "i"), to: AccountID(id),
                    by: Sample.act(by: id))
            }
            func open(_ id: String, of account: String, _ subject: String, session: String?) async throws {
                let assertion = Sample.assertion(id, of: subject, issuer: "i", session: session)
                try await place.open(Sample.session(id, of: account), by: .identity(assertion))
            }
            func left() async throws -> [String] {
                var sessions: [String] = []
                for id in ["a", "b"] { sessions += try await accounts.sessions(of: AccountID(id)).map(\.id.text) }
                return sessions
            }
            func end(_ target: LogoutNotice.Target, issuer: String = "i", once name: String? = nil) async throws {
                let once = name.map { (digest: Sample.token($0), until: Sample.now.adding(seconds: 60)) }
                try await accounts.end(
                    by: LogoutNotice(issuer: issuer, ending: target, once: once), as: Sample.act())
            }
            let digest = SessionOrigin.digest
            try await open("a1", of: "a", "ada", session: "one")
            try await open("a2", of: "a", "ada", session: nil)
            try await open("b1", of: "b", "bob", session: "one")
            try await place.open(Sample.session("a3", of: "a"))
            try await end(.person(digest("ada")), issuer: "j", once: "t")
            try await end(.session(digest("two"), of: nil))
            try await end(.session(digest("one"), of: digest("eve")))
            try expect(try await left(), is: ["a3", "a2", "a1", "b1"], "the sessions that no notice meant")
            try await expect(.taken(field: "digest"), "a notice that was used") {
                try await end(.person(digest("ada")), once: "t")
            }
            let before = place.told.count
            let version = try await accounts.standing(of: AccountID("a"))?.accessVersion ?? 0
            try await end(.session(digest("one"), of: digest("ada")))
            try expect(place.told(after: before), is: [.sessionEnded(SessionID("a1"))], "what is told")
            try expect(
                (try await accounts.standing(of: AccountID("a"))?.accessVersion ?? 0) > version, "permits are void")
            try expect(try await left(), is: ["a3", "a2", "b1"], "the sessions after one of the issuer's")
            try await end(.person(digest("ada")), once: "u")
            try expect(try await left(), is: ["a3", "b1"], "the sessions after the person's")
        },
        StoreLaw("a link ends unless its end is refused, which is told whether a way in is left") { place in
            struct Refusal: Error {}
            let accounts = place.data.accounts
            try await place.makeWithoutPassword("a")
            for issuer in ["one", "two"] {
                _ = try await accounts.link(
                    Sample.assertion(issuer, of: "ada", issuer: issuer), to: AccountID("a"), by: Sample.act(by: "a"))
            }
            func unlink(_ issuer: String) async throws {
                try await accounts.unlink(
                    issuer: issuer, from: AccountID("a"), keeping: nil, by: Sample.act(by: "a")
                ) { left in
                    if !left.areOpen(through: ["one", "two"]) { throw Refusal() }
                }
            }
            try await unlink("one")
            try await expect(.notFound, "a link that is not there") { try await unlink("one") }
            do {
                try await unlink("two")
                throw Violation(description: "the last way in was taken away")
            } catch is Refusal {}
            try expect(try await accounts.identities(of: AccountID("a")).map(\.issuer), is: ["two"], "the links left")
            try await accounts.setPassword(
                try Sample.hash("h"), of: AccountID("a"), keeping: nil, audit: Sample.entry("x", of: "a"))
            try await unlink("two")
        },
        StoreLaw("a link ends with the sessions that it opened and what its issuer's claims gave, or not at all") {
            place in
            struct Refusal: Error {}
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            try await place.makeInstitution()
            for issuer in ["i", "j"] {
                _ = try await accounts.link(
                    Sample.assertion("link \(issuer)", of: "ada", issuer: issuer), to: a, by: Sample.act(by: "a"))
                for name in ["1", "2"] {
                    let assertion = Sample.assertion("\(issuer)\(name)", of: "ada", issuer: issuer)
                    try await place.open(Sample.session("\(issuer)\(name)", of: "a"), by: .identity(assertion))
                }
            }
            try await place.open(Sample.session("own", of: "a"))
            try await place.grant(.teacher, to: "a")
            func open() async throws -> [String] { try await accounts.sessions(of: a).map(\.id.text).sorted() }
            func unlink(_ refusal: Refusal? = nil) async throws {
                try await accounts.unlink(
                    issuer: "i", from: a, keeping: SessionID("i2"), by: Sample.act(by: "a")
                ) { _ in if let refusal { throw refusal } }
            }
            do {
                try await unlink(Refusal())
                throw Violation(description: "what was refused was done")
            } catch is Refusal {}
            try expect(try await open(), is: ["i1", "i2", "j1", "j2", "own"], "the sessions before")
            let before = try await place.data.institutions.places(of: a, at: Sample.now)
            try expect(before.memberships.count, is: 1, "the places before")
            let told = place.told.count
            try await unlink()
            try expect(try await open(), is: ["i2", "j1", "j2", "own"], "the sessions after")
            let after = try await place.data.institutions.places(of: a, at: Sample.now)
            try expect(after.memberships.count, is: 0, "the places after")
            try expect(
                place.told(after: told), is: [.sessionEnded(SessionID("i1")), .accessChanged(a)], "what is told")
        },
        StoreLaw("what an issuer vouched for counts as one factor once its link ends, in sessions and API tokens") {
            place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            for issuer in ["i", "j"] {
                _ = try await accounts.link(
                    Sample.assertion("link \(issuer)", of: "ada", issuer: issuer), to: a, by: Sample.act(by: "a"))
            }
            try await place.open(
                Sample.session("kept", of: "a", showing: .vouched(by: "i")),
                by: .identity(Sample.assertion("1", of: "ada", issuer: "i")))
            try await place.open(
                Sample.session("other", of: "a", showing: .vouched(by: "j")),
                by: .identity(Sample.assertion("2", of: "ada", issuer: "j")))
            try await place.open(Sample.session("own", of: "a", showing: .own))
            for (id, factors) in [("t", ShownFactors.vouched(by: "i")), ("u", .own), ("v", .vouched(by: "j"))] {
                let token = APIToken(
                    id: APITokenID(id), account: a, name: id, scopes: [], factors: factors, createdAt: Sample.now,
                    expiresAt: Sample.now.adding(seconds: 600))
                try await accounts.changeAPITokens(of: a) { _ in
                    AccountPlan([.apiToken(.insert(token, digest: Sample.token(id)))])
                }
            }
            func shown() async throws -> [ShownFactors] {
                try await accounts.sessions(of: a).sorted { $0.id < $1.id }.map(\.factors)
                    + accounts.apiTokens(of: a).map(\.factors)
            }
            func unlink(_ issuer: String) async throws {
                try await accounts.unlink(issuer: issuer, from: a, keeping: SessionID("kept"), by: Sample.act(by: "a"))
                {
                    _ in
                }
            }
            try await unlink("j")
            try expect(
                try await shown(), is: [.vouched(by: "i"), .own, .vouched(by: "i"), .own, .one],
                "after another link's end")
            let version = try await accounts.standing(of: a)?.accessVersion ?? 0
            let told = place.told.count
            try await unlink("i")
            try expect(try await shown(), is: [.one, .own, .one, .own, .one], "after the link's end")
            try expect((try await accounts.standing(of: a)?.accessVersion ?? 0) > version, "permits are void")
            try expect(place.told(after: told), is: [.accessChanged(a)], "what is told")
        },
        StoreLaw("of two links that end at once, the last way in stays") { place in
            let accounts = place.data.accounts
            try await place.makeWithoutPassword("a")
            let issuers = ["one", "two"]
            for issuer in issuers {
                _ = try await accounts.link(
                    Sample.assertion(issuer, of: "ada", issuer: issuer), to: AccountID("a"), by: Sample.act(by: "a"))
            }
            let ends = await atOnce(2) { number in
                try await accounts.unlink(
                    issuer: issuers[number], from: AccountID("a"), keeping: nil, by: Sample.act(by: "a")
                ) { left in
                    if !left.areOpen(through: Set(issuers)) { throw StoreError.moved }
                }
            }
            try expect(ends.made, is: 1, "how many ended")
            try expect(ends.errors, is: [.moved], "the refusal")
            try expect(try await accounts.identities(of: AccountID("a")).count, is: 1, "the links left")
        },
    ]
}
