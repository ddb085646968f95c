import Accounts
import DataStore
import GradingKit
import Institutions
import People
import Records
import Shared

extension StoreUnderTest {
    @discardableResult
    fileprivate func follow(
        _ other: String, by account: String, isVisible: Bool = true, link: String? = nil,
        at moment: Timestamp = Sample.now
    ) async throws -> FollowState {
        let act = AuditContext(by: AccountID(account), from: "127.0.0.1", at: moment)
        let digest = link.map { Sample.token($0) }
        return try await data.people.changeRelation(of: AccountID(account), to: AccountID(other), at: moment) {
            try FriendPlans.following($0, isVisible: isVisible, link: digest, by: act)
        }
    }

    fileprivate func change(
        _ account: String, to other: String,
        _ plan: @escaping @Sendable (RelationRows, AuditContext) throws -> PeoplePlan<Void>
    ) async throws {
        let act = Sample.act(by: account)
        try await data.people.changeRelation(of: AccountID(account), to: AccountID(other), at: Sample.now) {
            try plan($0, act)
        }
    }

    fileprivate func befriend(_ one: String, _ other: String) async throws {
        try await follow(other, by: one)
        try await follow(one, by: other)
        try await change(one, to: other) { try FriendPlans.accepting($0, by: $1) }
        try await change(other, to: one) { try FriendPlans.accepting($0, by: $1) }
    }

    fileprivate func relation(_ account: String, _ other: String) async throws -> Relation {
        try await data.people.relation(of: AccountID(account), to: AccountID(other))
    }

    fileprivate func names(_ list: PeopleList, of account: String) async throws -> [String] {
        try await data.people.people(in: list, of: AccountID(account), after: nil, limit: 9).map(\.account.text)
    }

    fileprivate func refusal(_ body: () async throws -> FollowState) async throws -> [FaultCode] {
        do {
            _ = try await body()
        } catch let faults as FaultList {
            return faults.faults.map(\.code)
        }
        return []
    }
}

