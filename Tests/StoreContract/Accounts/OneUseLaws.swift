import Accounts
import DataStore
import Shared

extension StoreLaw {
    private static let holder = OneUseToken.Holder(network: [1], source: [1])

    private static func ticket(
        _ name: String, of holder: OneUseToken.Holder = holder, until seconds: Int64 = 30
    ) -> OneUseToken {
        OneUseToken(.session(Sample.token(name)), of: holder, expiresAt: Sample.now.adding(seconds: seconds))
    }

    static let oneUseTokens: [StoreLaw] = [
        StoreLaw("a token is used once, however many show it at once, and stands for what it was issued for") { place in
            let accounts = place.data.accounts
            let attempt = OneUseToken(
                .attempt(
                    SignInAttempt(
                        provider: ProviderID(stored: "p"), purpose: .link, account: AccountID("a"), name: "n",
                        verifier: "v", nonce: "o", returnTo: "/records", begunAt: Sample.now)),
                of: OneUseToken.Holder(network: [2], source: [3]), expiresAt: Sample.now.adding(seconds: 600))
            let others = [nil, AccountID("a")].map { account in
                OneUseToken(
                    .passkey(PasskeyChallenge(purpose: account == nil ? .signIn : .proof, account: account)),
                    of: holder, expiresAt: Sample.now.adding(seconds: 300))
            }
            let guest = OneUseToken(
                .attempt(
                    SignInAttempt(provider: ProviderID(stored: "p"), account: nil, name: "n", begunAt: Sample.now)),
                of: holder, expiresAt: Sample.now.adding(seconds: 600))
            try expect(
                Set(([guest, attempt] + others).map(\.kind)).count, is: 4, "guests and accounts have kinds of their own"
            )
            for (name, token) in [("t", ticket("s")), ("u", attempt), ("g", guest), ("c", others[0]), ("d", others[1])]
            {
                try await accounts.issue(token, digest: Sample.token(name), at: Sample.now)
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
                try await accounts.issue(ticket("s"), digest: Sample.token(name), at: Sample.now)
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
            try await place.data.accounts.issue(ticket("s"), digest: Sample.token("t"), at: Sample.now)
            let reopened = try await place.reopened()
            let found = try await reopened.data.accounts.redeem(Sample.token("t"), at: Sample.now) { _ in true }
            try expect(found, is: ticket("s"), "what it stands for")
            await reopened.close()
        },
        StoreLaw("of too many tokens the fullest source of the fullest network loses its oldest") { place in
            let accounts = place.data.accounts
            func issue(_ name: String, _ network: UInt8, _ source: UInt8, until seconds: Int64 = 30) async throws {
                let holder = OneUseToken.Holder(network: [network], source: [source])
                try await accounts.issue(
                    ticket(name, of: holder, until: seconds), digest: Sample.token(name), at: Sample.now, keeping: 8)
            }
            func left(of names: [String]) async throws -> [String] {
                var left: [String] = []
                for name in names
                where try await accounts.redeem(Sample.token(name), at: Sample.now, if: { _ in true }) != nil {
                    left.append(name)
                }
                return left
            }
            try await issue("first", 1, 1)
            try await issue("second", 2, 20)
            let flood = (0..<30).map { "flood \($0)" }
            for (index, name) in flood.enumerated() { try await issue(name, 3, index == 0 ? 30 : 31) }
            let names = ["first", "second"] + flood
            try expect(
                try await left(of: names), is: ["first", "second", "flood 0"] + flood.suffix(5), "those that stay")
            // What was used up makes room, and what one has at a time is counted right after that.
            let more = (0..<8).map { "more \($0)" }
            for (index, name) in more.enumerated() { try await issue(name, UInt8(index), UInt8(index)) }
            try await issue("last", 9, 9)
            try expect(try await left(of: more + ["last"]), is: Array(more.dropFirst()) + ["last"], "the newest")
        },
        StoreLaw("tokens that were forgotten make room for others of their holder") { place in
            let accounts = place.data.accounts
            func issue(_ name: String, _ network: UInt8, until seconds: Int64) async throws {
                let token = ticket(name, of: OneUseToken.Holder(network: [network], source: [network]), until: seconds)
                try await accounts.issue(token, digest: Sample.token(name), at: Sample.now, keeping: 4)
            }
            for (name, network) in [("a", 1), ("b", 1), ("c", 1), ("d", 2)] as [(String, UInt8)] {
                try await issue(name, network, until: network == 1 ? 10 : 60)
            }
            try await accounts.forgetEnded(before: Sample.now.adding(seconds: 10))
            for name in ["e", "f", "g"] { try await issue(name, 2, until: 60) }
            try await issue("h", 1, until: 60)
            for (name, isThere) in [("d", false), ("e", true), ("f", true), ("g", true), ("h", true)] {
                let found = try await accounts.redeem(Sample.token(name), at: Sample.now) { _ in true }
                try expect(found != nil, is: isThere, name)
            }
        },
    ]
}
