public import GradingKit
public import Shared

/// How far one account follows another.
public enum FollowState: String, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// It has asked, and the other has not accepted yet.
    case requested
    /// It follows.
    case following
}

/// One account follows another, or has asked to.
public struct Follow: Sendable, Equatable {
    /// Who follows.
    public let follower: AccountID
    /// Whom.
    public let followed: AccountID
    /// How far; never `none`.
    public let state: FollowState
    /// Since when.
    public let since: Timestamp

    /// A follow as it is stored.
    public init(follower: AccountID, followed: AccountID, state: FollowState, since: Timestamp) {
        self.follower = follower
        self.followed = followed
        self.state = state
        self.since = since
    }
}

/// How an account stands to another one.
public struct Relation: Sendable, Equatable {
    /// How far the account follows the other.
    public let following: FollowState
    /// How far the other follows the account.
    public let follower: FollowState
    /// Whether the account blocks the other.
    public let blocks: Bool
    /// Whether the other blocks the account, which is never told.
    public let isBlocked: Bool

    /// A relation.
    public init(
        following: FollowState = .none, follower: FollowState = .none, blocks: Bool = false, isBlocked: Bool = false
    ) {
        self.following = following
        self.follower = follower
        self.blocks = blocks
        self.isBlocked = isBlocked
    }

    /// Whether each follows the other.
    public var areFriends: Bool { following == .following && follower == .following }

    /// Whether one of the two blocks the other: each is hidden from the other.
    public var isSevered: Bool { blocks || isBlocked }

    /// Writes what the account may know of it.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("following", following.rawValue)
            $0.member("follower", follower.rawValue)
            $0.member("friends", areFriends)
            $0.member("blocked", blocks)
        }
    }
}

/// How many people follow, and are followed; each counted up to ``limit``.
public struct FollowCounts: Sendable, Equatable {
    /// As many are counted at most.
    public static let limit = 10_000
    /// Who follow the account.
    public let followers: Int
    /// Whom the account follows.
    public let following: Int
    /// Those who do both.
    public let friends: Int

    /// Counts.
    public init(followers: Int, following: Int, friends: Int) {
        self.followers = followers
        self.following = following
        self.friends = friends
    }

    /// Writes the counts.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("followers", followers)
            $0.member("following", following)
            $0.member("friends", friends)
        }
    }
}

/// The lists of people that an account has.
public enum PeopleList: String, Sendable, CaseIterable {
    /// Whom it follows, or has asked to follow.
    case following
    /// Who follow it.
    case followers
    /// Who have asked to follow it.
    case requests
    /// Whom it follows and who follow it.
    case friends
    /// Whom it blocks.
    case blocks
}

/// One person of a list.
public struct ListedPerson: Sendable, Equatable {
    /// Who.
    public let account: AccountID
    /// How far the one of the two follows whom the list is about; `following` for a block.
    public let state: FollowState
    /// Since when.
    public let since: Timestamp

    /// A person of a list.
    public init(account: AccountID, state: FollowState, since: Timestamp) {
        self.account = account
        self.state = state
        self.since = since
    }

    /// Writes what the list's owner exports.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("account", account.text)
            $0.member("state", state.rawValue)
            $0.member("since", since.description)
        }
    }
}
