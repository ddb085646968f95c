public import Cryptography
import GradingKit
public import Shared

/// The rules of following and blocking, over the rows that a store has found.
public enum FriendPlans {
    /// The most that an account follows.
    public static let mostFollows = 500
    /// How many times an account may ask in 24 hours.
    public static let mostAsked = 100
    /// For how many seconds it is remembered that an account has asked.
    public static let askedWithin: Int64 = 86_400

    /// The account follows the other, or asks to. Once more it changes nothing.
    ///
    /// - Parameters:
    ///   - isVisible: whether the account may see the other.
    ///   - link: the digest of the other's link, where the account has one.
    /// - Throws: `StoreError.notFound` for one that the account may neither see nor reach by a link; a `FaultList` with
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
            [.setFollow(follow), .noteAsked(rows.account, at: act.at)],
            audit: [line("person.followed", rows, act)], value: state)
    }

    private static func limit(_ most: Int) -> FaultList {
        FaultList([Fault(.followLimit, ["max": .number(String(most))])])
    }

    /// The account follows the other no more, or takes its request back.
    public static func unfollowing(_ rows: RelationRows, by act: AuditContext) throws -> PeoplePlan<Void> {
        guard rows.relation.following != .none else { throw StoreError.notFound }
        return PeoplePlan(
            [.removeFollow(by: rows.account, of: rows.other)] + endOfFriendship(rows),
            audit: [line("person.unfollowed", rows, act)])
    }

    /// The account accepts that the other follows it. Once more it changes nothing.
    public static func accepting(_ rows: RelationRows, by act: AuditContext) throws -> PeoplePlan<Void> {
        switch rows.relation.follower {
        case .none: throw StoreError.notFound
        case .following: return PeoplePlan([])
        case .requested:
            let follow = Follow(follower: rows.other, followed: rows.account, state: .following, since: act.at)
            return PeoplePlan([.setFollow(follow)], audit: [line("follower.accepted", rows, act)])
        }
    }

    /// The other follows the account no more, or its request is refused.
    public static func removing(_ rows: RelationRows, by act: AuditContext) throws -> PeoplePlan<Void> {
        guard rows.relation.follower != .none else { throw StoreError.notFound }
        return PeoplePlan(
            [.removeFollow(by: rows.other, of: rows.account)] + endOfFriendship(rows),
            audit: [line("follower.removed", rows, act)])
    }

    /// The account blocks the other: neither follows the other any more, and neither sees what the other shares.
    ///
    /// - Parameter isVisible: whether the account may see the other.
    public static func blocking(
        _ rows: RelationRows, isVisible: Bool, by act: AuditContext
    ) throws -> PeoplePlan<Void> {
        if rows.relation.blocks { return PeoplePlan([]) }
        guard rows.isThere, rows.account != rows.other, !rows.relation.isBlocked,
            isVisible || rows.relation.following != .none
        else { throw StoreError.notFound }
        return PeoplePlan(
            [
                .setBlock(by: rows.account, of: rows.other, at: act.at),
                .removeFollow(by: rows.account, of: rows.other), .removeFollow(by: rows.other, of: rows.account),
                .announceShared(by: rows.account), .announceShared(by: rows.other),
            ], audit: [line("person.blocked", rows, act)])
    }

    /// The account blocks the other no more.
    public static func unblocking(_ rows: RelationRows, by act: AuditContext) throws -> PeoplePlan<Void> {
        guard rows.relation.blocks else { throw StoreError.notFound }
        return PeoplePlan(
            [.removeBlock(by: rows.account, of: rows.other)], audit: [line("person.unblocked", rows, act)])
    }

    /// What rested on a friendship is asked about again.
    private static func endOfFriendship(_ rows: RelationRows) -> [PeopleRowChange] {
        guard rows.relation.areFriends else { return [] }
        return [.announceShared(by: rows.account), .announceShared(by: rows.other)]
    }

    /// About the account that acts alone: the other is not told.
    private static func line(_ action: String, _ rows: RelationRows, _ act: AuditContext) -> AuditEntry {
        act.entry(
            action, of: rows.account.text, detail: JSON.object(["person": .string(rows.other.text)]).bytes)
    }
}
