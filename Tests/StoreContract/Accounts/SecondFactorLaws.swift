import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    private static let app = SecondFactor.App(seed: [1, 2, 3], since: Sample.now, lastStep: 7)

    private static let proof = SignInProof.identity(issuer: "rosefire", subject: "ada")

    private static func factor(of account: String) -> SecondFactor {
        SecondFactor(
            of: AccountID(account), app: app,
            enrolment: SecondFactor.Enrolment(seed: [4], expiresAt: Sample.now.adding(seconds: 600)),
            recoveryCodes: ["1", "2", "3"].map { Sample.token($0) })
    }

    private static func challenge(until seconds: Int64 = 300) -> SignInChallenge {
        SignInChallenge(account: AccountID("a"), proof: proof, expiresAt: Sample.now.adding(seconds: seconds))
    }

    static let secondFactors: [StoreLaw] = [
        StoreLaw("a second factor is kept whole, and goes without a trace") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            let none = SecondFactor(of: AccountID("a"))
            try expect(try await accounts.secondFactor(of: AccountID("a")), is: none, "before")
            try await accounts.changeSecondFactor(of: AccountID("a")) { _, _ in
                AccountPlan([.secondFactor(.set(factor(of: "a")))])
            }
            try expect(try await accounts.secondFactor(of: AccountID("a")), is: factor(of: "a"), "what was set")
            try await accounts.changeSecondFactor(of: AccountID("a")) { found, _ in
                AccountPlan([.secondFactor(.set(SecondFactor(of: found.account)))])
            }
            try expect(try await accounts.secondFactor(of: AccountID("a")), is: none, "after its end")
            try await expect(.notFound, "an account that is not there") {
                try await accounts.changeSecondFactor(of: AccountID("b")) { _, _ in AccountPlan([]) }
            }
        },
        StoreLaw("of writes at once about one second factor each sees what the one before made of it") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            try await accounts.changeSecondFactor(of: AccountID("a")) { _, _ in
                AccountPlan([.secondFactor(.set(factor(of: "a")))])
            }
            let used = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 1...10 {
                    group.addTask {
                        try await accounts.changeSecondFactor(of: AccountID("a")) { found, _ in
                            var factor = found
                            guard let index = factor.recoveryCodes.firstIndex(of: Sample.token("2")) else {
                                return AccountPlan([], value: false)
                            }
                            factor.recoveryCodes.remove(at: index)
                            return AccountPlan([.secondFactor(.set(factor))], value: true)
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(used, is: 1, "how often a recovery code was used")
            let left = try await accounts.secondFactor(of: AccountID("a")).recoveryCodes
            try expect(left, is: [Sample.token("1"), Sample.token("3")], "the codes left")
        },
        StoreLaw("a challenge waits until it is answered, and the newest of an account do") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            try await accounts.issue(challenge(until: 10), digest: Sample.token("ended"), at: Sample.now)
            let later = Sample.now.adding(seconds: 10)
            for number in 0..<6 {
                try await accounts.issue(
                    challenge(until: 300 + Int64(number)), digest: Sample.token("\(number)"), at: later)
            }
            var left: [String] = []
            for name in ["ended"] + (0..<6).map({ "\($0)" })
            where try await accounts.signInChallenge(Sample.token(name)) != nil {
                left.append(name)
            }
            try expect(left, is: ["1", "2", "3", "4", "5"], "those that wait")
            let found = try await accounts.answer(Sample.token("3")) { challenge, factor in
                AccountPlan(
                    [.secondFactor(.removeChallenge(Sample.token("3")))], value: challenge.account == factor.account)
            }
            try expect(found, is: true, "whose it is")
            try await expect(.notFound, "one that was answered") {
                try await accounts.answer(Sample.token("3")) { _, _ in AccountPlan([]) }
            }
        },
        StoreLaw("who knows the password takes the place of no sign-in from a known device or another network") {
            place in
            let accounts = place.data.accounts
            try await place.make("a")
            func issue(_ name: String, known: Bool = false, by asker: UInt8, in network: UInt8 = 0) async throws {
                let challenge = SignInChallenge(
                    account: AccountID("a"), proof: proof,
                    asker: SignInChallenge.Asker(isKnown: known, digest: [asker], network: [network]),
                    expiresAt: Sample.now.adding(seconds: 300))
                try await accounts.issue(challenge, digest: Sample.token(name), at: Sample.now)
                try expect(try await accounts.signInChallenge(Sample.token(name)), is: challenge, "what is kept")
            }
            try await issue("known", known: true, by: 1)
            try await issue("elsewhere", by: 2, in: 2)
            for number in 0..<20 { try await issue("mine \(number)", by: 1) }
            // However many addresses of one network ask, it makes room itself.
            for number in 0..<200 { try await issue("other \(number)", by: 10 + UInt8(number)) }
            try await issue("late", by: 3, in: 3)
            for number in 0..<20 { try await issue("again \(number)", by: 10 + UInt8(number)) }
            try await issue("known again", known: true, by: 4)
            for name in ["known", "elsewhere", "late", "known again"] {
                try expect(try await accounts.signInChallenge(Sample.token(name)) != nil, "\(name) waits")
            }
            var left = 0
            for name in (0..<20).flatMap({ ["mine \($0)", "again \($0)"] }) + (0..<200).map({ "other \($0)" })
            where try await accounts.signInChallenge(Sample.token(name)) != nil {
                left += 1
            }
            try expect(left, is: SignInChallenge.capacityOfStrangers - 2, "those of the network")
        },
        StoreLaw("a session's last proof is its sign-in or a later one, and ends with it") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            for id in ["s", "t"] { try await place.open(Sample.session(id, of: "a")) }
            try expect(try await accounts.lastProof(of: SessionID("s")), is: Sample.now, "the sign-in")
            for seconds: Int64 in [60, 120] {
                try await accounts.prove(
                    SessionID("s"), of: AccountID("a"), at: Sample.now.adding(seconds: seconds), showing: .one, by: nil,
                    audit: Sample.entry("session.proven", of: "s", by: "a"))
            }
            let last = try await accounts.lastProof(of: SessionID("s"))
            try expect(last, is: Sample.now.adding(seconds: 120), "the last proof")
            try expect(try await accounts.lastProof(of: SessionID("t")), is: Sample.now, "another session's")
            try await accounts.end(SessionID("s"), of: AccountID("a"), audit: Sample.entry("x", of: "s"))
            try expect(try await accounts.lastProof(of: SessionID("s")), is: nil, "that of a session that ended")
            try await expect(.notFound, "a session that ended") {
                try await accounts.prove(
                    SessionID("s"), of: AccountID("a"), at: Sample.now, showing: .one, by: nil,
                    audit: Sample.entry("x", of: "s")
                )
            }
            try await expect(.notFound, "another account's session") {
                try await accounts.prove(
                    SessionID("t"), of: AccountID("b"), at: Sample.now, showing: .one, by: nil,
                    audit: Sample.entry("x", of: "t")
                )
            }
        },
        StoreLaw("with a password, an account and the hour the challenges end that belong to them") { place in
            let accounts = place.data.accounts
            for id in ["a", "b"] { try await place.make(id, password: try Sample.hash("h")) }
            let other = SignInChallenge(
                account: AccountID("b"), proof: proof, expiresAt: Sample.now.adding(seconds: 300))
            try await accounts.issue(challenge(), digest: Sample.token("mine"), at: Sample.now)
            try await accounts.issue(other, digest: Sample.token("other"), at: Sample.now)
            try await accounts.setPassword(
                try Sample.hash("i"), of: AccountID("a"), keeping: nil, audit: Sample.entry("x", of: "a"))
            try expect(try await accounts.signInChallenge(Sample.token("mine")), is: nil, "after a new password")
            try expect(try await accounts.signInChallenge(Sample.token("other")), is: other, "another account's")
            try await accounts.changeSecondFactor(of: AccountID("b")) { _, _ in
                AccountPlan([.secondFactor(.set(factor(of: "b")))])
            }
            try await accounts.delete(AccountID("b")) { _ in Sample.entry("account.deleted", of: "b") }
            try expect(try await accounts.signInChallenge(Sample.token("other")), is: nil, "without its account")
            try expect(
                try await accounts.secondFactor(of: AccountID("b")), is: SecondFactor(of: AccountID("b")),
                "the second factor of an account that is gone")
            try await accounts.issue(challenge(), digest: Sample.token("old"), at: Sample.now)
            try await accounts.forgetEnded(before: Sample.now.adding(seconds: 300))
            try expect(try await accounts.signInChallenge(Sample.token("old")), is: nil, "after the hour")
        },
        StoreLaw("what was shown in a session is kept, and never becomes less") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            try await place.open(Sample.session("s", of: "a"))
            func shown() async throws -> ShownFactors? {
                let found = try await accounts.session(SessionID("s"), of: a)
                return found?.session.factors
            }
            func prove(_ factors: ShownFactors) async throws {
                try await accounts.prove(
                    SessionID("s"), of: a, at: Sample.now, showing: factors, by: nil, audit: Sample.entry("x", of: "s"))
            }
            try expect(try await shown(), is: .one, "after the sign-in")
            let steps: [(ShownFactors, ShownFactors)] = [
                (.own, .own), (.one, .own), (.vouched(by: "i"), .vouched(by: "i")), (.own, .vouched(by: "i")),
                (.vouched(by: "j"), .vouched(by: "j")), (.one, .vouched(by: "j")),
            ]
            for (factors, wanted) in steps {
                try await prove(factors)
                try expect(try await shown(), is: wanted, "after \(factors)")
            }
        },
        StoreLaw("a sign-in proves as of the moment when its owner was asked, however long ago") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            let before = Sample.now.adding(seconds: -3_600)
            try await place.open(Sample.session("s", of: "a"), askedAt: before)
            try expect(try await accounts.lastProof(of: SessionID("s")), is: before, "the last proof")
        },
        StoreLaw("what a provider says proves once, and of the account's own person alone") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            for id in ["a", "b"] { try await place.make(id) }
            for (id, subject) in [("a", "ada"), ("b", "bob")] {
                _ = try await accounts.link(
                    Sample.assertion("link \(id)", of: subject), to: AccountID(id), by: Sample.act(by: id))
            }
            try await place.open(Sample.session("s", of: "a"), askedAt: Sample.now.adding(seconds: -3_600))
            @Sendable func prove(_ name: String, of subject: String) async throws {
                try await accounts.prove(
                    SessionID("s"), of: a, at: Sample.now, showing: .one, by: Sample.assertion(name, of: subject),
                    audit: Sample.entry("x", of: "s"))
            }
            for subject in ["bob", "eve"] {
                try await expect(.moved, "by \(subject)") { try await prove("said of \(subject)", of: subject) }
            }
            let ends = await atOnce(5) { _ in try await prove("said once", of: "ada") }
            try expect(ends.made, is: 1, "how often it proved")
            try expect(ends.errors.allSatisfy { $0 == .taken(field: "digest") }, "the others are told")
            try expect(try await accounts.lastProof(of: SessionID("s")), is: Sample.now, "the last proof")
        },
        StoreLaw("with a lost second factor go passkeys, sessions and API tokens at once, and each end is told") {
            place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            for id in ["a", "b"] { try await place.make(id) }
            func lose(_ id: String) async throws {
                try await accounts.endLostFactors(of: AccountID(id), audit: Sample.entry("x", of: id))
            }
            try await expect(.notFound, "an account that is not there") { try await lose("c") }
            try await expect(.notFound, "an account without a second factor") { try await lose("a") }
            try await accounts.changeSecondFactor(of: a) { _, _ in AccountPlan([.secondFactor(.set(factor(of: "a")))]) }
            for id in ["a", "b"] {
                try await place.open(Sample.session("s\(id)", of: id, showing: .own))
                let token = APIToken(
                    id: APITokenID("t\(id)"), account: AccountID(id), name: id, scopes: [], factors: .own,
                    createdAt: Sample.now, expiresAt: Sample.now.adding(seconds: 600))
                try await accounts.changeAPITokens(of: AccountID(id)) { _ in
                    AccountPlan([.apiToken(.insert(token, digest: Sample.token("t\(id)")))])
                }
            }
            let told = place.told.count
            try await lose("a")
            try expect(try await accounts.secondFactor(of: a), is: SecondFactor(of: a), "the second factor")
            try expect(try await accounts.sessions(of: a).count, is: 0, "the sessions")
            try expect(try await accounts.apiTokens(of: a).count, is: 0, "the tokens")
            try expect(
                place.told(after: told), is: [.sessionEnded(SessionID("sa")), .tokenEnded(APITokenID("ta"))],
                "what is told")
            try expect(try await accounts.sessions(of: AccountID("b")).count, is: 1, "another account's sessions")
            try expect(try await accounts.apiTokens(of: AccountID("b")).count, is: 1, "another account's tokens")
        },
        StoreLaw("a presumed word on second factors counts until a sign-in or a proof through the issuer says") {
            place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            func presume(_ issuer: String) async throws {
                _ = try await accounts.changeSecondFactor(of: a) { _, _ in
                    AccountPlan([
                        .identity(
                            .insert(
                                LinkedIdentity(
                                    issuer: issuer, subject: "ada", account: a, linkedAt: Sample.now,
                                    vouching: .presumed)))
                    ])
                }
            }
            func vouching() async throws -> [Vouching] { try await accounts.identities(of: a).map(\.vouching) }
            for issuer in ["i", "j", "k", "l"] { try await presume(issuer) }
            try await place.open(Sample.session("own", of: "a"))
            try expect(try await vouching(), is: [.presumed, .presumed, .presumed, .presumed], "at first")
            try expect(
                try await accounts.session(SessionID("own"), of: a)?.factors.vouchers, is: ["i", "j", "k", "l"],
                "who vouches")
            try await place.open(
                Sample.session("1", of: "a", showing: .vouched(by: "i")),
                by: .identity(Sample.assertion("1", of: "ada", issuer: "i")))
            try await place.open(
                Sample.session("2", of: "a"), by: .identity(Sample.assertion("2", of: "ada", issuer: "j")))
            for (factors, issuer) in [(ShownFactors.vouched(by: "k"), "k"), (.one, "l")] {
                try await accounts.prove(
                    SessionID("own"), of: a, at: Sample.now, showing: factors,
                    by: Sample.assertion("proof \(issuer)", of: "ada", issuer: issuer),
                    audit: Sample.entry("x", of: "own"))
            }
            try expect(try await vouching(), is: [.given, .none, .given, .none], "once each was asked")
        },
        StoreLaw("with a session stands what is true of its account's second factor at that moment") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            for id in ["school", "other"] { try await place.makeInstitution(id) }
            try await place.open(Sample.session("s", of: "a"), token: "t")
            func found() async throws -> FactorStanding? {
                let byToken = try await accounts.session(Sample.token("t"))
                try expect(byToken, is: try await accounts.session(SessionID("s"), of: a), "the session by its token")
                return byToken?.factors
            }
            func demand(_ demand: SecondFactorDemand, in institution: String = "school") async throws {
                _ = try await place.data.institutions.amend(InstitutionID(institution)) { before in
                    var after = before
                    after.secondFactor = demand
                    return InstitutionChange(institution: after, audit: Sample.entry("x", of: "i", in: institution))
                }
            }
            try expect(try await found(), is: FactorStanding(), "at first")
            try await accounts.changeSecondFactor(of: a) { _, _ in AccountPlan([.secondFactor(.set(factor(of: "a")))]) }
            try expect(try await found(), is: FactorStanding(hasApp: true), "with an app")
            try await accounts.changeSecondFactor(of: a) { found, _ in
                AccountPlan([.secondFactor(.set(SecondFactor(of: found.account, enrolment: found.enrolment)))])
            }
            try expect(try await found(), is: FactorStanding(), "with an app that is being set up")
            try await demand(.staff)
            try await demand(.staff, in: "other")
            try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            try expect(try await found(), is: FactorStanding(), "a student")
            try await place.set(Sample.membership(of: "a", in: "school", as: .teacher), of: "a")
            try expect(try await found(), is: FactorStanding(isWanted: true), "a teacher")
            try await demand(.none)
            try expect(try await found(), is: FactorStanding(), "where nothing is asked for any more")
            for issuer in ["i", "j"] {
                _ = try await accounts.link(
                    Sample.assertion(issuer, of: "ada", issuer: issuer), to: a, by: Sample.act(by: "a"))
            }
            try await place.open(
                Sample.session("u", of: "a", showing: .vouched(by: "j")),
                by: .identity(Sample.assertion("k", of: "ada", issuer: "j")))
            try expect(try await found(), is: FactorStanding(vouchers: ["j"]), "with a provider that vouches for it")
            try await accounts.changeSecondFactor(of: a) { _, _ in AccountPlan([.identity(.forgetVouching(of: a))]) }
            try expect(try await found(), is: FactorStanding(), "once that is forgotten")
        },
        StoreLaw("what an institution asks of its staff is told of each of them, and voids their permits") { place in
            try await place.makeInstitution()
            for (id, role) in [("r", MemberRole.registrar), ("t", .teacher), ("s", .student)] {
                try await place.make(id)
                try await place.set(Sample.membership(of: id, in: "school", as: role), of: id)
            }
            try await place.store.create("record")
            let permit = place.store.context(
                by: AccountID("t"), access: try await place.store.access(of: AccountID("t")))
            let told = place.told.count
            _ = try await place.data.institutions.amend(InstitutionID("school")) { before in
                var after = before
                after.secondFactor = .staff
                return InstitutionChange(institution: after, audit: Sample.entry("x", of: "school", in: "school"))
            }
            try expect(
                Set(place.told(after: told)), is: [.accessChanged(AccountID("r")), .accessChanged(AccountID("t"))],
                "what was told")
            try await expect(.moved, "a write under the permit of before") {
                _ = try await place.store.amend(RecordID("record"), by: permit) { _ in Sample.amendment("b") }
            }
        },
    ]
}
