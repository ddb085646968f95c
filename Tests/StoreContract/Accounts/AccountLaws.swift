import Accounts
import DataStore
import Records
import Shared

extension StoreLaw {
    static let accounts: [StoreLaw] = [
        StoreLaw("a login is one account's, however many ask for it at once") { place in
            let ends = await atOnce(20) { try await place.make("a\($0)", login: "ada") }
            try expect(ends.made, is: 1, "the number of accounts")
            try expect(Set(ends.errors.map { "\($0)" }), is: ["\(StoreError.taken(field: "login"))"], "the refusals")
            try await place.make("b")
            try await expect(.taken(field: "login"), "a change to a login that is taken") {
                try await place.data.accounts.amend(AccountID("b")) { situation in
                    var account = situation.account
                    account.login = Login(stored: "ada")
                    return AccountChange(account: account, endsSessions: false, audit: Sample.entry("x", of: "b"))
                }
            }
            try expect(try await place.data.accounts.account(AccountID("b"))?.login.text, is: "b", "the login")
        },
        StoreLaw("an account is what was stored") { place in
            let account = try await place.make("a", role: .administrator, password: try Sample.hash("h"))
            try expect(try await place.data.accounts.account(account.id), is: account, "the account")
            try expect(try await place.data.accounts.password(of: account.id), is: try Sample.hash("h"), "the password")
            try expect(try await place.data.accounts.account(AccountID("b")), is: nil, "another one")
            let names = try await place.data.accounts.names(of: [account.id, AccountID("b")])
            try expect(names, is: [account.id: AccountNames(displayName: "a")], "the names")
            try expect(
                try await place.data.accounts.administrators().map(\.hasPassword), is: [true], "the administrators")
        },
        StoreLaw("a first and a last name are what was stored until they are taken away, and searches find them") {
            place in
            let accounts = place.data.accounts
            try await place.make("a")
            for name in [PersonName(given: "Ada", family: "Lovelace"), PersonName(family: "Byron"), .none] {
                try await place.call("a", name)
                try expect(try await accounts.account(AccountID("a"))?.profile.personName, is: name, "the account's")
                let names = try await accounts.names(of: [AccountID("a")])
                let expected = AccountNames(displayName: "a", personName: name)
                try expect(names, is: [AccountID("a"): expected], "those beside the displayed name")
                for text in ["lovelace", "byron"] {
                    let found = try await accounts.accounts(AccountQuery(text: text)).map(\.id.text)
                    try expect(found, is: name.family?.lowercased() == text ? ["a"] : [], "by \(text)")
                }
            }
        },
        StoreLaw("a change sees the truth, and none of many at once is lost") { place in
            try await place.make("a")
            let ends = await atOnce(20) { _ in
                _ = try await place.data.accounts.amend(AccountID("a")) { situation in
                    var account = situation.account
                    account.profile.description += "."
                    return AccountChange(account: account, endsSessions: false, audit: Sample.entry("x", of: "a"))
                }
            }
            try expect(ends.made, is: 20, "the changes made")
            let description = try await place.data.accounts.account(AccountID("a"))?.profile.description
            try expect(description?.utf8.count, is: 20, "the changes kept")
        },
        StoreLaw("what a change throws stores nothing") { place in
            struct Refusal: Error {}
            try await place.make("a")
            let (told, access) = (place.told.count, try await place.store.access(of: AccountID("a")))
            do {
                _ = try await place.data.accounts.amend(AccountID("a")) { _ in throw Refusal() }
                throw Violation(description: "nothing was thrown")
            } catch is Refusal {}
            try await expect(.notFound, "an account that is not there") {
                try await place.data.accounts.amend(AccountID("b")) { _ in throw Refusal() }
            }
            try expect(place.told(after: told), is: [], "what was told")
            try expect(try await place.store.access(of: AccountID("a")), is: access, "the access versions")
            let lines = try await place.data.accounts.auditItems(AuditQuery())
            try expect(lines.count, is: 1, "the lines of the trail")
        },
        StoreLaw("of two administrators who step down at once, one stays") { place in
            for id in ["a", "b"] { try await place.make(id, role: .administrator, password: try Sample.hash("h")) }
            let ends = await atOnce(2) { number in
                _ = try await place.data.accounts.amend(AccountID(["a", "b"][number])) { situation in
                    guard situation.otherAdministrators.contains(where: \.hasPassword) else { throw StoreError.moved }
                    var account = situation.account
                    account.role = nil
                    return AccountChange(
                        account: account, endsSessions: true, audit: Sample.entry("x", of: account.id.text))
                }
            }
            try expect(ends.made, is: 1, "how many stepped down")
            try expect(
                try await place.data.accounts.administrators().map(\.hasPassword), is: [true], "the administrators")
        },
        StoreLaw("a change of what an account may do ends its sessions, voids its permits and is told") { place in
            try await place.make("a")
            try await place.open(Sample.session("s", of: "a"))
            try await place.store.create("r")
            let permit = place.store.context(
                by: AccountID("a"), access: try await place.store.access(of: AccountID("a")))
            let told = place.told.count
            _ = try await place.data.accounts.amend(AccountID("a")) { situation in
                AccountChange(account: situation.account, endsSessions: true, audit: Sample.entry("x", of: "a"))
            }
            let sessions = try await place.data.accounts.sessions(of: AccountID("a"))
            try expect(sessions, is: [], "the sessions")
            try expect(
                place.told(after: told),
                is: [.sessionEnded(SessionID("s")), .accessChanged(AccountID("a")), .accountsChanged],
                "what was told")
            try await expect(.moved, "a write under the permit of before") {
                _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("b") }
            }
        },
        StoreLaw("accounts are found by text, role and state, in the order of their identifiers") { place in
            try await place.make("a1", login: "ada")
            try await place.make("a2", login: "Bob", role: .administrator)
            try await place.make("a3", login: "adam", isDisabled: true)
            func ids(_ query: AccountQuery) async throws -> [String] {
                try await place.data.accounts.accounts(query).map(\.id.text)
            }
            try expect(try await ids(AccountQuery()), is: ["a1", "a2", "a3"], "all")
            try expect(try await ids(AccountQuery(text: "ADA")), is: ["a1", "a3"], "by text")
            try expect(try await ids(AccountQuery(role: .administrator)), is: ["a2"], "by role")
            try expect(try await ids(AccountQuery(isDisabled: false)), is: ["a1", "a2"], "by state")
            try expect(try await ids(AccountQuery(after: AccountID("a1"), limit: 1)), is: ["a2"], "a page")
        },
        StoreLaw("a picture is the account's until it is removed") { place in
            try await place.make("a")
            let picture = try Sample.picture()
            let accounts = place.data.accounts
            try await accounts.setPicture(picture, of: AccountID("a"), audit: Sample.entry("x", of: "a"))
            try expect(try await accounts.picture(of: AccountID("a")), is: picture, "the picture")
            try expect(try await accounts.account(AccountID("a"))?.picture, is: picture.name, "its name")
            try await accounts.setPicture(nil, of: AccountID("a"), audit: Sample.entry("x", of: "a"))
            try expect(try await accounts.picture(of: AccountID("a")), is: nil, "the picture")
            try expect(try await accounts.account(AccountID("a"))?.picture, is: nil, "its name")
            try await expect(.notFound, "an account that is not there") {
                try await accounts.setPicture(nil, of: AccountID("b"), audit: Sample.entry("x", of: "b"))
            }
        },
    ]
}
