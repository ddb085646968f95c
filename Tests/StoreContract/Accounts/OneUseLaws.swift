import Accounts
import DataStore
import Shared

extension StoreLaw {
    private static func ticket(_ name: String, until seconds: Int64 = 30) -> OneUseToken {
        OneUseToken(.session(Sample.token(name)), expiresAt: Sample.now.adding(seconds: seconds))
    }

    static let oneUseTokens: [StoreLaw] = [
        StoreLaw("a token is used once, however many show it at once, and stands for what it was issued for") { place in
            let accounts = place.data.accounts
            let attempt = OneUseToken(
                .attempt(
                    SignInAttempt(
                        provider: ProviderID(stored: "p"), purpose: .link, account: AccountID("a"), name: "n",
                        verifier: "v", nonce: "o", returnTo: "/records", begunAt: Sample.now)),
                expiresAt: Sample.now.adding(seconds: 600))
            let others = [nil, AccountID("a")].map { account in
                OneUseToken(
                    .passkey(PasskeyChallenge(purpose: account == nil ? .signIn : .proof, account: account)),
                    expiresAt: Sample.now.adding(seconds: 300))
            }
            let guest = OneUseToken(
                .attempt(
                    SignInAttempt(provider: ProviderID(stored: "p"), account: nil, name: "n", begunAt: Sample.now)),
                expiresAt: Sample.now.adding(seconds: 600))
            try expect(
                Set(([guest, attempt] + others).map(\.kind)).count, is: 4, "guests and accounts have kinds of their own"
            )
            for (name, token) in [("t", ticket("s")), ("u", attempt), ("g", guest), ("c", others[0]), ("d", others[1])]
            {
                try expect(
                    try await accounts.issue(token, digest: Sample.token(name), at: Sample.now), "it was issued")
                let found = try await withThrowingTaskGroup(of: OneUseToken?.self) { group in
                    for _ in 1...10 {
                        group.addTask {
                            try await accounts.redeem(Sample.token(name), at: Sample.now) { _ in true }
                        }
                    }
                    return try await group.reduce(into: [OneUseToken]()) { if let token = $1 { $0.append(token) } }
                }
                try expect(found, is: [token], "what it stood for")
            }
        },
        StoreLaw("a token that is over opens nothing; one that is not wanted is left alone") { place in
            let accounts = place.data.accounts
            for name in ["t", "u"] {
                _ = try await accounts.issue(ticket("s"), digest: Sample.token(name), at: Sample.now)
            }
            let end = Sample.now.adding(seconds: 30)
            let late = try await accounts.redeem(Sample.token("t"), at: end) { _ in true }
            try expect(late, is: nil, "one that is over")
            let unwanted = try await accounts.redeem(Sample.token("u"), at: Sample.now) { _ in false }
            try expect(unwanted, is: nil, "one that is not wanted")
            let wanted = try await accounts.redeem(Sample.token("u"), at: Sample.now) { $0.kind == .liveTicket }
            try expect(wanted, is: ticket("s"), "the same, wanted")
            let never = try await accounts.redeem(Sample.token("x"), at: Sample.now) { _ in true }
            try expect(never, is: nil, "one that never was")
        },
        StoreLaw("a token outlives a restart") { place in
            _ = try await place.data.accounts.issue(ticket("s"), digest: Sample.token("t"), at: Sample.now)
            let reopened = try await place.reopened()
            let found = try await reopened.data.accounts.redeem(Sample.token("t"), at: Sample.now) { _ in true }
            try expect(found, is: ticket("s"), "what it stands for")
            await reopened.close()
        },
    ]
}
