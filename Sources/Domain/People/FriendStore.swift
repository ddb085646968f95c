public import Cryptography
public import Shared

/// What a store has found of an account that acts, and of another one.
public struct RelationRows: Sendable {
    /// The account that acts.
    public let account: AccountID
    /// The other one.
    public let other: AccountID
    /// Whether the other is a person who can sign in.
    public let isThere: Bool
    /// How the account stands to the other.
    public let relation: Relation
    /// Whether the other lets everyone follow without asking.
    public let isOpen: Bool
    /// The digest of the link by which the other can be followed; `nil` for none.
    public let link: TokenDigest?
    /// How many the account follows, or has asked to follow.
    public let follows: Int
    /// How many times the account has asked in the last 24 hours.
    public let asked: Int

    /// What was found.
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

/// What following needs of a store.
public protocol FriendStore: Sendable {
    /// How an account stands to another.
    func relation(of account: AccountID, to other: AccountID) async throws -> Relation

    /// Changes how an account stands to another by a pure function of what was found at a moment.
    func changeRelation<Value: Sendable>(
        of account: AccountID, to other: AccountID, at moment: Timestamp,
        _ plan: @escaping @Sendable (RelationRows) throws -> PeoplePlan<Value>
    ) async throws -> Value

    /// A page of one of an account's lists, in the order of accounts; those who are disabled are absent.
    func people(
        in list: PeopleList, of account: AccountID, after cursor: AccountID?, limit: Int
    ) async throws -> [ListedPerson]

    /// Friends of an account whom another account may see, in the order of accounts.
    func friends(of account: AccountID, seenBy viewer: AccountID, limit: Int) async throws -> [AccountID]

    /// How many follow an account, and are followed by it.
    func followCounts(of account: AccountID) async throws -> FollowCounts

    /// Replaces the link by which an account can be followed.
    func setLink(_ digest: TokenDigest, of account: AccountID, audit: AuditEntry) async throws
}
