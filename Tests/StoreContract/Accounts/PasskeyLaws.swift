import Accounts
import DataStore
import Shared

extension StoreLaw {
    private static func passkey(_ id: String, of account: String, credential: [UInt8]? = nil) -> Passkey {
        Passkey(
            id: id, account: AccountID(account), credential: credential ?? Array(id.utf8), key: [1, 2, 3],
            createdAt: Sample.now, name: "Phone", counter: 5)
    }

    private static func keep(_ passkey: Passkey, in place: any StoreUnderTest) async throws {
        try await place.data.accounts.changePasskeys(of: passkey.account, credential: passkey.credential) { situation in
            if situation.isTaken { throw StoreError.taken(field: "credential") }
            return AccountPlan([.passkey(.insert(passkey))])
        }
    }

    static let passkeys: [StoreLaw] = [
        StoreLaw("a passkey is kept whole, found by its credential, changed and ended") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            for id in ["a", "b"] { try await place.make(id) }
            var phone = passkey("p1", of: "a")
            try await keep(phone, in: place)
            try await keep(passkey("p2", of: "a"), in: place)
            try await keep(passkey("p3", of: "b"), in: place)
            try expect(try await accounts.passkeys(of: a).map(\.id), is: ["p1", "p2"], "an account's, in their order")
            try expect(try await accounts.passkey(credential: phone.credential), is: phone, "by its credential")
            try expect(try await accounts.passkey(credential: [0]), is: nil, "another credential")
            (phone.name, phone.counter) = ("Old phone", .max)
            (phone.usedAt, phone.refusedAt) = (Sample.now, Sample.now.adding(seconds: 1))
            try await accounts.changePasskeys(of: a, credential: nil) { [phone] _ in
                AccountPlan([.passkey(.update(phone))])
            }
            try expect(try await accounts.passkeys(of: a).first, is: phone, "after a change")
            try await accounts.changePasskeys(of: a, credential: nil) { _ in AccountPlan([.passkey(.remove("p1"))]) }
            try expect(try await accounts.passkeys(of: a).map(\.id), is: ["p2"], "after its end")
            try await expect(.notFound, "an account that is not there") {
                try await accounts.changePasskeys(of: AccountID("c"), credential: nil) { _ in AccountPlan([]) }
            }
        },
        StoreLaw("what is planned for passkeys sees them, the other ways in and the sessions as they are") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            try await place.open(Sample.session("s", of: "a"))
            _ = try await accounts.link(Sample.assertion("t", of: "ada"), to: a, by: Sample.act(by: "a"))
            try await keep(passkey("p", of: "a"), in: place)
            let seen = try await accounts.changePasskeys(of: a, credential: nil) { situation in
                AccountPlan([], value: situation)
            }
            try expect(seen.passkeys, is: [passkey("p", of: "a")], "the passkeys")
            try expect(seen.sessions.map(\.id.text), is: ["s"], "the sessions")
            try expect(seen.otherWays.hasPassword, "the password")
            try expect(seen.otherWays.identities.map(\.subject), is: ["ada"], "the identities")
            try expect(!seen.isTaken, "no credential is asked for")
        },
        StoreLaw("of uses of a passkey at once each sees the counter that the one before has left") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            try await keep(passkey("p", of: "a"), in: place)
            let ends = await atOnce(10) { _ in
                try await accounts.changePasskeys(of: a, credential: nil) { situation in
                    guard var found = situation.passkeys.first else { throw StoreError.notFound }
                    found.counter += 1
                    return AccountPlan([.passkey(.update(found))])
                }
            }
            try expect(ends.made, is: 10, "the uses")
            try expect(try await accounts.passkeys(of: a).first?.counter, is: 15, "the counter")
        },
        StoreLaw("a credential is one account's, however many ask for it at once") { place in
            for number in 0..<10 { try await place.make("a\(number)") }
            let ends = await atOnce(10) { number in
                try await keep(passkey("p\(number)", of: "a\(number)", credential: [7]), in: place)
            }
            try expect(ends.made, is: 1, "those who have it")
            try expect(ends.errors.allSatisfy { $0 == .taken(field: "credential") }, "the others are told")
        },
        StoreLaw("what authenticators know an account by stays what it was first, and goes with the account") { place in
            let accounts = place.data.accounts
            try await place.make("a")
            let handles = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number: UInt8 in 0..<10 {
                    group.addTask { try await accounts.userHandle(of: AccountID("a"), orElse: [number]) }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            try expect(handles.count, is: 1, "the names given")
            let later = try await accounts.userHandle(of: AccountID("a"), orElse: [99])
            try expect(handles, is: [later], "the name afterwards")
            try await keep(passkey("p", of: "a"), in: place)
            try await accounts.delete(AccountID("a")) { _ in Sample.entry("account.deleted", of: "a") }
            try expect(try await accounts.passkey(credential: Array("p".utf8)), is: nil, "without its account")
            try await expect(.notFound, "a name for an account that is gone") {
                try await accounts.userHandle(of: AccountID("a"), orElse: [1])
            }
        },
    ]
}
