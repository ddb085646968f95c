public import Cryptography
import GradingKit
public import Shared

/// Plans the writes of following and blocking from the rows that the store found.
public enum FriendPlans {
    /// The maximum number of people whom an account follows or has asked to follow.
    public static let mostFollows = 500
    /// The maximum number of requests of an account in 24 hours.
    public static let mostAsked = 100
    /// The time in seconds that a request counts.
    public static let askedWithin: Int64 = 86_400

    /// Plans that the account follows the other one, or asks to. A repetition changes nothing.
    ///
    /// - Parameters:
    ///   - isVisible: Whether the account may see the other.
    ///   - link: The digest of the other's link, if the account has it.
    /// - Throws: `StoreError.notFound` if the account may neither see the other nor has its link; `FaultList` with
    ///   `follow_limit`.
    public static func following(
        _ rows: RelationRows, isVisible: Bool, link: TokenDigest?, by act: AuditContext
    ) throws -> PeoplePlan<FollowState> {
        let isReached = isVisible || link != nil && rows.link == link
        guard rows.isThere, rows.account != rows.other, !rows.relation.isSevered else { throw StoreError.notFound }
        guard rows.relation.following == .none else { return PeoplePlan([], value: rows.relation.following) }
        guard isReached else { throw StoreError.notFound }
        guard rows.follows < mostFollows else { throw limit(mostFollows) }
        guard rows.asked < mostAsked else { throw limit(mostAsked) }
        let state: FollowState = rows.isOpen ? .following : .requested
        let follow = Follow(follower: rows.account, followed: rows.other, state: state, since: act.at)
        return PeoplePlan(
            [.relation(.setFollow(follow)), .relation(.noteAsked(rows.account, at: act.at))],
            audit: [line("person.followed", rows, act)], value: state)
    }

    private static func limit(_ most: Int) -> FaultList {
        FaultList([Fault(.followLimit, ["max": .number(String(most))])])
    }

    /// Plans that the account stops following the other, or withdraws its request.
    public static func unfollowing(_ rows: RelationRows, by act: AuditContext) throws -> PeoplePlan<Void> {
        guard rows.relation.following != .none else { throw StoreError.notFound }
        return PeoplePlan(
            [.relation(.removeFollow(by: rows.account, of: rows.other))] + endOfFriendship(rows),
            audit: [line("person.unfollowed", rows, act)])
    }

    /// Plans that the account accepts the other's request to follow it. A repetition changes nothing.
    public static func accepting(_ rows: RelationRows, by act: AuditContext) throws -> PeoplePlan<Void> {
        switch rows.relation.follower {
        case .none: throw StoreError.notFound
        case .following: return PeoplePlan([])
        case .requested:
            let follow = Follow(follower: rows.other, followed: rows.account, state: .following, since: act.at)
            return PeoplePlan([.relation(.setFollow(follow))], audit: [line("follower.accepted", rows, act)])
        }
    }

    /// Plans that the other stops following the account, or that its request is refused.
    public static func removing(_ rows: RelationRows, by act: AuditContext) throws -> PeoplePlan<Void> {
        guard rows.relation.follower != .none else { throw StoreError.notFound }
        return PeoplePlan(
            [.relation(.removeFollow(by: rows.other, of: rows.account))] + endOfFriendship(rows),
            audit: [line("follower.removed", rows, act)])
    }

    /// Plans that the account blocks the other. Neither follows the other any more, and neither sees what the other
    /// shares.
    ///
    /// Everybody else can be blocked, also one who is not seen, such as one who has taken a request back. An account that
    /// is not there seems to be blocked too, so that nobody learns which ones are.
    ///
    /// - Parameter isVisible: Whether the account may see the other; if not, it does not see in its list whom it blocks.
    public static func blocking(
        _ rows: RelationRows, isVisible: Bool, by act: AuditContext
    ) throws -> PeoplePlan<Void> {
        guard rows.account != rows.other else { throw StoreError.notFound }
        if rows.relation.blocks { return PeoplePlan([]) }
        guard rows.isThere else { return PeoplePlan([], audit: [line("person.blocked", rows, act)]) }
        let isSeen = isVisible || rows.relation.following != .none && !rows.relation.isBlocked
        return PeoplePlan(
            [
                .relation(.setBlock(by: rows.account, of: rows.other, at: act.at, isSeen: isSeen)),
                .relation(.removeFollow(by: rows.account, of: rows.other)),
                .relation(.removeFollow(by: rows.other, of: rows.account)),
                .announceShared(by: rows.account), .announceShared(by: rows.other),
            ], audit: [line("person.blocked", rows, act)])
    }

    /// Plans that the account stops blocking the other; nothing changes if it does not.
    public static func unblocking(_ rows: RelationRows, by act: AuditContext) -> PeoplePlan<Void> {
        guard rows.relation.blocks else { return PeoplePlan([]) }
        return PeoplePlan(
            [.relation(.removeBlock(by: rows.account, of: rows.other))], audit: [line("person.unblocked", rows, act)])
    }

    /// Returns the changes that re-check access to shared records if a friendship ends.
    private static func endOfFriendship(_ rows: RelationRows) -> [PeopleRowChange] {
        guard rows.relation.areFriends else { return [] }
        return [.announceShared(by: rows.account), .announceShared(by: rows.other)]
    }

    /// Returns an audit row about the acting account only, since the other one must not learn of the action.
    private static func line(_ action: String, _ rows: RelationRows, _ act: AuditContext) -> AuditEntry {
        act.entry(
            action, of: rows.account.text, detail: JSON.object(["person": .string(rows.other.text)]).bytes)
    }
}
