public import Cryptography
public import Shared

/// The rows that the store found for an acting account and another one.
public struct RelationRows: Sendable {
    /// The account that acts.
    public let account: AccountID
    /// The other account.
    public let other: AccountID
    /// Whether the other account belongs to a person who can sign in.
    public let isThere: Bool
    /// The relation of the account to the other.
    public let relation: Relation
    /// Whether the other may be followed without a request.
    public let isOpen: Bool
    /// The digest of the link with which the other can be followed; `nil` if there is none.
    public let link: TokenDigest?
    /// The number of people whom the account follows or has asked to follow.
    public let follows: Int
    /// The number of requests of the account in the last 24 hours.
    public let asked: Int

    /// Creates the rows that were found.
    public init(
        account: AccountID, other: AccountID, isThere: Bool, relation: Relation, isOpen: Bool, link: TokenDigest?,
        follows: Int, asked: Int
    ) {
        self.account = account
        self.other = other
        self.isThere = isThere
        self.relation = relation
        self.isOpen = isOpen
        self.link = link
        self.follows = follows
        self.asked = asked
    }
}

/// The store of follows and blocks.
public protocol FriendStore: Sendable {
    /// Returns the relation of an account to another.
    func relation(of account: AccountID, to other: AccountID) async throws -> Relation

    /// Changes the relation of an account to another by a pure function of the rows at a moment.
    func changeRelation<Value: Sendable>(
        of account: AccountID, to other: AccountID, at moment: Timestamp,
        _ plan: @escaping @Sendable (RelationRows) throws -> PeoplePlan<Value>
    ) async throws -> Value

    /// Returns a page of one of an account's lists, ordered by account, without disabled accounts.
    func people(
        in list: PeopleList, of account: AccountID, after cursor: AccountID?, limit: Int
    ) async throws -> [ListedPerson]

    /// Returns up to `limit` friends of an account whom another account may see, ordered by account.
    func friends(of account: AccountID, seenBy viewer: AccountID, limit: Int) async throws -> [AccountID]

    /// Returns the number of people who follow an account, and of those it follows.
    func followCounts(of account: AccountID) async throws -> FollowCounts

    /// Replaces the link with which an account can be followed.
    func setLink(_ digest: TokenDigest, of account: AccountID, audit: AuditEntry) async throws
}
