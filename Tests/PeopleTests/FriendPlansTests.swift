import Cryptography
import GradingKit
import People
import Shared
import Testing

/// What following and blocking write, from the rows that a store found.
@Suite struct FriendPlansTests {
    private let ada = AccountID("ada")
    private let bo = AccountID("bo")
    private let act = AuditContext(by: AccountID("ada"), from: "127.0.0.1", at: Timestamp(microseconds: 1))
    private let link = TokenDigest(bytes: [1])

    private func rows(
        _ relation: Relation = Relation(), isThere: Bool = true, isOpen: Bool = false, link: TokenDigest? = nil,
        follows: Int = 0, asked: Int = 0, other: String = "bo"
    ) -> RelationRows {
        RelationRows(
            account: ada, other: AccountID(other), isThere: isThere, relation: relation, isOpen: isOpen, link: link,
            follows: follows, asked: asked)
    }

    private func followed(
        _ rows: RelationRows, isVisible: Bool = true, by link: TokenDigest? = nil
    ) throws -> PeoplePlan<FollowState> {
        try FriendPlans.following(rows, isVisible: isVisible, link: link, by: act)
    }

    private func states(_ changes: [PeopleRowChange]) -> [FollowState] {
        changes.compactMap { if case .relation(.setFollow(let follow)) = $0 { follow.state } else { nil } }
    }

    private func announced(_ changes: [PeopleRowChange]) -> [AccountID] {
        changes.compactMap { if case .announceShared(let account) = $0 { account } else { nil } }
    }

    @Test(arguments: [(true, FollowState.following), (false, .requested)])
    func `who lets everyone follow is followed at once, and who does not is asked`(isOpen: Bool, state: FollowState)
        throws
    {
        let plan = try followed(rows(isOpen: isOpen))
        #expect(plan.value == state)
        #expect(states(plan.changes) == [state])
        #expect(plan.audit.map(\.action) == ["person.followed"])
    }

    @Test func `a repetition changes nothing, even beyond the limits`() throws {
        let plan = try followed(rows(Relation(following: .requested), follows: 500, asked: 100))
        #expect(plan.value == .requested)
        #expect(plan.changes.isEmpty && plan.audit.isEmpty)
    }

    @Test func `who is not seen is followed by their link alone`() throws {
        #expect(try followed(rows(link: link), isVisible: false, by: link).value == .requested)
        #expect(throws: StoreError.notFound) {
            _ = try followed(rows(link: link), isVisible: false, by: TokenDigest(bytes: [2]))
        }
        #expect(throws: StoreError.notFound) { _ = try followed(rows(link: nil), isVisible: false) }
    }

    @Test(arguments: [Relation(blocks: true), Relation(isBlocked: true)])
    func `neither of two follows the other while one blocks`(relation: Relation) {
        #expect(throws: StoreError.notFound) { _ = try followed(rows(relation, isOpen: true, link: link), by: link) }
    }

    @Test func `nobody follows themselves, or an account that is not there`() {
        #expect(throws: StoreError.notFound) { _ = try followed(rows(other: "ada")) }
        #expect(throws: StoreError.notFound) { _ = try followed(rows(isThere: false)) }
    }

    @Test(arguments: [(499, 99, nil), (500, 0, "500"), (0, 100, "100")])
    func `follows and requests have limits`(follows: Int, asked: Int, limit: String?) throws {
        let rows = rows(follows: follows, asked: asked)
        guard let limit else {
            #expect(try followed(rows).value == .requested)
            return
        }
        let error = #expect(throws: FaultList.self) { _ = try followed(rows) }
        #expect(error?.faults.map { $0.arguments["max"] } == [.number(limit)])
    }

    @Test func `the end of a friendship has what both share looked at again`() throws {
        let friends = Relation(following: .following, follower: .following)
        #expect(try announced(FriendPlans.unfollowing(rows(friends), by: act).changes) == [ada, bo])
        #expect(try announced(FriendPlans.removing(rows(friends), by: act).changes) == [ada, bo])
        #expect(try announced(FriendPlans.unfollowing(rows(Relation(following: .following)), by: act).changes) == [])
        #expect(throws: StoreError.notFound) { _ = try FriendPlans.unfollowing(rows(), by: act) }
        #expect(throws: StoreError.notFound) { _ = try FriendPlans.removing(rows(), by: act) }
    }

    @Test func `a request is accepted once, and none is accepted that was not made`() throws {
        let plan = try FriendPlans.accepting(rows(Relation(follower: .requested)), by: act)
        #expect(states(plan.changes) == [.following])
        #expect(try FriendPlans.accepting(rows(Relation(follower: .following)), by: act).changes.isEmpty)
        #expect(throws: StoreError.notFound) { _ = try FriendPlans.accepting(rows(), by: act) }
    }

    @Test func `a block ends both follows, and seems to work on an account that is not there`() throws {
        let plan = try FriendPlans.blocking(rows(Relation(follower: .following)), isVisible: true, by: act)
        let removed = plan.changes.compactMap {
            if case .relation(.removeFollow(let by, let of)) = $0 { [by, of] } else { nil }
        }
        #expect(removed == [[ada, bo], [bo, ada]])
        #expect(announced(plan.changes) == [ada, bo])
        let none = try FriendPlans.blocking(rows(isThere: false), isVisible: false, by: act)
        #expect(none.changes.isEmpty)
        #expect(none.audit.map(\.action) == plan.audit.map(\.action))
        #expect(throws: StoreError.notFound) {
            _ = try FriendPlans.blocking(rows(other: "ada"), isVisible: true, by: act)
        }
    }

    @Test(arguments: [
        (Relation(), true, true), (Relation(), false, false), (Relation(following: .requested), false, true),
        (Relation(following: .requested, isBlocked: true), false, false),
    ])
    func `who is blocked unseen stays unseen in the list`(relation: Relation, isVisible: Bool, isSeen: Bool) throws {
        let plan = try FriendPlans.blocking(rows(relation), isVisible: isVisible, by: act)
        let seen = plan.changes.compactMap {
            if case .relation(.setBlock(_, _, _, let isSeen)) = $0 { isSeen } else { nil }
        }
        #expect(seen == [isSeen])
    }

    @Test func `a relation tells its account everything but that the other blocks it`() {
        var writer = JSONWriter()
        Relation(following: .following, follower: .requested, isBlocked: true).write(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"following":"following","follower":"requested","friends":false,"blocked":false}"#)
    }
}