extension StoreLaw {
    static let friends: [StoreLaw] = [
        StoreLaw("a request is accepted, two who follow each other are friends, and the lists tell so") { place in
            for id in ["a", "b", "c"] { try await place.make(id) }
            try expect(try await place.follow("b", by: "a"), is: .requested, "the first time")
            try expect(try await place.follow("b", by: "a"), is: .requested, "once more")
            try expect(
                try await place.relation("b", "a"), is: Relation(follower: .requested), "how b stands to a")
            try expect(try await place.names(.requests, of: "b"), is: ["a"], "the requests")
            try expect(try await place.names(.followers, of: "b"), is: [], "the followers before")
            try await place.change("b", to: "a") { try FriendPlans.accepting($0, by: $1) }
            try expect(try await place.names(.followers, of: "b"), is: ["a"], "the followers")
            try expect(try await place.names(.friends, of: "b"), is: [], "the friends before")
            try await place.befriend("b", "a")
            try await place.follow("c", by: "a")
            for (list, names) in [(PeopleList.friends, ["b"]), (.following, ["b", "c"]), (.followers, ["b"])] {
                try expect(try await place.names(list, of: "a"), is: names, "the \(list) of a")
            }
            try expect(
                try await place.data.people.followCounts(of: AccountID("a")),
                is: FollowCounts(followers: 1, following: 1, friends: 1), "the counts, without requests")
        },
        StoreLaw("one who cannot be seen is followed by the link of the moment alone") { place in
            for id in ["a", "b"] { try await place.make(id) }
            let people = place.data.people
            for name in ["first", "second"] {
                try await people.setLink(
                    Sample.token(name), of: AccountID("b"), audit: Sample.entry("link.renewed", of: "b"))
            }
            for link in [nil, "first", "other"] {
                try await expect(.notFound, "by \(link ?? "no link")") {
                    try await place.follow("b", by: "a", isVisible: false, link: link)
                }
            }
            let state = try await place.follow("b", by: "a", isVisible: false, link: "second")
            try expect(state, is: .requested, "by the newest link")
            try await expect(.notFound, "oneself") { try await place.follow("a", by: "a") }
            try await expect(.notFound, "an account that is not there") { try await place.follow("x", by: "a") }
        },
        StoreLaw("who lets all follow is followed at once; a disabled account is neither followed nor listed") {
            place in
            try await place.make("a")
            try await place.make("b")
            _ = try await place.data.accounts.amend(AccountID("b")) { situation in
                var account = situation.account
                account.profile.followers = .open
                return AccountChange(
                    account: account, endsSessions: false, audit: Sample.entry("profile.changed", of: "b"))
            }
            try expect(try await place.follow("b", by: "a"), is: .following, "the follow")
            try expect(
                try await place.data.accounts.account(AccountID("b"))?.profile.followers, is: .open, "the choice")
            _ = try await place.data.accounts.amend(AccountID("b")) { situation in
                var account = situation.account
                account.isDisabled = true
                return AccountChange(
                    account: account, endsSessions: true, audit: Sample.entry("account.disabled", of: "b"))
            }
            try expect(try await place.names(.following, of: "a"), is: [], "the list")
            try await place.make("c")
            try await expect(.notFound, "following it") { try await place.follow("b", by: "c") }
        },
        StoreLaw("500 are followed at most, and 100 asked in a day, whether or not the requests are taken back") {
            place in
            try await place.make("a")
            try await place.make("z")
            for number in 0..<FriendPlans.mostAsked {
                try await place.follow("z", by: "a", at: Sample.now.adding(seconds: Int64(number)))
                try await place.change("a", to: "z") { try FriendPlans.unfollowing($0, by: $1) }
            }
            let later = Sample.now.adding(seconds: 200)
            try expect(
                try await place.refusal { try await place.follow("z", by: "a", at: later) }, is: [.followLimit],
                "the next one")
            let tomorrow = Sample.now.adding(seconds: 86_401 + 200)
            try expect(try await place.follow("z", by: "a", at: tomorrow), is: .requested, "a day later")
            let full = RelationRows(
                account: AccountID("a"), other: AccountID("b"), isThere: true, relation: Relation(), isOpen: true,
                link: nil, follows: FriendPlans.mostFollows, asked: 0)
            try expect(
                try await place.refusal {
                    try FriendPlans.following(full, isVisible: true, link: nil, by: Sample.act(by: "a")).value
                }, is: [.followLimit], "the 501st")
        },
        StoreLaw("the end of a friendship, and a block, announce what either shares; a block ends both follows") {
            place in
            try await place.makeInstitution()
            for id in ["student", "b"] { try await place.make(id) }
            try await place.store.create("r")
            let act = Sample.act(by: "student")
            _ = try await place.data.people.changeSharing(of: RecordID("r")) {
                try PeoplePlans.sharing(RecordSharing(with: [.friends]), found: $0, by: act)
            }
            let ends: [(String, String, @Sendable (RelationRows, AuditContext) throws -> PeoplePlan<Void>)] = [
                ("b", "student", { try FriendPlans.unfollowing($0, by: $1) }),
                ("student", "b", { try FriendPlans.removing($0, by: $1) }),
                ("b", "student", { try FriendPlans.blocking($0, isVisible: true, by: $1) }),
            ]
            for (account, other, end) in ends {
                try await place.befriend("student", "b")
                let told = place.told.count
                try await place.change(account, to: other, end)
                try expect(place.told(after: told), is: [.sharingChanged(RecordID("r"))], "what was told")
                try expect(try await place.relation("student", "b").areFriends, is: false, "the friendship")
            }
            try expect(try await place.relation("student", "b"), is: Relation(isBlocked: true), "after the block")
            try await expect(.notFound, "following one who blocks") { try await place.follow("b", by: "student") }
            try await expect(.notFound, "following one who is blocked") { try await place.follow("student", by: "b") }
            try expect(try await place.names(.blocks, of: "b"), is: ["student"], "the blocks")
            try await place.change("b", to: "student") { FriendPlans.unblocking($0, by: $1) }
            try expect(try await place.relation("student", "b"), is: Relation(), "once it is lifted")
        },
        StoreLaw("anybody is blocked, seen or not, and one who is not there leaves nothing") { place in
            for id in ["a", "b", "c"] { try await place.make(id) }
            try await place.change("a", to: "b") { try FriendPlans.blocking($0, isVisible: true, by: $1) }
            try await place.change("a", to: "c") { try FriendPlans.blocking($0, isVisible: false, by: $1) }
            try await place.change("a", to: "nobody") { try FriendPlans.blocking($0, isVisible: false, by: $1) }
            // Who is blocked blocks back.
            try await place.change("b", to: "a") { try FriendPlans.blocking($0, isVisible: false, by: $1) }
            let listed = try await place.data.people.people(in: .blocks, of: AccountID("a"), after: nil, limit: 9)
            try expect(listed.map { "\($0.account) \($0.isSeen)" }, is: ["b true", "c false"], "whom a blocks")
            try expect(try await place.relation("c", "a"), is: Relation(isBlocked: true), "how c stands to a")
            for id in ["c", "nobody"] { try await place.change("a", to: id) { FriendPlans.unblocking($0, by: $1) } }
            try expect(try await place.names(.blocks, of: "a"), is: ["b"], "the blocks that are left")
            try await expect(.notFound, "blocking oneself") {
                try await place.change("a", to: "a") { try FriendPlans.blocking($0, isVisible: true, by: $1) }
            }
        },
        StoreLaw("friends of a person are shown to those who may see them") { place in
            for id in ["a", "b", "c", "d", "e", "viewer"] { try await place.make(id) }
            for id in ["b", "c", "d", "e", "viewer"] { try await place.befriend("a", id) }
            for id in ["b", "e"] {
                _ = try await place.data.accounts.amend(AccountID(id)) { situation in
                    var account = situation.account
                    account.profile.isDiscoverable = true
                    return AccountChange(
                        account: account, endsSessions: false, audit: Sample.entry("profile.changed", of: id))
                }
            }
            try await place.befriend("viewer", "c")
            try await place.change("e", to: "viewer") { try FriendPlans.blocking($0, isVisible: true, by: $1) }
            let shown = try await place.data.people.friends(
                of: AccountID("a"), seenBy: AccountID("viewer"), limit: 9)
            try expect(shown.map(\.text), is: ["b", "c"], "whom the viewer sees")
        },
        StoreLaw("with an account go its follows, requests, blocks and link") { place in
            for id in ["a", "b", "c"] { try await place.make(id) }
            try await place.befriend("a", "b")
            try await place.follow("c", by: "a")
            try await place.change("a", to: "c") { try FriendPlans.blocking($0, isVisible: true, by: $1) }
            try await place.data.people.setLink(
                Sample.token("l"), of: AccountID("a"), audit: Sample.entry("link.renewed", of: "a"))
            try await place.data.accounts.delete(AccountID("a")) { _ in Sample.entry("account.deleted", of: "a") }
            for list in PeopleList.allCases {
                for id in ["a", "b", "c"] {
                    try expect(try await place.names(list, of: id), is: [], "\(list) of \(id)")
                }
            }
            try expect(try await place.relation("c", "a"), is: Relation(), "how c stands to it")
        },
    ]
}
