import Accounts
import DataStore
import Records
import Shared

extension StoreLaw {
    private static func apiToken(
        _ id: String, of account: String, until end: Timestamp = Sample.now.adding(seconds: 600)
    ) -> APIToken {
        APIToken(
            id: APITokenID(id), account: AccountID(account), name: "Token \(id)",
            scopes: [.recordsRead, .profileRead], networks: ["192.0.2.0/24", "::1"], factors: .vouched(by: "i"),
            createdAt: Sample.now, expiresAt: end)
    }

    private static func make(_ token: APIToken, at place: any StoreUnderTest) async throws {
        try await place.data.accounts.changeAPITokens(of: token.account) { _ in
            AccountPlan([.apiToken(.insert(token, digest: Sample.token(token.id.text)))])
        }
    }

    static let apiTokens: [StoreLaw] = [
        StoreLaw("an API token is kept whole, and found by its digest with its account") { place in
            let accounts = place.data.accounts
            let owner = try await place.make("a")
            try await make(apiToken("t", of: "a"), at: place)
            guard let found = try await accounts.apiToken(Sample.token("t")) else {
                throw Violation(description: "the token is not found")
            }
            try expect(found.token, is: apiToken("t", of: "a"), "the token")
            try expect(found.account, is: owner, "its account")
            try expect(found.factors, is: FactorStanding(), "what is true of its second factor")
            try expect(try await accounts.apiToken(Sample.token("u"))?.token, is: nil, "another digest")
            let mine = try await accounts.apiToken(APITokenID("t"), of: AccountID("a"))
            try expect(mine?.token, is: apiToken("t", of: "a"), "the token by its name")
            let other = try await accounts.apiToken(APITokenID("t"), of: AccountID("b"))
            try expect(other?.token, is: nil, "the token as another account's")
            try await expect(.notFound, "an account that is not there") {
                try await accounts.changeAPITokens(of: AccountID("b")) { _ in AccountPlan([]) }
            }
        },
        StoreLaw("of changes at once of an account's API tokens each sees what the one before made of them") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            let made = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...10 {
                    group.addTask {
                        try await accounts.changeAPITokens(of: AccountID("a")) { situation in
                            guard situation.tokens.count < 3 else { return AccountPlan([], value: false) }
                            let token = apiToken("\(number)", of: "a")
                            return AccountPlan(
                                [.apiToken(.insert(token, digest: Sample.token(token.id.text)))], value: true)
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(made, is: 3, "how many were made")
            try expect(try await accounts.apiTokens(of: AccountID("a")).count, is: 3, "how many there are")
        },
        StoreLaw("an API token's last use is noted, and its end voids permits") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            for id in ["t", "u"] { try await make(apiToken(id, of: "a"), at: place) }
            let later = Sample.now.adding(seconds: 60)
            try await accounts.changeAPITokens(of: AccountID("a")) { _ in
                AccountPlan([.apiToken(.noteUse(APITokenID("t"), at: later))])
            }
            try expect(
                try await accounts.apiTokens(of: AccountID("a")).map(\.usedAt), is: [later, nil], "the last uses")
            try await place.store.create("r")
            let permit = place.store.context(
                by: AccountID("a"), access: try await place.store.access(of: AccountID("a")))
            try await accounts.changeAPITokens(of: AccountID("a")) { _ in
                AccountPlan(
                    [.apiToken(.remove(APITokenID("t")))], voided: [.account(AccountID("a"))],
                    events: [.tokenEnded(APITokenID("t"))])
            }
            try expect(place.told.last, is: .tokenEnded(APITokenID("t")), "what was told last")
            try expect(try await accounts.apiTokens(of: AccountID("a")).map(\.id.text), is: ["u"], "the token left")
            try await expect(.moved, "a write under the permit of before") {
                _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("b") }
            }
        },
        StoreLaw("API tokens go with their account, and some time after their end") { place in
            let accounts = place.data.accounts
            for id in ["a", "b"] { try await place.make(id) }
            try await make(apiToken("t", of: "a"), at: place)
            try await make(apiToken("u", of: "b"), at: place)
            try await make(apiToken("v", of: "b", until: Sample.now.adding(seconds: 601)), at: place)
            try await accounts.delete(AccountID("a")) { _ in Sample.entry("account.deleted", of: "a") }
            try expect(try await accounts.apiToken(Sample.token("t"))?.token, is: nil, "that of an erased account")
            try await accounts.forgetEnded(before: Sample.now.adding(seconds: 600))
            try expect(try await accounts.apiTokens(of: AccountID("b")).count, is: 2, "at their end")
            try await accounts.forgetEnded(before: Sample.now.adding(seconds: 600 + APIToken.memory))
            try expect(try await accounts.apiTokens(of: AccountID("b")).map(\.id.text), is: ["v"], "a month later")
        },
    ]
}
