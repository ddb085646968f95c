import Accounts
import DataStore
import GradingKit
import Shared

extension StoreLaw {
    private static let address = EmailAddress(stored: "ada@example.org")

    private static func pending(_ token: String = "t") -> AccountEmail {
        AccountEmail(
            of: AccountID("a"),
            pending: AccountEmail.Pending(
                address: address, token: Sample.token(token), expiresAt: Sample.now.adding(seconds: 60)), in: .french)
    }

    static let emails: [StoreLaw] = [
        StoreLaw("an address is kept as it was set, and found by the token that confirms it") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            try expect(try await accounts.email(of: AccountID("a")), is: AccountEmail(of: AccountID("a")), "none")
            try await place.set(pending())
            try expect(try await accounts.email(of: AccountID("a")), is: pending(), "one that waits")
            let found = try await accounts.account(confirming: Sample.token("t"))
            try expect(found, is: AccountID("a"), "whose token it is")
            let confirmed = AccountEmail(of: AccountID("a"), address: address, confirmedAt: Sample.now, in: .french)
            try await place.set(confirmed)
            try expect(try await accounts.email(of: AccountID("a")), is: confirmed, "one that is confirmed")
            try expect(try await accounts.account(confirming: Sample.token("t")), is: nil, "a token that was used")
            try await place.set(AccountEmail(of: AccountID("a")))
            try expect(try await accounts.email(of: AccountID("a")), is: AccountEmail(of: AccountID("a")), "none again")
            try await expect(.notFound, "an account that is not there") { try await place.set(pending(), of: "b") }
        },
        StoreLaw("an address is not unique, and goes with its account") { place in
            let accounts = place.data.accounts
            for id in ["a", "b"] {
                try await place.make(id)
                try await place.set(
                    AccountEmail(of: AccountID(id), address: address, confirmedAt: Sample.now), of: id)
            }
            try await accounts.delete(AccountID("a")) { _ in Sample.entry("account.deleted", of: "a") }
            try expect(try await accounts.email(of: AccountID("a")).isEmpty, "the address went")
            try expect(try await accounts.email(of: AccountID("b")).address, is: address, "another account's stayed")
        },
        StoreLaw("news that wait for an address are taken back, and other mails of the account are not") { place in
            let a = AccountID("a")
            try await place.make("a")
            let email = AccountEmail(of: a, address: address, confirmedAt: Sample.now)
            try await place.data.accounts.changeEmail(of: a, sending: nil, at: Sample.now) { _ in
                AccountPlan(
                    [.email(.set(email))],
                    mails: [Mail.Kind.notice, .security].map {
                        Mail(id: $0.rawValue, $0, to: address, about: a, in: .english, at: Sample.now)
                    })
            }
            try await place.data.accounts.changeEmail(of: a, sending: nil, at: Sample.now) { _ in
                AccountPlan([.email(.takeBackMails(.notice, of: a))])
            }
            let claims = try await place.data.mails.claimMails(10, at: Sample.now).claims
            try expect(claims.map(\.mail.kind), is: [.security], "the mails")
        },
        StoreLaw("a wish for a reset is kept once for a login, whether or not there is such an account") { place in
            let accounts = place.data.accounts
            try await place.make("a", login: "ada")
            try await place.set(AccountEmail(of: AccountID("a"), address: address, confirmedAt: Sample.now))
            for login in ["nobody", "ada", "nobody"] {
                let noted = try await accounts.note(wish(login))
                try expect(noted, "the wish for \(login) was noted")
            }
            let wishes = try await accounts.resetWishes(10)
            try expect(wishes, is: [wish("ada"), wish("nobody")], "the wishes")
            for wish in wishes {
                try await accounts.answer(wish, at: Sample.now) { situation in
                    try expect(
                        situation?.email.account.id, is: wish.login.text == "ada" ? AccountID("a") : nil, "whose")
                    try expect(situation?.hasPassword ?? false, is: wish.login.text == "ada", "a password")
                    return AccountPlan([.email(.removeResetWish(wish))])
                }
            }
            try expect(try await accounts.resetWishes(10), is: [], "the wishes left")
        },
        StoreLaw("a wish of an account or a device is kept beside a guest's and known by what it shows") {
            place in
            let accounts = place.data.accounts
            try await place.make("a", login: "ada")
            try await place.open(Sample.session("s", of: "a"), device: "d")
            let wishes = [
                wish("ada"), wish("ada", device: "x"), wish("ada", account: "b"), wish("ada", device: "d"),
                wish("ada", account: "a"),
            ]
            for wish in wishes + wishes { _ = try await accounts.note(wish) }
            try expect(try await accounts.resetWishes(10), is: wishes, "the wishes")
            for (wish, kind) in zip(wishes, [.reset, .reset, .reset, .ownReset, .ownReset] as [Mail.Kind]) {
                try await accounts.answer(wish, at: Sample.now) { situation in
                    try expect(situation?.kind, is: kind, "the kind of mail")
                    return AccountPlan([.email(.removeResetWish(wish))])
                }
            }
            try expect(try await accounts.resetWishes(10), is: [], "the wishes left")
        },
        StoreLaw("a sign-in from another device is told to the address, and one from a known device is not") { place in
            try await place.make("a")
            try await place.set(AccountEmail(of: AccountID("a"), address: address, confirmedAt: Sample.now))
            let notice = NewDeviceNotice(
                mail: "m", device: { _ in "Phone" }, source: "192.0.2.1", at: Sample.now)
            try await place.open(Sample.session("s", of: "a"), device: "d")
            for (session, device) in [("t", "d"), ("u", "e")] {
                _ = try await place.data.accounts.insert(
                    Sample.session(session, of: "a"), by: .password(Sample.hash("p")), provenAt: Sample.now,
                    token: Sample.token(session), device: Sample.token(device),
                    audit: Sample.entry("session.opened", of: session), telling: notice)
            }
            let (claims, _) = try await place.data.mails.claimMails(10, at: Sample.now)
            try expect(claims.map(\.mail.kind), is: [.newDevice], "the mails")
            try expect(claims.first?.mail.recipient, is: address, "to whom")
        },
        StoreLaw("what changes the ways into an account is told with the change, and so often in an hour") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            func act(_ action: String, by account: String? = "a", at seconds: Int64 = 0) -> AuditEntry {
                AuditContext(
                    by: account.map { AccountID($0) }, from: "192.0.2.1", at: Sample.now.adding(seconds: seconds)
                ).entry(action, of: "a")
            }
            func change(_ entry: AuditEntry, failing: Bool = false) async throws {
                try await accounts.changeSecondFactor(of: a) { _, _ in
                    if failing { throw StoreError.moved }
                    return AccountPlan([], audit: [entry])
                }
            }
            func waiting() async throws -> Int { try await place.data.mails.waitingMails() }
            try await change(act("second-factor.set"))
            try expect(try await waiting(), is: 0, "without an address")
            try await place.set(AccountEmail(of: a, address: address, confirmedAt: Sample.now))
            try await change(act("session.ended"))
            try await expect(.moved, "a change that is refused") {
                try await change(act("second-factor.set"), failing: true)
            }
            try expect(try await waiting(), is: 0, "of what is not told, or did not happen")
            try await change(act("second-factor.removed", by: nil))
            try await accounts.append(act("passkey.refused", at: 1))
            let told = try await place.data.mails.claimMails(10, at: Sample.now.adding(seconds: 1)).claims.map(\.mail)
            try expect(told.map { $0.particulars["action"] }, is: ["second-factor.removed", "passkey.refused"], "what")
            try expect(told.map { $0.particulars["source"] }, is: ["", "192.0.2.1"], "from where")
            try expect(told.map(\.recipient), is: [address, address], "to whom")
            let most = Mail.Kind.security.limits.first?.most ?? 0
            for number in 2..<(2 * most) { try await change(act("token.created", at: Int64(number))) }
            try expect(try await waiting(), is: most, "in an hour")
            try await change(act("token.created", at: 7_200))
            try expect(try await waiting(), is: most + 1, "after it")
        },
    ]

    private static func wish(_ login: String, account: String? = nil, device: String? = nil) -> ResetWish {
        ResetWish(
            login: Login(stored: login), account: account.map { AccountID($0) },
            device: device.map { Sample.token($0) },
            from: "192.0.2.1", at: Sample.now)
    }
}

extension StoreUnderTest {
    /// Sets what is known of an account's address.
    fileprivate func set(_ email: AccountEmail, of id: String = "a") async throws {
        try await data.accounts.changeEmail(of: AccountID(id), sending: nil, at: Sample.now) { _ in
            AccountPlan([.email(.set(email))])
        }
    }
}
