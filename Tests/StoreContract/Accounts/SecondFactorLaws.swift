import Accounts
import DataStore
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
                AccountPlan([.setSecondFactor(factor(of: "a"))])
            }
            try expect(try await accounts.secondFactor(of: AccountID("a")), is: factor(of: "a"), "what was set")
            try await accounts.changeSecondFactor(of: AccountID("a")) { found, _ in
                AccountPlan([.setSecondFactor(SecondFactor(of: found.account))])
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
                AccountPlan([.setSecondFactor(factor(of: "a"))])
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
                            return AccountPlan([.setSecondFactor(factor)], value: true)
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
                AccountPlan([.removeChallenge(Sample.token("3"))], value: challenge.account == factor.account)
            }
            try expect(found, is: true, "whose it is")
            try await expect(.notFound, "one that was answered") {
                try await accounts.answer(Sample.token("3")) { _, _ in AccountPlan([]) }
            }
        },
        StoreLaw("a session's last proof is its sign-in or a later one, and ends with it") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            for id in ["s", "t"] { try await place.open(Sample.session(id, of: "a")) }
            try expect(try await accounts.lastProof(of: SessionID("s")), is: Sample.now, "the sign-in")
            for seconds: Int64 in [60, 120] {
                try await accounts.prove(
                    SessionID("s"), of: AccountID("a"), at: Sample.now.adding(seconds: seconds), showing: .one,
                    audit: Sample.entry("session.proven", of: "s", by: "a"))
            }
            let last = try await accounts.lastProof(of: SessionID("s"))
            try expect(last, is: Sample.now.adding(seconds: 120), "the last proof")
            try expect(try await accounts.lastProof(of: SessionID("t")), is: Sample.now, "another session's")
            try await accounts.end(SessionID("s"), of: AccountID("a"), audit: Sample.entry("x", of: "s"))
            try expect(try await accounts.lastProof(of: SessionID("s")), is: nil, "that of a session that ended")
            try await expect(.notFound, "a session that ended") {
                try await accounts.prove(
                    SessionID("s"), of: AccountID("a"), at: Sample.now, showing: .one,
                    audit: Sample.entry("x", of: "s"))
            }
            try await expect(.notFound, "another account's session") {
                try await accounts.prove(
                    SessionID("t"), of: AccountID("b"), at: Sample.now, showing: .one,
                    audit: Sample.entry("x", of: "t"))
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
                AccountPlan([.setSecondFactor(factor(of: "b"))])
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
    ]
}
