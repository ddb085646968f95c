public import GradingKit
public import Shared

/// Whether one account follows another.
public enum FollowState: String, Sendable, CaseIterable {
    /// It does not follow it.
    case none
    /// It has asked, and the other has not accepted yet.
    case requested
    /// It follows it.
    case following
}

/// A stored follow of one account by another, or a request for it.
public struct Follow: Sendable, Equatable {
    /// The account that follows.
    public let follower: AccountID
    /// The account that is followed.
    public let followed: AccountID
    /// The state; never `none`.
    public let state: FollowState
    /// When that state began.
    public let since: Timestamp

    /// Creates a follow as it is stored.
    public init(follower: AccountID, followed: AccountID, state: FollowState, since: Timestamp) {
        self.follower = follower
        self.followed = followed
        self.state = state
        self.since = since
    }
}

/// The relation of an account to another one.
public struct Relation: Sendable, Equatable {
    /// Whether the account follows the other.
    public let following: FollowState
    /// Whether the other follows the account.
    public let follower: FollowState
    /// Whether the account blocks the other.
    public let blocks: Bool
    /// Whether the other blocks the account, which the account never learns.
    public let isBlocked: Bool

    /// Creates a relation.
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

    /// Whether one of the two blocks the other, so that each is hidden from the other.
    public var isSevered: Bool { blocks || isBlocked }

    /// Writes what the account may know of the relation.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("following", following.rawValue)
            $0.member("follower", follower.rawValue)
            $0.member("friends", areFriends)
            $0.member("blocked", blocks)
        }
    }
}

/// The numbers of an account's followers, of those it follows, and of its friends, each counted up to ``limit``.
public struct FollowCounts: Sendable, Equatable {
    /// The greatest number that is counted.
    public static let limit = 10_000
    /// The number of those who follow the account.
    public let followers: Int
    /// The number of those whom the account follows.
    public let following: Int
    /// The number of those who do both.
    public let friends: Int

    /// Creates counts.
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

/// A list of people that an account has.
public enum PeopleList: String, Sendable, CaseIterable {
    /// Those whom it follows or has asked to follow.
    case following
    /// Those who follow it.
    case followers
    /// Those who have asked to follow it.
    case requests
    /// Those whom it follows and who follow it.
    case friends
    /// Those whom it blocks.
    case blocks
}

/// A person in a list.
public struct ListedPerson: Sendable, Equatable {
    /// The account of the person.
    public let account: AccountID
    /// The state of the follow that puts the person on the list; `following` for a block.
    public let state: FollowState
    /// When that state began.
    public let since: Timestamp
    /// Whether the owner of the list saw the person when it came there: one can block whom one does not see.
    public let isSeen: Bool

    /// Creates a person in a list.
    public init(account: AccountID, state: FollowState, since: Timestamp, isSeen: Bool = true) {
        self.isSeen = isSeen
        self.account = account
        self.state = state
        self.since = since
    }

    /// Writes the person for the export of the list's owner.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("account", account.text)
            $0.member("state", state.rawValue)
            $0.member("since", since.description)
        }
    }
}
