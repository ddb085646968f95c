public import Accounts
public import Cryptography
import GradingKit
import Institutions
public import People
public import Shared

/// The service through which people follow, accept, remove and block each other. Every person whom the caller may not
/// see gives the same answer.
public struct Friends: Sendable {
    /// A person in one of the caller's lists.
    public struct Item: Sendable {
        /// The person's account.
        public let account: Account
        /// The state of the follow relation that the list shows.
        public let state: FollowState
        /// When the state began.
        public let since: Timestamp
        /// Whether the caller saw the person when it came to the list; nothing but the identifier is told of others.
        public let isSeen: Bool
    }

    let store: any PeopleStore
    let profiles: Profiles
    private let random: RandomSource
    /// Whether the operator lets people find and follow each other.
    let isEnabled: Bool
    private let news: FeedNews

    /// Creates the service over the store of people.
    init(
        store: any PeopleStore, profiles: Profiles, isEnabled: Bool, news: FeedNews, random: RandomSource = .system
    ) {
        self.store = store
        self.profiles = profiles
        self.isEnabled = isEnabled
        self.news = news
        self.random = random
    }

    // MARK: Who sees whom

    /// Returns a person whom the caller may see, and the relation between the two.
    ///
    /// - Throws: `not_found` for any other person.
    func person(_ id: AccountID, seenBy principal: Principal) async throws -> (account: Account, relation: Relation) {
        guard isEnabled, let caller = principal.account, let account = try await profiles.account(id),
            account.service == nil, !account.isDisabled
        else { throw UseCaseError.notFound }
        let relation = try await store.relation(of: caller, to: id)
        let person = Person(account: id, isDiscoverable: account.profile.isDiscoverable, relation: relation)
        let requester = Requester(principal: principal, memberships: [])
        guard case .allowed = authorize(requester, .read, on: .person(person)) else { throw UseCaseError.notFound }
        return (account, relation)
    }

    /// Returns whether the caller may see a person's homepage and the picture on it.
    public func isVisible(_ id: AccountID, to context: AccountContext) async throws -> Bool {
        do {
            _ = try await person(id, seenBy: context.principal)
            return true
        } catch let error as UseCaseError where error.code == UseCaseError.notFound.code {
            return false
        }
    }

    private func checkEnabled() throws {
        guard isEnabled else { throw UseCaseError.notFound }
    }

    // MARK: Following

    /// Returns the relation to a person whom the caller may see, follows, or has asked to follow.
    ///
    /// - Throws: `not_found` for any other person.
    public func relation(to id: AccountID, _ context: AccountContext) async throws -> Relation {
        try checkEnabled()
        let relation = try await store.relation(of: context.account, to: id)
        if relation.following != .none, !relation.isSevered { return relation }
        return try await person(id, seenBy: context.principal).relation
    }

    /// Follows a person, or asks to. The caller must be able to see the person, or have the person's link.
    public func follow(_ id: AccountID, link: String?, _ context: AccountContext) async throws -> FollowState {
        try checkEnabled()
        let isVisible = try await isVisible(id, to: context)
        let (act, digest) = (context.audit(), link.flatMap { SecretToken(text: $0) }?.digest)
        return try await change(id, context) {
            try FriendPlans.following($0, isVisible: isVisible, link: digest, by: act)
        }
    }

    /// Stops following a person, or withdraws a request to follow.
    public func unfollow(_ id: AccountID, _ context: AccountContext) async throws {
        let act = context.audit()
        try await change(id, context) { try FriendPlans.unfollowing($0, by: act) }
    }

    /// Accepts a person's request to follow the caller.
    public func accept(_ id: AccountID, _ context: AccountContext) async throws {
        let act = context.audit()
        try await change(id, context) { try FriendPlans.accepting($0, by: act) }
    }

    /// Removes a follower, or refuses the request.
    public func remove(_ id: AccountID, _ context: AccountContext) async throws {
        let act = context.audit()
        try await change(id, context) { try FriendPlans.removing($0, by: act) }
    }

    /// Blocks another person, whether or not the caller may see him or her.
    public func block(_ id: AccountID, _ context: AccountContext) async throws {
        try checkEnabled()
        let (act, isVisible) = (context.audit(), try await isVisible(id, to: context))
        try await change(id, context) { try FriendPlans.blocking($0, isVisible: isVisible, by: act) }
    }

    /// Unblocks a person.
    public func unblock(_ id: AccountID, _ context: AccountContext) async throws {
        let act = context.audit()
        try await change(id, context) { FriendPlans.unblocking($0, by: act) }
    }

    private func change<Value: Sendable>(
        _ id: AccountID, _ context: AccountContext,
        _ plan: @escaping @Sendable (RelationRows) throws -> PeoplePlan<Value>
    ) async throws -> Value {
        try checkEnabled()
        let value = try await store.changeRelation(of: context.account, to: id, at: context.now, plan)
        news.tell(.reader(context.account))
        news.tell(.reader(id))
        news.tell(.logs)
        return value
    }

    /// Creates a new link through which others can follow the caller, and replaces the previous one.
    public func renewLink(_ context: AccountContext) async throws -> SecretToken {
        try checkEnabled()
        let token = SecretToken(random: random)
        let audit = context.audit().entry("link.renewed", of: context.account.text)
        try await store.setLink(token.digest, of: context.account, audit: audit)
        return token
    }

    // MARK: Lists

    /// Returns a page of one of the caller's lists.
    public func page(
        of list: PeopleList, after cursor: AccountID?, limit: Int, _ context: AccountContext
    ) async throws -> [Item] {
        try checkEnabled()
        var items: [Item] = []
        for listed in try await store.people(in: list, of: context.account, after: cursor, limit: limit) {
            guard let account = try await profiles.account(listed.account) else { continue }
            items.append(
                Item(account: account, state: listed.state, since: listed.since, isSeen: listed.isSeen))
        }
        return items
    }
}
