import Accounts
import DataStore
import Shared

extension StoreLaw {
    static let passwords: [StoreLaw] = [
        StoreLaw("a new password ends the other sessions and voids the account's tokens") { place in
            let accounts = place.data.accounts
            try await place.make("a", password: try Sample.hash("h"))
            for id in ["s", "t"] { try await place.open(Sample.session(id, of: "a")) }
            try await accounts.issue(
                OneTimeToken(purpose: .reset, account: AccountID("a"), expiresAt: Sample.now.adding(seconds: 60)),
                digest: Sample.token("t"), audit: Sample.entry("x", of: "a"))
            try await accounts.setPassword(
                try Sample.hash("i"), of: AccountID("a"), keeping: SessionID("s"), audit: Sample.entry("x", of: "a"))
            try expect(try await accounts.password(of: AccountID("a")), is: try Sample.hash("i"), "the password")
            try expect(try await accounts.sessions(of: AccountID("a")).map(\.id.text), is: ["s"], "the session left")
            try expect(try await accounts.oneTimeToken(Sample.token("t")), is: nil, "the token")
            try await expect(.notFound, "an account that is not there") {
                try await accounts.setPassword(
                    try Sample.hash("i"), of: AccountID("b"), keeping: nil, audit: Sample.entry("x", of: "b"))
            }
        },
        StoreLaw("a session that has ended sets no password") { place in
            let accounts = place.data.accounts
            try await place.make("a", password: try Sample.hash("h"))
            try await place.open(Sample.session("s", of: "a"))
            try await accounts.setPassword(
                try Sample.hash("r"), of: AccountID("a"), keeping: nil, audit: Sample.entry("x", of: "a"))
            try await expect(.notFound, "a change that was under way") {
                try await accounts.setPassword(
                    try Sample.hash("l"), of: AccountID("a"), keeping: SessionID("s"),
                    audit: Sample.entry("x", of: "a"))
            }
            try expect(try await accounts.password(of: AccountID("a")), is: try Sample.hash("r"), "the password")
        },
        StoreLaw("a costlier hash takes the place of its own password's alone") { place in
            let accounts = place.data.accounts
            try await place.make("a", password: try Sample.hash("h"))
            try await accounts.rehash(try Sample.hash("j"), of: AccountID("a"), replacing: try Sample.hash("x"))
            try expect(try await accounts.password(of: AccountID("a")), is: try Sample.hash("h"), "the password")
            try await accounts.rehash(try Sample.hash("j"), of: AccountID("a"), replacing: try Sample.hash("h"))
            try expect(try await accounts.password(of: AccountID("a")), is: try Sample.hash("j"), "the password")
        },
        StoreLaw("a token of its purpose and account takes the place of the one before") { place in
            let accounts = place.data.accounts
            for id in ["a", "b"] { try await place.make(id) }
            func issue(_ name: String, _ purpose: OneTimeToken.Purpose, _ account: String?) async throws {
                try await accounts.issue(
                    OneTimeToken(
                        purpose: purpose, account: account.map { AccountID($0) },
                        expiresAt: Sample.now.adding(seconds: 60)), digest: Sample.token(name),
                    audit: Sample.entry("x", of: "a"))
            }
            try await issue("1", .reset, "a")
            try await issue("2", .invitation, "a")
            try await issue("3", .reset, "b")
            try await issue("4", .firstAdministrator, nil)
            try await issue("5", .reset, "a")
            try await issue("6", .firstAdministrator, nil)
            var left: [String] = []
            for name in ["1", "2", "3", "4", "5", "6"] {
                if try await accounts.oneTimeToken(Sample.token(name)) != nil { left.append(name) }
            }
            try expect(left, is: ["2", "3", "5", "6"], "the tokens left")
        },
        StoreLaw("a token sets a password once, before its end, however many use it at once") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            let end = Sample.now.adding(seconds: 60)
            try await accounts.issue(
                OneTimeToken(purpose: .reset, account: AccountID("a"), expiresAt: end), digest: Sample.token("t"),
                audit: Sample.entry("x", of: "a"))
            let hash = try Sample.hash("h")
            try await expect(.notFound, "a token that has expired") {
                try await accounts.redeem(
                    Sample.token("t"), at: end, password: hash, audit: Sample.entry("x", of: "a"))
            }
            let ends = await atOnce(10) { _ in
                try await accounts.redeem(
                    Sample.token("t"), at: Sample.now, password: hash, audit: Sample.entry("x", of: "a"))
            }
            try expect(ends.made, is: 1, "how often it was used")
            try expect(try await accounts.password(of: AccountID("a")), is: hash, "the password")
        },
        StoreLaw("a link holds no longer than its account and its maker's role") { place in
            let accounts = place.data.accounts
            for id in ["a", "b"] { try await place.make(id, password: try Sample.hash("h")) }
            for id in ["m", "n"] { try await place.make(id, role: .administrator, password: try Sample.hash("h")) }
            func issue(_ name: String, for id: String, by maker: String?) async throws {
                let token = OneTimeToken(
                    purpose: .reset, account: AccountID(id), maker: maker.map { AccountID($0) },
                    expiresAt: Sample.now.adding(seconds: 60))
                try await accounts.issue(token, digest: Sample.token(name), audit: Sample.entry("x", of: id))
                try expect(try await accounts.oneTimeToken(Sample.token(name)), is: token, "what is kept")
            }
            func amend(_ id: String, _ change: @escaping @Sendable (inout Account) -> Void) async throws {
                _ = try await accounts.amend(AccountID(id)) { situation in
                    var account = situation.account
                    change(&account)
                    return AccountChange(
                        account: account, endsSessions: account.isDisabled, audit: Sample.entry("x", of: id))
                }
            }
            try await issue("of a", for: "a", by: nil)
            try await issue("of b", for: "b", by: "m")
            try await amend("m") { $0.profile.description = "x" }
            try expect(try await accounts.oneTimeToken(Sample.token("of b")) != nil, "a change of something else")
            try await amend("m") { $0.role = nil }
            try expect(try await accounts.oneTimeToken(Sample.token("of b")), is: nil, "after the maker's demotion")
            try await issue("of b", for: "b", by: "n")
            try await amend("n") { $0.isDisabled = true }
            try expect(try await accounts.oneTimeToken(Sample.token("of b")), is: nil, "with a maker who is disabled")
            try await amend("a") { $0.isDisabled = true }
            try await amend("a") { $0.isDisabled = false }
            try expect(try await accounts.oneTimeToken(Sample.token("of a")), is: nil, "after the account was disabled")
        },
        StoreLaw("a new password and an end of all sessions make strangers of all devices but the one in use") {
            place in
            let accounts = place.data.accounts
            try await place.make("a", password: try Sample.hash("h"))
            let login = try await accounts.account(AccountID("a"))?.login ?? Login(stored: "")
            func open(_ names: String...) async throws {
                for name in names { try await place.open(Sample.session(name, of: "a"), device: "device of \(name)") }
            }
            func known(_ names: String...) async throws -> [Bool] {
                var known: [Bool] = []
                for name in names {
                    let found = try await accounts.credentials(of: login, device: Sample.token("device of \(name)"))
                    known.append(found?.knowsDevice ?? false)
                }
                return known
            }
            try await open("s1", "s2")
            try expect(try await known("s1", "s2"), is: [true, true], "before")
            try await accounts.setPassword(
                try Sample.hash("i"), of: AccountID("a"), keeping: nil, device: Sample.token("device of s1"),
                audit: Sample.entry("x", of: "a"))
            try expect(try await known("s1", "s2"), is: [true, false], "after a new password")
            try await accounts.endSessions(of: AccountID("a"), keeping: nil, audit: Sample.entry("x", of: "a"))
            try expect(try await known("s1", "s2"), is: [false, false], "after the end of all sessions")
        },
        StoreLaw("a token of the first administrator makes one account") { place in
            let accounts = place.data.accounts
            try await accounts.issue(
                OneTimeToken(purpose: .firstAdministrator, account: nil, expiresAt: Sample.now.adding(seconds: 60)),
                digest: Sample.token("t"), audit: Sample.entry("x", of: "firstAdministrator"))
            let hash = try Sample.hash("h")
            let ends = await atOnce(5) { number in
                _ = try await accounts.redeem(
                    Sample.token("t"), at: Sample.now,
                    creating: Sample.account("a\(number)", role: .administrator), password: hash,
                    audit: Sample.entry("x", of: "a\(number)"), unless: OpenWays())
            }
            try expect(ends.made, is: 1, "how many accounts were made")
            try expect(try await accounts.accounts(AccountQuery()).count, is: 1, "how many there are")
        },
        StoreLaw("a token of the first administrator is void once one can sign in") { place in
            let accounts = place.data.accounts
            let token = OneTimeToken(
                purpose: .firstAdministrator, account: nil, expiresAt: Sample.now.adding(seconds: 60))
            let hash = try Sample.hash("h")
            try await accounts.issue(
                token, digest: Sample.token("t"), audit: Sample.entry("x", of: "firstAdministrator"))
            try await place.make("a", role: .administrator, password: hash)
            let isMade = try await accounts.redeem(
                Sample.token("t"), at: Sample.now, creating: Sample.account("b", role: .administrator),
                password: hash, audit: Sample.entry("x", of: "b"), unless: OpenWays())
            try expect(!isMade, "no account is made")
            try expect(try await accounts.account(AccountID("b")), is: nil, "the account")
            try expect(try await accounts.oneTimeToken(Sample.token("t")), is: nil, "the token")
        },
    ]
}
